// A live table in the form that the replay viewer's table is drawn from.
import { sortHand } from "../replay/hands";
import type { Replay, ReplayDeal, ReplayStep } from "../replay/model";
import type { HandCard, Place, Position, TrickCard } from "../replay/position";
import type { LiveTable, LiveTrick } from "./model";

/** What the viewer needs to know of the match. */
export function matchOf(table: LiveTable): Replay {
  return {
    format: "kibitz-replay/1",
    match: table.match,
    set: table.set,
    tournament: table.tournament,
    game: table.game,
    title: table.title,
    options: {},
    places: table.held.length,
    seats: table.seats.map((seat, number) => ({
      seat: number,
      name: seat.name,
      bot: seat.bot,
      version: Number(seat.name.split("/").at(-1)),
      version_id: 0,
    })),
    deals: [dealOf(table)],
    totals: table.totals,
    returns: null,
    seatings: [],
  };
}

export function positionOf(table: LiveTable): Position {
  const deal = dealOf(table);
  const won = table.tricks.filter((trick) => trick.won !== null).length;
  const shown = table.tricks.at(-1);
  return {
    deal,
    step: 0,
    last: 0,
    over: table.over,
    ring: table.held.map((_, place) => placeOf(table, place)),
    trick: shown ? cardsOf(shown) : [],
    trickNumber: won + (shown?.won === null ? 1 : 0),
    tricksWon: won,
    turnUp: table.turned,
    stock: table.stock,
    trump: table.trump,
    calls: table.calls.map(([seat, action]) => ({ step: 0, seat, action })),
    turn: table.turn,
    before: table.totals,
  };
}

function placeOf(table: LiveTable, place: number): Place {
  const open = sortHand(table.open[place] ?? []);
  const hidden = Math.max(0, (table.held[place] ?? 0) - open.length);
  const card = (code: string | null): HandCard => ({ code, legal: true, chosen: false });
  const call = table.tricks.length > 0 ? undefined : table.calls.findLast(([who]) => who === place);
  return {
    place,
    seat: place < table.seats.length ? place : null,
    hand: [...open.map(card), ...Array.from({ length: hidden }, () => card(null))],
    taken: table.taken[place] ?? 0,
    call: call && !call[1].endsWith("?") ? call[1] : null,
    dealer: table.dealer === place,
    turn: table.turn === place,
  };
}

function cardsOf(trick: LiveTrick): readonly TrickCard[] {
  return trick.cards.map(([place, code]) => ({ place, code, won: place === trick.won }));
}

/** The deal with one step that tells of its contract; its hands are nobody's to see. */
function dealOf(table: LiveTable): ReplayDeal {
  const settled = { what: "CONTRACT", place: table.declarer ?? 0, code: table.contract, detail: 0, to: null };
  const step: ReplayStep = {
    step: 0,
    seat: null,
    acted: null,
    action: null,
    events: table.declarer === null ? [] : [settled],
    hands: [],
    trick: [],
    taken: table.taken,
    trump: table.trump,
    turn: table.turn,
    place: table.turn,
    legal: [],
  };
  const deck = table.tricks.flatMap((trick) => trick.cards.map(([, code]) => code));
  return {
    number: table.deal,
    dealer: table.dealer,
    deck,
    cut: null,
    steps: [step],
    scores: [],
    forfeit: null,
    tricks: [],
  };
}
