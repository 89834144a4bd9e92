// The list of all calls and cards of the deal; each entry is a link to the position before it.
import type { VNode } from "preact";
import { parseCard, shortName } from "../cards/code";
import type { Cursor } from "./cursor";
import { permalink, trickStops } from "./cursor";
import { seenAction } from "./knowledge";
import type { Replay, ReplayDeal, ReplayStep } from "./model";
import { callMark, callText, placeName } from "./words";

interface MovesProps {
  readonly replay: Replay;
  readonly cursor: Cursor;
  readonly go: (step: number) => void;
}

export function Moves({ replay, cursor, go }: MovesProps): VNode | null {
  const deal = replay.deals[cursor.deal];
  if (!deal) return null;
  const calls = deal.steps.filter((done) => done.action !== null && !parseCard(done.action));
  const entry = (done: ReplayStep): VNode => (
    <Entry key={done.step} replay={replay} deal={deal} cursor={cursor} done={done} go={go} />
  );
  return (
    <div class="move-list">
      {calls.length > 0 && (
        <div class="calls">
          <h3>Calls</h3>
          <ol>{calls.map(entry)}</ol>
        </div>
      )}
      <div class="tricks">
        <h3>Tricks</h3>
        <ol>
          {tricksOf(deal).map((trick) => (
            <li key={trick[0]?.step}>
              <ol>{trick.map(entry)}</ol>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

/** The card steps of the deal, trick by trick; the last may be unfinished. */
function tricksOf(deal: ReplayDeal): readonly (readonly ReplayStep[])[] {
  const ends = [...new Set([...trickStops(deal), deal.steps.length])];
  return ends
    .map((end, index) =>
      deal.steps
        .slice((ends[index - 1] ?? 0) + 1, end + 1)
        .filter((done) => done.action !== null && parseCard(done.action)),
    )
    .filter((trick) => trick.length > 0);
}

interface EntryProps extends MovesProps {
  readonly deal: ReplayDeal;
  readonly done: ReplayStep;
}

function Entry({ replay, deal, cursor, done, go }: EntryProps): VNode {
  const before = done.step - 1;
  const who = placeName(replay, done.acted ?? done.seat ?? 0);
  const action = seenAction(deal, done.step, cursor.seat, cursor.open) ?? "";
  const card = parseCard(action);
  const winner = winnerOfTrick(deal, done.step);
  const won = card !== null && winner !== null && winner === (done.acted ?? done.seat);
  const state = before === cursor.step ? "now" : before < cursor.step ? "past" : "future";
  return (
    <li class={`entry ${state}${won ? " won" : ""}`}>
      <a
        href={permalink(replay, { ...cursor, step: before })}
        class={card ? `suit-${card.suit.toLowerCase()}` : ""}
        aria-current={before === cursor.step ? "step" : undefined}
        aria-label={card ? `${who}: ${card.name}` : `${who}: ${callText(action)}`}
        title={card ? `${who}: ${card.name}` : `${who}: ${callText(action)}`}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          go(before);
        }}
      >
        {card ? shortName(action) : callMark(action)}
      </a>
    </li>
  );
}

function winnerOfTrick(deal: ReplayDeal, step: number): number | null {
  const end = deal.tricks.find((stop) => stop >= step);
  if (end === undefined) return null;
  return deal.steps[end]?.events.findLast((event) => event.what === "WON")?.place ?? null;
}
