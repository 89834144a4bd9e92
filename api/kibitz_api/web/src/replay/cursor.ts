// Where in a match a viewer stands and from which seat it looks; stepping and permalinks.
import { parseCard } from "../cards/code";
import type { Replay, ReplayDeal } from "./model";

export interface Cursor {
  /** Index in `replay.deals`; the deal's own number stands in addresses. */
  readonly deal: number;
  /** Actions taken so far; also the number of the decision that is due. */
  readonly step: number;
  /** Seat at the lower edge of the table, whose knowledge is shown when hands are not open. */
  readonly seat: number;
  /** All hands lie open. */
  readonly open: boolean;
}

export type Move =
  | "first"
  | "last"
  | "next"
  | "previous"
  | "nextTrick"
  | "previousTrick"
  | "nextDeal"
  | "previousDeal"
  | "rotate"
  | "reveal";

/** The cursor after a move; the same object where the move leads nowhere. */
export function moved(replay: Replay, cursor: Cursor, move: Move): Cursor {
  switch (move) {
    case "first":
      return at(replay, cursor, cursor.deal, 0);
    case "last":
      return at(replay, cursor, cursor.deal, Number.MAX_SAFE_INTEGER);
    case "next":
      return forward(replay, cursor);
    case "previous":
      return backward(replay, cursor);
    case "nextTrick":
      return toTrick(replay, cursor, 1);
    case "previousTrick":
      return toTrick(replay, cursor, -1);
    case "nextDeal":
      return at(replay, cursor, cursor.deal + 1, 0);
    case "previousDeal":
      return at(replay, cursor, cursor.deal - 1, 0);
    case "rotate":
      return { ...cursor, seat: (cursor.seat + 1) % replay.seats.length };
    case "reveal":
      return { ...cursor, open: !cursor.open };
  }
}

/** The cursor at that place, kept within the match; a deal beyond either end changes nothing. */
export function at(replay: Replay, cursor: Cursor, deal: number, step: number): Cursor {
  const target = replay.deals[deal];
  if (!target) return cursor;
  const inside = Math.max(0, Math.min(step, lastStep(target)));
  if (deal === cursor.deal && inside === cursor.step) return cursor;
  return { ...cursor, deal, step: inside };
}

export function lastStep(deal: ReplayDeal): number {
  return Math.max(0, deal.steps.length - 1);
}

function current(replay: Replay, cursor: Cursor): ReplayDeal | undefined {
  return replay.deals[cursor.deal];
}

function forward(replay: Replay, cursor: Cursor): Cursor {
  const deal = current(replay, cursor);
  if (!deal) return cursor;
  if (cursor.step < lastStep(deal)) return { ...cursor, step: cursor.step + 1 };
  return at(replay, cursor, cursor.deal + 1, 0);
}

function backward(replay: Replay, cursor: Cursor): Cursor {
  if (cursor.step > 0) return { ...cursor, step: cursor.step - 1 };
  return at(replay, cursor, cursor.deal - 1, Number.MAX_SAFE_INTEGER);
}

/** Steps at which a viewer going by tricks stops: the deal, each finished trick, the end. */
export function trickStops(deal: ReplayDeal): readonly number[] {
  const leads = deal.steps.findIndex((step) => step.action !== null && parseCard(step.action));
  const beforeFirstCard = leads > 1 ? [leads - 1] : [];
  return [...new Set([0, ...beforeFirstCard, ...deal.tricks, lastStep(deal)])].sort((a, b) => a - b);
}

function toTrick(replay: Replay, cursor: Cursor, way: 1 | -1): Cursor {
  const deal = current(replay, cursor);
  if (!deal) return cursor;
  const stops = trickStops(deal);
  if (way > 0) {
    const stop = stops.find((step) => step > cursor.step);
    return stop === undefined ? at(replay, cursor, cursor.deal + 1, 0) : { ...cursor, step: stop };
  }
  const stop = stops.findLast((step) => step < cursor.step);
  if (stop !== undefined) return { ...cursor, step: stop };
  return at(replay, cursor, cursor.deal - 1, Number.MAX_SAFE_INTEGER);
}

/** The address of the cursor: `/matches/{id}/deals/{number}/{step}?seat=S[&open=1]`. */
export function permalink(replay: Replay, cursor: Cursor): string {
  const number = current(replay, cursor)?.number ?? 0;
  const path = `/matches/${encodeURIComponent(replay.match)}/deals/${number}/${cursor.step}`;
  return `${path}?seat=${cursor.seat}${cursor.open ? "&open=1" : ""}`;
}

/** Reads `permalink` back. Without a seat the table is seen from seat 0 with open hands. */
export function fromAddress(replay: Replay, path: string, query: string): Cursor {
  const found = /\/deals\/(\d+)(?:\/(\d+))?\/?$/.exec(path);
  const number = Number(found?.[1] ?? replay.deals[0]?.number ?? 0);
  const parameters = new URLSearchParams(query);
  const asked = parameters.get("seat");
  const seat = Number(asked ?? 0);
  const start: Cursor = {
    deal: 0,
    step: 0,
    seat: Number.isInteger(seat) && seat >= 0 && seat < replay.seats.length ? seat : 0,
    open: asked === null || parameters.get("open") === "1",
  };
  const index = replay.deals.findIndex((deal) => deal.number === number);
  return at(replay, start, index, Number(found?.[2] ?? 0));
}
