// The list of all calls and cards of the deal; each entry is a link to the position before it.
import type { VNode } from "preact";
import { parseCard, shortName } from "../cards/code";
import type { Cursor } from "./cursor";
import { permalink, trickStops } from "./cursor";
import { seenAction } from "./knowledge";
import type { Replay, ReplayDeal, ReplayStep } from "./model";
import { botName, callMark, callText, placeName } from "./words";

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
          <h2>Calls</h2>
          <Heads replay={replay} count={replay.seats.length} />
          <ol style={columns(replay.seats.length)}>{calls.map(entry)}</ol>
        </div>
      )}
      <div class="tricks">
        <h2>Tricks</h2>
        <Heads replay={replay} count={replay.places} />
        <ol>
          {tricksOf(deal).map((trick) => (
            <li key={trick[0]?.step}>
              <ol style={columns(replay.places)}>{trick.map(entry)}</ol>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

const columns = (count: number): string => `grid-template-columns: repeat(${count}, minmax(0, 1fr))`;

/** Whose column is which: one for each place. */
function Heads({ replay, count }: { readonly replay: Replay; readonly count: number }): VNode {
  return (
    <p class="heads" style={columns(count)} aria-hidden="true">
      {Array.from({ length: count }, (_, place) => {
        const seat = replay.seats[place];
        return <span title={placeName(replay, place)}>{seat ? botName(seat.bot) : "Dummy"}</span>;
      })}
    </p>
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
  const place = done.acted ?? done.seat ?? 0;
  const who = placeName(replay, place);
  const action = seenAction(deal, done.step, cursor.seat, cursor.open) ?? "";
  const card = parseCard(action);
  const spoken = `${who}: ${card ? card.name : callText(action)}`;
  const winner = winnerOfTrick(deal, done.step);
  const won = card !== null && winner === place;
  const led = card !== null && leads(deal, done.step) ? " led" : "";
  const state = before === cursor.step ? "now" : before < cursor.step ? "past" : "future";
  return (
    <li
      class={`entry ${state}${led}${won ? " won" : ""}`}
      style={card ? `grid-area: 1 / ${place + 1}` : `grid-column: ${place + 1}`}
    >
      <a
        href={permalink(replay, { ...cursor, step: before })}
        class={card ? `suit-${card.suit.toLowerCase()}` : ""}
        aria-current={before === cursor.step ? "step" : undefined}
        title={spoken}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          go(before);
        }}
      >
        <span aria-hidden="true">{card ? shortName(action) : callMark(action)}</span>
        <span class="visually-hidden">{spoken}</span>
      </a>
    </li>
  );
}

/** The card of this step is the first of its trick. */
function leads(deal: ReplayDeal, step: number): boolean {
  const before = deal.steps[step - 1]?.action;
  return deal.tricks.includes(step - 1) || !before || parseCard(before) === null;
}

function winnerOfTrick(deal: ReplayDeal, step: number): number | null {
  const end = deal.tricks.find((stop) => stop >= step);
  if (end === undefined) return null;
  return deal.steps[end]?.events.findLast((event) => event.what === "WON")?.place ?? null;
}
