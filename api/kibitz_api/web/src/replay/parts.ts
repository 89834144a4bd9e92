// The parts of a deal as a card player writes them down: calls in columns, exchanges and
// declarations in lines, tricks in rows. Told apart by what happened, without rules of any game.
import { parseCard } from "../cards/code";
import type { ReplayDeal, ReplayStep } from "./model";

/** What one seat laid away or declared in one go. */
export interface Line {
  readonly place: number;
  readonly kind: "exchange" | "declaration";
  readonly steps: readonly ReplayStep[];
}

export interface Parts {
  readonly calls: readonly ReplayStep[];
  readonly lines: readonly Line[];
  /** Each trick with what was decided about it, such as to whom it is awarded. */
  readonly tricks: readonly (readonly ReplayStep[])[];
}

export function partsOf(deal: ReplayDeal): Parts {
  const made = deal.steps.filter((done) => done.action !== null);
  const first = made.findIndex(isCard);
  const before = first < 0 ? made : made.slice(0, first);
  const after = first < 0 ? [] : made.slice(first);
  return {
    calls: before.filter((done) => lineKind(done) === null),
    lines: linesOf(before),
    tricks: tricksOf(deal, after),
  };
}

export function isCard(done: ReplayStep): boolean {
  return done.action !== null && parseCard(done.action) !== null;
}

function lineKind(done: ReplayStep): Line["kind"] | null {
  if (done.events.some((event) => event.what === "DECLARED")) return "declaration";
  const discards = done.events.some((event) => event.what === "DISCARDED");
  return discards || done.action?.startsWith("exchange:") ? "exchange" : null;
}

function linesOf(steps: readonly ReplayStep[]): readonly Line[] {
  const lines: { place: number; kind: Line["kind"]; steps: ReplayStep[] }[] = [];
  for (const done of steps) {
    const kind = lineKind(done);
    if (kind === null) continue;
    const place = done.acted ?? done.seat ?? 0;
    const last = lines.at(-1);
    if (last && last.kind === kind && last.place === place) last.steps.push(done);
    else lines.push({ place, kind, steps: [done] });
  }
  return lines;
}

function tricksOf(deal: ReplayDeal, steps: readonly ReplayStep[]): readonly (readonly ReplayStep[])[] {
  const tricks: ReplayStep[][] = [];
  let open = false;
  for (const done of steps) {
    if (!open) tricks.push([]);
    tricks.at(-1)?.push(done);
    open = !deal.tricks.includes(done.step);
  }
  return tricks;
}
