// One call or card in the list of moves.
import type { VNode } from "preact";
import { parseCard, shortName } from "../cards/code";
import type { Cursor } from "./cursor";
import { permalink } from "./cursor";
import { remarkOn, seenAction } from "./knowledge";
import type { Replay, ReplayDeal, ReplayStep } from "./model";
import { isCard } from "./parts";
import { callMark, callText, placeName } from "./words";

interface EntryProps {
  readonly replay: Replay;
  readonly cursor: Cursor;
  readonly deal: ReplayDeal;
  readonly done: ReplayStep;
  readonly go: (step: number) => void;
}

export function Entry({ replay, deal, cursor, done, go }: EntryProps): VNode {
  const before = done.step - 1;
  const place = done.acted ?? done.seat ?? 0;
  const action = seenAction(deal, done.step, cursor.seat, cursor.open) ?? "";
  const card = parseCard(action);
  const face = parseCard(action.replace(/^(discard|show):/, ""));
  const comment = remarkOn(done, cursor)?.comment ?? null;
  const said = `${placeName(replay, place)}: ${card ? card.name : callText(replay, action)}`;
  const spoken = comment === null ? said : `${said} – “${comment}”`;
  return (
    <li class={classes(deal, done, cursor, comment)} style={area(done, place)}>
      <a
        href={permalink(replay, { ...cursor, step: before })}
        class={face ? `${face.pack} suit-${face.suit.toLowerCase()}` : ""}
        aria-current={before === cursor.step ? "step" : undefined}
        title={spoken}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          go(before);
        }}
      >
        <span aria-hidden="true">{card ? shortName(action) : callMark(replay, action)}</span>
        <span class="visually-hidden">{spoken}</span>
      </a>
    </li>
  );
}

function classes(
  deal: ReplayDeal,
  done: ReplayStep,
  cursor: Cursor,
  comment: string | null,
): string {
  const before = done.step - 1;
  const names = ["entry", before === cursor.step ? "now" : before < cursor.step ? "past" : "future"];
  if (isCard(done)) {
    if (leads(deal, done.step)) names.push("led");
    if (winnerOfTrick(deal, done.step) === (done.acted ?? done.seat)) names.push("won");
  } else if (done.action === "done") {
    names.push("quiet");
  }
  if (comment !== null) names.push("remarked");
  return names.join(" ");
}

/** Cards stand in the column of their place; what is decided about a trick stands below them. */
function area(done: ReplayStep, place: number): string {
  return isCard(done) ? `grid-area: 1 / ${place + 1}` : `grid-column: ${place + 1}`;
}

/** The card of this step is the first of its trick. */
function leads(deal: ReplayDeal, step: number): boolean {
  const before = deal.steps[step - 1];
  return deal.tricks.includes(step - 1) || !before || !isCard(before);
}

function winnerOfTrick(deal: ReplayDeal, step: number): number | null {
  const end = deal.tricks.find((stop) => stop >= step);
  if (end === undefined) return null;
  return deal.steps[end]?.events.findLast((event) => event.what === "WON")?.place ?? null;
}
