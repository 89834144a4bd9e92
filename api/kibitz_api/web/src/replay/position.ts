// What lies on the table at a cursor, as pure data. The server replays the game's rules; here they
// are only arranged, so every game is shown by the same code.
import { parseCard } from "../cards/code";
import type { Cursor } from "./cursor";
import { lastStep } from "./cursor";
import { sortHand } from "./hands";
import { seenAction, seenHand, told } from "./knowledge";
import type { Replay, ReplayDeal, ReplayStep } from "./model";
import { ringOf } from "./ring";

export interface HandCard {
  /** Null: face down. */
  readonly code: string | null;
  readonly legal: boolean;
  /** The card that is played next. */
  readonly chosen: boolean;
}

export interface Place {
  readonly place: number;
  /** Null for an open hand without a player, such as a dummy. */
  readonly seat: number | null;
  readonly hand: readonly HandCard[];
  readonly taken: number;
  /** The seat's last call, while the deal is still in its calls. */
  readonly call: string | null;
  readonly dealer: boolean;
  readonly turn: boolean;
}

export interface TrickCard {
  readonly place: number;
  readonly code: string;
  readonly won: boolean;
}

export interface Call {
  readonly step: number;
  readonly seat: number;
  readonly action: string;
}

export interface Position {
  readonly deal: ReplayDeal;
  readonly step: number;
  readonly last: number;
  readonly over: boolean;
  /** Round the table, the cursor's seat first, each plays after the one before. */
  readonly ring: readonly Place[];
  readonly trick: readonly TrickCard[];
  readonly trickNumber: number;
  readonly tricksWon: number;
  readonly turnUp: string | null;
  readonly stock: number;
  readonly trump: string | null;
  readonly calls: readonly Call[];
  readonly turn: number | null;
  /** Totals of the match before this deal. */
  readonly before: readonly number[];
}

export function position(replay: Replay, cursor: Cursor): Position | null {
  const deal = replay.deals[cursor.deal];
  const step = deal?.steps[cursor.step];
  if (!deal || !step) return null;
  const done = deal.steps.slice(0, cursor.step + 1);
  const upToNow = deal.tricks.filter((end) => end <= cursor.step).length;
  const justWon = deal.tricks.includes(cursor.step);
  return {
    deal,
    step: cursor.step,
    last: lastStep(deal),
    over: cursor.step === lastStep(deal),
    ring: ringOf(replay, deal, cursor).map((place) => placeView(replay, deal, step, cursor, place)),
    trick: trickOnTable(deal, cursor.step),
    trickNumber: justWon ? upToNow : upToNow + 1,
    tricksWon: upToNow,
    turnUp: turnUp(done, step),
    stock: stockLeft(deal, done, step),
    trump: step.trump,
    calls: callsSoFar(deal, cursor),
    turn: step.turn,
    before: totalsBefore(replay, cursor.deal),
  };
}

function placeView(
  replay: Replay,
  deal: ReplayDeal,
  step: ReplayStep,
  cursor: Cursor,
  place: number,
): Place {
  const truth = sortHand(step.hands[place] ?? []);
  const shown =
    cursor.open || place === cursor.seat
      ? truth
      : seenHand(truth, told(deal, cursor.step, cursor.seat));
  const turn = step.turn !== null && step.place === place;
  const next = turn ? (deal.steps[cursor.step + 1]?.action ?? null) : null;
  return {
    place,
    seat: place < replay.seats.length ? place : null,
    hand: shown.map((code) => ({
      code,
      legal: !turn || code === null || isCall(step) || step.legal.includes(code),
      chosen: code !== null && code === next,
    })),
    taken: step.taken[place] ?? 0,
    call: lastCall(deal, cursor, place),
    dealer: deal.dealer === place,
    turn,
  };
}

/** The decision that is due is a call, not a card: then no card is illegal. */
function isCall(step: ReplayStep): boolean {
  return step.legal.every((code) => parseCard(code) === null);
}

/** Cards of the trick in progress; a finished trick stays until the next card is led. */
function trickOnTable(deal: ReplayDeal, step: number): readonly TrickCard[] {
  const begins = deal.tricks.findLast((end) => end < step) ?? 0;
  const winner = deal.steps[step]?.events.findLast((event) => event.what === "WON")?.place;
  return deal.steps
    .slice(begins + 1, step + 1)
    .filter((done) => done.action !== null && parseCard(done.action) !== null)
    .map((done) => ({
      place: done.acted ?? done.seat ?? 0,
      code: done.action ?? "",
      won: deal.tricks.includes(step) && (done.acted ?? done.seat) === winner,
    }));
}

/** The card turned up last, while it still lies on the table. */
function turnUp(done: readonly ReplayStep[], now: ReplayStep): string | null {
  const turned = done
    .flatMap((step) => step.events)
    .findLast((event) => event.what === "TURNED" && event.code !== null)?.code;
  if (!turned) return null;
  const gone = now.hands.some((hand) => hand.includes(turned)) || played(done).has(turned);
  return gone ? null : turned;
}

function played(done: readonly ReplayStep[]): ReadonlySet<string> {
  return new Set(done.flatMap((step) => (step.action && parseCard(step.action) ? [step.action] : [])));
}

function stockLeft(deal: ReplayDeal, done: readonly ReplayStep[], now: ReplayStep): number {
  const held = now.hands.reduce((sum, hand) => sum + hand.length, 0);
  const discarded = done.filter((step) => step.action?.startsWith("discard:")).length;
  return Math.max(0, deal.deck.length - held - played(done).size - discarded);
}

function lastCall(deal: ReplayDeal, cursor: Cursor, seat: number): string | null {
  if (played(deal.steps.slice(0, cursor.step + 1)).size > 0) return null;
  const spoken = callsSoFar(deal, cursor).filter((call) => !/^(discard|declare|show|done)/.test(call.action));
  return spoken.findLast((call) => call.seat === seat)?.action ?? null;
}

function callsSoFar(deal: ReplayDeal, cursor: Cursor): readonly Call[] {
  return deal.steps.slice(1, cursor.step + 1).flatMap((done) => {
    if (done.action === null || done.seat === null || parseCard(done.action)) return [];
    const action = seenAction(deal, done.step, cursor.seat, cursor.open) ?? done.action;
    return [{ step: done.step, seat: done.seat, action }];
  });
}

export function totalsBefore(replay: Replay, deal: number): readonly number[] {
  return replay.seats.map((_, seat) =>
    replay.deals.slice(0, deal).reduce((sum, played) => sum + (played.scores[seat] ?? 0), 0),
  );
}
