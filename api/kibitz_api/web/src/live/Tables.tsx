// Tables that are being played: one large, the others to choose from.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { parseCard, shortName } from "../cards/code";
import type { Replay } from "../replay/model";
import { Table } from "../replay/Table";
import { botName } from "../replay/words";
import type { LiveTable } from "./model";
import { matchOf, positionOf } from "./position";

interface TablesProps {
  readonly tables: readonly LiveTable[];
  /** Whether the server tells of tables at present. */
  readonly told: boolean;
}

export function Tables({ tables, told }: TablesProps): VNode {
  const [chosen, choose] = useState<string | null>(null);
  const shown = tables.find((table) => table.match === chosen) ?? tables[0];
  if (!shown) return <Nothing told={told} />;
  const match = matchOf(shown);
  return (
    <div class="viewer live">
      <div class="stage">
        <p class="bar">
          <b>{shown.title}</b>
          <span>
            deal {shown.deal}
            {shown.over ? ", match over" : ""}
          </span>
          <a href={`/matches/${encodeURIComponent(shown.match)}`}>Match {shown.match}</a>
        </p>
        <Table replay={match} position={positionOf(shown)} />
      </div>
      <aside class="side">
        <h2>Tables</h2>
        <ul class="table-choice">
          {tables.filter((table) => !table.over || table === shown).map((table) => (
            <li key={table.match}>
              <button
                type="button"
                class="button small"
                aria-pressed={table.match === shown.match}
                onClick={() => choose(table.match)}
              >
                <span>
                  {table.title}: {table.seats.map((seat) => botName(seat.bot)).join(" · ")}
                </span>
                <small>
                  {table.match.replace(`${table.tournament}-`, "")}, deal {table.deal}
                </small>
              </button>
            </li>
          ))}
        </ul>
        <Standing table={shown} />
        <Tricks match={match} table={shown} />
      </aside>
    </div>
  );
}

function Nothing({ told }: { readonly told: boolean }): VNode {
  return (
    <p class="empty">
      {told
        ? "No table is being played at this moment. The next one appears here by itself."
        : "The server does not tell of tables at present. This page tries again by itself."}{" "}
      Matches that are over stand with their <a href="/tournaments">tournaments</a>.
    </p>
  );
}

function Standing({ table }: { readonly table: LiveTable }): VNode {
  return (
    <div class="scores">
      <table>
        <thead>
          <tr>
            <th scope="col">Seat</th>
            <th scope="col" class="num">
              before the deal
            </th>
          </tr>
        </thead>
        <tbody>
          {table.seats.map((seat, number) => (
            <tr key={number} class={table.turn === number ? "turn" : ""}>
              <th scope="row">
                <span class="place">{number}</span> {botName(seat.bot)}
              </th>
              <td class="num">{table.totals[number] ?? 0}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Tricks({ match, table }: { readonly match: Replay; readonly table: LiveTable }): VNode | null {
  if (table.tricks.length === 0) return null;
  const columns = `grid-template-columns: repeat(${match.places}, minmax(0, 1fr))`;
  return (
    <div class="move-list tricks">
      <h2>Tricks</h2>
      <ol>
        {table.tricks.map((trick, number) => (
          <li key={number}>
            <ol style={columns}>
              {trick.cards.map(([place, code], index) => (
                <li
                  key={code}
                  class={`entry${index === 0 ? " led" : ""}${place === trick.won ? " won" : ""}`}
                  style={`grid-area: 1 / ${place + 1}`}
                >
                  <a class={suitClass(code)}>{shortName(code)}</a>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </div>
  );
}

function suitClass(code: string): string {
  const card = parseCard(code);
  return card ? `${card.pack} suit-${card.suit.toLowerCase()}` : "";
}
