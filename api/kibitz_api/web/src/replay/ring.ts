// Who sits where: the order of the places round the table.
import { parseCard } from "../cards/code";
import type { Cursor } from "./cursor";
import type { Replay, ReplayDeal } from "./model";

/** Places in order of play, the cursor's seat first. */
export function ringOf(replay: Replay, deal: ReplayDeal, cursor: Cursor): readonly number[] {
  const ring = [...tableRing(replay, deal, cursor)];
  const start = ring.indexOf(cursor.seat);
  return [...ring.slice(start), ...ring.slice(0, start)];
}

function tableRing(replay: Replay, deal: ReplayDeal, cursor: Cursor): readonly number[] {
  const seats = replay.seats.map((_, seat) => seat);
  if (replay.places !== seats.length + 1 || seats.length !== 3) {
    return [...seats, ...Array.from({ length: replay.places - seats.length }, (_, k) => seats.length + k)];
  }
  // A dummy lies opposite its player once the play has begun, before that opposite the viewer.
  const across = playerOfDummy(deal, cursor.step) ?? cursor.seat;
  const next = (seat: number): number => (seat + 1) % seats.length;
  return [across, next(across), seats.length, next(next(across))];
}

/** The seat that plays for the open hand, known from its first card or announcement on. */
function playerOfDummy(deal: ReplayDeal, step: number): number | null {
  const dummy = (deal.steps[0]?.hands.length ?? 0) - 1;
  const announced = deal.steps.findIndex((done) => done.action !== null && parseCard(done.action));
  if (announced < 0 || step < announced - 1) return null;
  return deal.steps.find((done) => done.acted === dummy)?.seat ?? null;
}
