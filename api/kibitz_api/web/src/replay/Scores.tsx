// Scores so far, and the result once the deal (or the match) is over: nothing is given away early.
import type { VNode } from "preact";
import type { Cursor } from "./cursor";
import type { Replay } from "./model";
import type { Position } from "./position";
import { botName, reasonText, placeName, signed } from "./words";

interface ScoresProps {
  readonly replay: Replay;
  readonly position: Position;
  readonly cursor: Cursor;
}

export function Scores({ replay, position, cursor }: ScoresProps): VNode {
  const { deal, over, before } = position;
  const end = over && cursor.deal === replay.deals.length - 1 && replay.returns !== null;
  return (
    <div class="scores">
      <table>
        <thead>
          <tr>
            <th scope="col">Seat</th>
            <th scope="col" class="num">before</th>
            <th scope="col" class="num">deal</th>
            <th scope="col" class="num">total</th>
          </tr>
        </thead>
        <tbody>
          {replay.seats.map((seat) => {
            const score = deal.scores[seat.seat] ?? 0;
            const total = before[seat.seat] ?? 0;
            return (
              <tr key={seat.seat} class={position.turn === seat.seat ? "turn" : ""}>
                <th scope="row">
                  <span class="place">{seat.seat}</span> {botName(seat.bot)}
                </th>
                <td class="num">{plain(total)}</td>
                <td class={`num ${tone(score, over)}`}>{over ? signed(score) : "·"}</td>
                <td class="num">{over ? plain(total + score) : "·"}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {over && deal.forfeit && (
        <p class="notice bad">
          {placeName(replay, deal.forfeit.seat)} forfeited this deal: {reasonText(deal.forfeit.reason)}.
        </p>
      )}
      {end && (
        <p class="notice">
          End of the match. Returns: {(replay.returns ?? []).map(signed).join(", ")}.
        </p>
      )}
    </div>
  );
}

function plain(score: number): string {
  const text = Number.isInteger(score) ? String(Math.abs(score)) : Math.abs(score).toFixed(1);
  return score < 0 ? `−${text}` : text;
}

function tone(score: number, over: boolean): string {
  if (!over || score === 0) return "";
  return score > 0 ? "pos" : "neg";
}
