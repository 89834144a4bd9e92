// King, queen, knight and jack: a half figure, told apart by headgear, hair and what they hold.
import type { VNode } from "preact";

/** Upper half of a court card, drawn in the frame (35, 13) to (85, 84) of a card of 120 by 168. */
export function courtHalf(rank: string): VNode {
  return (
    <g>
      <path class="robe" d="M36 84c0-13 8-21 24-21s24 8 24 21z" />
      <path class="trim" d="M54 63h12l-3 21h-6z" />
      <path class="line" d="M36 84c0-13 8-21 24-21s24 8 24 21M54 63l3 21M66 63l-3 21" />
      {HEADS[rank]}
    </g>
  );
}

const face = <path class="skin" d="M51 43h18v9c0 7-4 11-9 11s-9-4-9-11z" />;
const features = <path class="line" d="M55.5 49.5h.1M64.4 49.5h.1M57.5 56.5q2.5 1.6 5 0" />;

const HEADS: Readonly<Record<string, VNode>> = {
  K: (
    <g>
      <path class="hair" d="M48 41h24v12c0 10-5 17-12 17s-12-7-12-17z" />
      {face}
      <path class="hair" d="M51 54c3-2 6-2 9-.5 3-1.5 6-1.5 9 .5 0 9-4 15-9 15s-9-6-9-15z" />
      <path class="line" d="M55.5 49.5h.1M64.4 49.5h.1" />
      <path class="gold" d="M47 43l-3-21 9 9 7-13 7 13 9-9-3 21z" />
      <path class="line" d="M47 43l-3-21 9 9 7-13 7 13 9-9-3 21zM47.5 38.5h25" />
    </g>
  ),
  Q: (
    <g>
      <path class="hair" d="M45 66c-3-17 0-32 15-32s18 15 15 32c-3 1-6 1-7-1V46H52v19c-1 2-4 2-7 1z" />
      {face}
      {features}
      <path class="gold" d="M47 41c0-6 3-9 5-15l4 7 4-13 4 13 4-7c2 6 5 9 5 15-8-4-18-4-26 0z" />
      <path class="line" d="M47 41c0-6 3-9 5-15l4 7 4-13 4 13 4-7c2 6 5 9 5 15-8-4-18-4-26 0z" />
      <circle class="gold line" cx="60" cy="18.5" r="2.5" />
    </g>
  ),
  J: (
    <g>
      <path class="hair" d="M46 40h28v18c-2 4-5 5-7 3V46H53v15c-2 2-5 1-7-3z" />
      {face}
      {features}
      <path class="robe" d="M44 42c0-12 7-18 17-18 9 0 15 6 15 18-10-4-22-4-32 0z" />
      <path class="line" d="M44 42c0-12 7-18 17-18 9 0 15 6 15 18-10-4-22-4-32 0z" />
      <path class="gold line" d="M70 31c6-2 11-8 12-14-8-1-14 4-16 11z" />
    </g>
  ),
  N: (
    <g>
      {face}
      {features}
      <path class="robe" d="M45 44c0-13 6-22 15-22s15 9 15 22l-5 9-2-9H52l-2 9z" />
      <path class="line" d="M45 44c0-13 6-22 15-22s15 9 15 22l-5 9-2-9H52l-2 9z" />
      <path class="gold line" d="M58 23c-3-5 0-9 6-9-2 3-1 6-2 9z" />
    </g>
  ),
};
