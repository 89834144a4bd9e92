// The table: hands round it, the trick in the middle.
import type { VNode } from "preact";
import { Card } from "../cards/Card";
import type { Replay } from "./model";
import type { Place, Position, TrickCard } from "./position";
import { botName, callMark, contractText, placeName } from "./words";

const SIDES: Readonly<Record<number, readonly string[]>> = {
  2: ["bottom", "top"],
  3: ["bottom", "left", "right"],
  4: ["bottom", "left", "top", "right"],
};

interface TableProps {
  readonly replay: Replay;
  readonly position: Position;
}

export function Table({ replay, position }: TableProps): VNode {
  const sides = SIDES[position.ring.length] ?? [];
  const contract = contractText(replay, position);
  const sideOf = (place: number): string =>
    sides[position.ring.findIndex((other) => other.place === place)] ?? "bottom";
  return (
    <div class={`felt places-${position.ring.length}`}>
      {position.ring.map((place) => (
        <Seat key={place.place} replay={replay} place={place} side={sideOf(place.place)} />
      ))}
      <div class="centre">
        <Stock position={position} />
        <div class="trick">
          {position.trick.map((card) => (
            <TrickPlace key={card.code} card={card} side={sideOf(card.place)} />
          ))}
        </div>
        {contract !== null && (
          <p class={`contract suit-${(position.trump ?? "none").toLowerCase()}`}>{contract}</p>
        )}
      </div>
    </div>
  );
}

function TrickPlace({ card, side }: { readonly card: TrickCard; readonly side: string }): VNode {
  return (
    <div class={`lying ${side}${card.won ? " won" : ""}`}>
      <Card code={card.code} />
    </div>
  );
}

function Stock({ position }: { readonly position: Position }): VNode | null {
  if (position.stock === 0 && position.turnUp === null) return null;
  const cards = position.stock === 1 ? "1 card" : `${position.stock} cards`;
  return (
    <div class="stock">
      <div class="pile">
        {position.stock > 1 && <Card code={null} />}
        {position.turnUp !== null && (
          <div class="turn-up">
            <Card code={position.turnUp} />
          </div>
        )}
      </div>
      <p>{cards} in the stock</p>
    </div>
  );
}

interface SeatProps {
  readonly replay: Replay;
  readonly place: Place;
  readonly side: string;
}

function Seat({ replay, place, side }: SeatProps): VNode {
  const name = placeName(replay, place.place);
  const state = place.turn ? " turn" : "";
  return (
    <section class={`seat ${side}${state}`} aria-label={`${name}${place.turn ? ", to decide" : ""}`}>
      <Plate replay={replay} place={place} />
      <ol class="hand" aria-label={`Hand of ${name}, ${place.hand.length} cards`}>
        {place.hand.map((card, index) => (
          <li
            key={card.code ?? `hidden ${index}`}
            class={`slot${card.legal ? "" : " illegal"}${card.chosen ? " chosen" : ""}`}
          >
            <Card code={card.code} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Plate({ replay, place }: { readonly replay: Replay; readonly place: Place }): VNode {
  const seat = replay.seats[place.place];
  const tricks = place.taken === 1 ? "1 trick" : `${place.taken} tricks`;
  return (
    <p class="plate">
      {seat ? (
        <span class="name" title={seat.name}>
          {botName(seat.bot)} <small>v{seat.version}</small>
        </span>
      ) : (
        <span class="name">Dummy</span>
      )}
      {place.dealer && (
        <abbr class="badge" title="dealer">
          D
        </abbr>
      )}
      {place.call === null ? (
        <span class="taken">{tricks}</span>
      ) : (
        <span class="call">{callMark(replay, place.call)}</span>
      )}
    </p>
  );
}
