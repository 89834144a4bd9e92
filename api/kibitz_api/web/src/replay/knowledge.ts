// What a seat knew: the codes of all events told to it. No rules of any game are needed here.
import type { Cursor } from "./cursor";
import type { ReplayDeal, ReplayStep } from "./model";

/** Every code the seat had been told after `step` actions. */
export function told(deal: ReplayDeal, step: number, seat: number): ReadonlySet<string> {
  const codes = new Set<string>();
  for (const done of deal.steps.slice(0, step + 1)) {
    for (const event of done.events) {
      if (event.code !== null && (event.to === null || event.to === seat)) codes.add(event.code);
    }
  }
  return codes;
}

/** A hand as a seat saw it; null for a card it did not know. Known cards come first. */
export function seenHand(
  hand: readonly string[],
  known: ReadonlySet<string>,
): readonly (string | null)[] {
  const cards = hand.filter((card) => known.has(card));
  const hidden = Array.from({ length: hand.length - cards.length }, () => null);
  return [...cards, ...hidden];
}

/** A secret action (a discard) as a seat saw it: `discard:?`. */
export function seenAction(
  deal: ReplayDeal,
  step: number,
  seat: number,
  open: boolean,
): string | null {
  const done = deal.steps[step];
  if (!done?.action) return null;
  if (open || done.seat === seat) return done.action;
  const secret = done.events.some(
    (event) => event.code === done.action && event.to !== null && event.to !== seat,
  );
  const hidden = secret || secretCard(done.action, done.events, seat);
  return hidden ? done.action.replace(/:.*$/, ":?") : done.action;
}

export interface Said {
  readonly comment: string | null;
  readonly policy: readonly number[] | null;
}

/** What the bot said of a decision; what others said tells of their hands, so it stays hidden with them. */
export function remarkOn(done: ReplayStep, cursor: Cursor): Said | null {
  const comment = done.comment ?? null;
  const policy = done.policy ?? null;
  if (comment === null && policy === null) return null;
  return cursor.open || done.seat === cursor.seat ? { comment, policy } : null;
}

function secretCard(
  action: string,
  events: ReplayDeal["steps"][number]["events"],
  seat: number,
): boolean {
  const card = /^discard:(.+)$/.exec(action)?.[1];
  if (card === undefined) return false;
  return events.some((event) => event.code === card && event.to !== null && event.to !== seat);
}
