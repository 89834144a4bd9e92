// The pack of Bologna: four Latin suits, twenty-one trumps and the Fool.
import type { VNode } from "preact";
import type { Card } from "./code";

const SIXTHS = [0, 60, 120, 180, 240, 300] as const;
const TWELFTHS = Array.from({ length: 12 }, (_, k) => 30 * k);

const SIGNS: Readonly<Record<string, VNode>> = {
  D: (
    <g>
      <circle cx="12" cy="12" r="10.5" />
      <circle class="cutout" cx="12" cy="12" r="7.8" />
      {SIXTHS.map((angle) => (
        <path class="cutout" d="M12 12L12 5.5A3.2 3.2 0 0 1 14.6 8z" transform={`rotate(${angle} 12 12)`} />
      ))}
    </g>
  ),
  C: <path d="M4 2h16c0 6.3-2.4 9.9-6.2 11v4.2c0 1.5 1.2 2 3.9 2.4V22H6.3v-2.4c2.7-.4 3.9-.9 3.9-2.4V13C6.4 11.9 4 8.3 4 2z" />,
  S: <path d="M12 .8l1.9 3V14.5h4.8v2.4h-4.8v2.8a2.3 2.3 0 1 1-3.8 0v-2.8H5.3v-2.4h4.8V3.8z" />,
  B: (
    <path d="M10.3 1.3h3.4l.9 3-1 2.3 1.9.8a1.7 1.7 0 1 1-1.3 2.9l.6 2-.6 2-1.4.9.7 2.5-.8 5h-1.6-1.6l-.8-5 .7-2.5a1.7 1.7 0 1 1-.8-2.9l1.2-2.4-1.3-2a1.7 1.7 0 1 1 .3-3.2l1-.4-1-2z" />
  ),
};

export function latinSign(suit: string): VNode | null {
  return SIGNS[suit] ?? null;
}

const PICTURES: Readonly<Record<string, VNode>> = {
  ANG: (
    <g>
      <path d="M60 76c12-26 40-22 46-9-15 0-24 14-46 33-22-19-31-33-46-33 6-13 34-17 46 9z" />
      <circle cx="60" cy="60" r="10" />
    </g>
  ),
  MON: (
    <g class="outline">
      <circle cx="60" cy="80" r="29" />
      <path d="M31 80h58M60 51c-19 19-19 39 0 58M60 51c19 19 19 39 0 58" />
    </g>
  ),
  SOL: (
    <g>
      <circle cx="60" cy="80" r="18" />
      {TWELFTHS.map((angle) => (
        <path d="M56.5 56h7l-3.5-15z" transform={`rotate(${angle} 60 80)`} />
      ))}
    </g>
  ),
  LUN: <path d="M73 50a31 31 0 1 0 4 57 27 27 0 1 1-4-57z" />,
  T16: <path d="M60 44l9 26h27l-22 16 9 26-23-16-23 16 9-26-22-16h27z" />,
  MAT: (
    <g>
      <path d="M60 44c-15 0-28 11-32 28l15-6 4 15h26l4-15 15 6c-4-17-17-28-32-28z" />
      <circle cx="28" cy="75" r="5" />
      <circle cx="92" cy="75" r="5" />
      <circle cx="60" cy="95" r="14" />
    </g>
  ),
};

export function trumpPicture(card: Card): VNode {
  return (
    <g class="ink">
      <rect class="frame" x="8" y="8" width="104" height="152" rx="6" />
      <text class="index tight" x="24" y="38">
        {card.rank}
      </text>
      {PICTURES[card.code] ?? (
        <text class="numeral" x="60" y="103">
          {card.rank}
        </text>
      )}
      <text class="caption" x="60" y="148">
        {card.name}
      </text>
    </g>
  );
}
