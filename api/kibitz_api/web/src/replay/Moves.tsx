// All calls and cards of the deal as a card player writes them down; each entry leads to the
// position before it.
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Cursor } from "./cursor";
import { Entry } from "./Entry";
import type { Replay, ReplayStep } from "./model";
import { partsOf, type Line } from "./parts";
import { botName, placeName } from "./words";

interface MovesProps {
  readonly replay: Replay;
  readonly cursor: Cursor;
  readonly go: (step: number) => void;
}

export function Moves({ replay, cursor, go }: MovesProps): VNode | null {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => keepInSight(list.current), [cursor.deal, cursor.step]);
  const deal = replay.deals[cursor.deal];
  if (!deal) return null;
  const { calls, lines, tricks } = partsOf(deal);
  const entry = (done: ReplayStep): VNode => (
    <Entry key={done.step} replay={replay} deal={deal} cursor={cursor} done={done} go={go} />
  );
  const section = (kind: Line["kind"], title: string): VNode | null => {
    const own = lines.filter((line) => line.kind === kind);
    return own.length === 0 ? null : (
      <div class="lines">
        <h2>{title}</h2>
        <ol>
          {own.map((line) => (
            <li key={line.steps[0]?.step}>
              <span class="who">{placeName(replay, line.place)}</span>
              <ol>{line.steps.map(entry)}</ol>
            </li>
          ))}
        </ol>
      </div>
    );
  };
  return (
    <div class="move-list" ref={list}>
      {calls.length > 0 && (
        <div class="calls">
          <h2>Calls</h2>
          <Heads replay={replay} count={replay.seats.length} />
          <ol style={columns(replay.seats.length)}>{calls.map(entry)}</ol>
        </div>
      )}
      {section("exchange", "Exchange")}
      {section("declaration", "Declarations")}
      {tricks.length > 0 && (
        <div class="tricks">
          <h2>Tricks</h2>
          <Heads replay={replay} count={replay.places} />
          <ol>
            {tricks.map((trick) => (
              <li key={trick[0]?.step}>
                <ol style={columns(replay.places)}>{trick.map(entry)}</ol>
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

const columns = (count: number): string => `grid-template-columns: repeat(${count}, minmax(0, 1fr))`;

/** Scrolls the list, never the page, so that the entry due next can be seen. */
function keepInSight(list: HTMLElement | null): void {
  const frame = list?.closest<HTMLElement>(".side");
  const due = list?.querySelector<HTMLElement>(".entry.now");
  if (!frame || !due || frame.scrollHeight <= frame.clientHeight) return;
  const above = due.getBoundingClientRect().top - frame.getBoundingClientRect().top;
  const margin = frame.clientHeight / 4;
  if (above < margin || above > frame.clientHeight - margin) {
    frame.scrollTop += above - frame.clientHeight / 2;
  }
}

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
