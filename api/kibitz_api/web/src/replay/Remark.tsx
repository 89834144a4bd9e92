// What the bot said of its last decision, and by what probabilities it chose.
import type { VNode } from "preact";
import { parseCard, shortName } from "../cards/code";
import type { Cursor } from "./cursor";
import { remarkOn } from "./knowledge";
import type { Replay, ReplayDeal } from "./model";
import { callMark, placeName } from "./words";

const SHOWN = 6;

interface RemarkProps {
  readonly replay: Replay;
  readonly deal: ReplayDeal;
  readonly cursor: Cursor;
}

export function Remark({ replay, deal, cursor }: RemarkProps): VNode | null {
  const done = deal.steps[cursor.step];
  const said = done && remarkOn(done, cursor);
  if (!done || !said) return null;
  const chances = likely(deal, cursor.step, said.policy);
  return (
    <div class="remark">
      <b>{placeName(replay, done.acted ?? done.seat ?? 0)}</b>
      {said.comment !== null && <q>{said.comment}</q>}
      {chances.length > 0 && (
        <ul aria-label="Probabilities by which it chose">
          {chances.map(([code, chance]) => (
            <li key={code} class={code === done.action ? "chosen" : ""}>
              {parseCard(code) ? shortName(code) : callMark(replay, code)} {percent(chance)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The likeliest actions of a policy with their probabilities, among equals the chosen one first. */
function likely(
  deal: ReplayDeal,
  step: number,
  policy: readonly number[] | null,
): readonly (readonly [string, number])[] {
  const legal = deal.steps[step - 1]?.legal ?? [];
  const chosen = deal.steps[step]?.action;
  return legal
    .map((code, index) => [code, policy?.[index] ?? 0] as const)
    .filter(([, chance]) => chance > 0)
    .sort(
      ([code, one], [second, other]) =>
        other - one || Number(second === chosen) - Number(code === chosen),
    )
    .slice(0, SHOWN);
}

function percent(chance: number): string {
  return chance < 0.01 ? "< 1 %" : `${Math.round(chance * 100)} %`;
}
