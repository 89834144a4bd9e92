// A card as one SVG of 120 by 168. Colours come from replay.css, so that themes and the
// four-colour pack change nothing here.
import type { ComponentChildren, VNode } from "preact";
import { latinSign, trumpPicture } from "./bologna";
import { parseCard, type Card as CardFacts } from "./code";
import { courtHalf } from "./courts";
import { Pip, PIPS, suitSign } from "./suits";

interface CardProps {
  /** Null: a card that lies face down. */
  readonly code: string | null;
}

export function Card({ code }: CardProps): VNode {
  if (code === null) return <CardBack />;
  const card = parseCard(code);
  if (!card) return <Sheet label={code} kind="plain">{null}</Sheet>;
  const suit = card.suit ? ` suit-${card.suit}` : "";
  return (
    <Sheet label={card.name} kind={`${card.pack}${suit}`}>
      <Faces card={card} />
    </Sheet>
  );
}

interface SheetProps {
  readonly label: string;
  readonly kind: string;
  readonly children: ComponentChildren;
}

function Sheet({ label, kind, children }: SheetProps): VNode {
  return (
    <svg class={`card ${kind}`} viewBox="0 0 120 168" role="img" aria-label={label}>
      <rect class="sheet" x="1" y="1" width="118" height="166" rx="9" />
      {children}
    </svg>
  );
}

function CardBack(): VNode {
  return (
    <svg class="card back" viewBox="0 0 120 168" role="img" aria-label="card face down">
      <rect class="sheet" x="1" y="1" width="118" height="166" rx="9" />
      <rect class="field" x="8" y="8" width="104" height="152" rx="5" />
      <path class="lattice" d={LATTICE} />
      <path class="field" d="M60 56l22 28-22 28-22-28z" />
      <path class="mark" d="M53 70v28M53 86l15-16M57 82l12 16" />
    </svg>
  );
}

const LATTICE = Array.from({ length: 11 }, (_, row) =>
  Array.from({ length: row % 2 === 0 ? 7 : 6 }, (_, column) => {
    const x = 18 + 14 * column + (row % 2 === 0 ? 0 : 7);
    return `M${x} ${8.5 + 13.6 * (row + 0.25)}l4.5 6-4.5 6-4.5-6z`;
  }).join(""),
).join("");

function Faces({ card }: { readonly card: CardFacts }): VNode {
  if (card.pack === "joker") return <Joker card={card} />;
  if (card.pack === "trump") return trumpPicture(card);
  const sign = card.pack === "latin" ? latinSign(card.suit) : suitSign(card.suit);
  return (
    <g class="ink">
      <Middle card={card} sign={sign} />
      <Twice>
        <Corner rank={card.rank} />
        <Pip x={18} y={57} size={24}>
          {sign}
        </Pip>
      </Twice>
    </g>
  );
}

function Middle({ card, sign }: { readonly card: CardFacts; readonly sign: VNode | null }): VNode {
  const pips = PIPS[card.rank];
  if (pips) {
    return (
      <g>
        {pips.map(([x, y]) => (
          <Pip x={x} y={y} size={22} turned={y > 84}>
            {sign}
          </Pip>
        ))}
      </g>
    );
  }
  if (card.rank === "A") {
    return (
      <Pip x={60} y={84} size={58}>
        {sign}
      </Pip>
    );
  }
  return (
    <g>
      <rect class="frame" x="34" y="12" width="52" height="144" rx="4" />
      <Twice>
        {courtHalf(card.rank)}
        <Pip x={41} y={20} size={9}>
          {sign}
        </Pip>
      </Twice>
      <path class="line" d="M36 84h48" />
    </g>
  );
}

/** Draws the upper half and, turned round, the lower one. */
function Twice({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <g>
      {children}
      <g transform="rotate(180 60 84)">{children}</g>
    </g>
  );
}

function Corner({ rank }: { readonly rank: string }): VNode {
  return (
    <text class={rank.length > 1 ? "index tight" : "index"} x="18" y="38">
      {rank}
    </text>
  );
}

function Joker({ card }: { readonly card: CardFacts }): VNode {
  return (
    <g class="ink">
      <path
        class="hat"
        d="M60 44c-12-16-34-14-38 6 10-2 14 6 15 22 7-6 15-9 23-9s16 3 23 9c1-16 5-24 15-22-4-20-26-22-38-6z"
      />
      <circle cx="22" cy="52" r="5" />
      <circle cx="98" cy="52" r="5" />
      <circle class="skin" cx="60" cy="84" r="17" />
      <path class="line" d="M54 81h.1M66 81h.1M52 89q8 6 16 0" />
      <text class="index tight" x="60" y="140">
        {card.rank === "H" ? "High" : card.rank === "L" ? "Low" : `Joker ${card.rank}`}
      </text>
    </g>
  );
}
