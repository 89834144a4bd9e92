// The same deal at the other tables of the set.
import type { VNode } from "preact";
import type { Cursor } from "./cursor";
import { lastStep, permalink } from "./cursor";
import type { Replay, ReplaySeating } from "./model";
import { botName, signed } from "./words";

interface SeatingsProps {
  readonly replay: Replay;
  readonly cursor: Cursor;
}

export function Seatings({ replay, cursor }: SeatingsProps): VNode | null {
  const deal = replay.deals[cursor.deal];
  const others = replay.seatings.filter((other) => other.same_decks && other.match !== replay.match);
  if (!deal || others.length === 0) return null;
  return (
    <div class="others">
      <h2>This deal in other seatings</h2>
      <ul>
        {others.map((other) => (
          <li key={other.match}>
            <a href={permalink({ ...replay, match: other.match }, { ...cursor, step: 0 })}>
              {other.seats.map(seatName).join(" · ")}
            </a>{" "}
            <small>{cursor.step === lastStep(deal) ? outcome(other) : ""}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** "owner/bot/3" without owner and version. */
function seatName(name: string): string {
  return botName(name.replace(/\/\d+$/, ""));
}

function outcome(seating: ReplaySeating): string {
  if (seating.returns === null) return seating.state;
  return `match ${seating.returns.map(signed).join(" ")}`;
}
