// The signs of the suits and where they stand on a card. A sign fills a box of 24 by 24.
import type { ComponentChildren, VNode } from "preact";

const SPADE =
  "M12 1.5C9.6 6.4 3 9.6 3 14.9a4.7 4.7 0 0 0 8 3.4c-.1 2-.9 3.3-2.6 4.2h7.2c-1.7-.9-2.5-2.2-2.6-4.2a4.7 4.7 0 0 0 8-3.4C21 9.6 14.4 6.4 12 1.5z";
const HEART =
  "M12 22C8.2 17.4 2.2 13.7 2.2 8.3A5.2 5.2 0 0 1 12 6a5.2 5.2 0 0 1 9.8 2.3c0 5.4-6 9.1-9.8 13.7z";
const DIAMOND = "M12 1.3C14 5 17 8.8 20 12c-3 3.2-6 7-8 10.7C10 19 7 15.2 4 12c3-3.2 6-7 8-10.7z";
const CLUB =
  "M12 1.8a4.7 4.7 0 0 0-3.7 7.6 4.8 4.8 0 1 0 2.8 8.3c-.1 2.2-1 3.7-2.7 4.8h7.2c-1.7-1.1-2.6-2.6-2.7-4.8a4.8 4.8 0 1 0 2.8-8.3A4.7 4.7 0 0 0 12 1.8z";

const PATHS: Readonly<Record<string, string>> = { S: SPADE, H: HEART, D: DIAMOND, C: CLUB };

export function suitSign(suit: string): VNode | null {
  const path = PATHS[suit];
  return path ? <path d={path} /> : null;
}

interface PipProps {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly turned?: boolean;
  readonly children: ComponentChildren;
}

/** A sign with its middle at (x, y). */
export function Pip({ x, y, size, turned = false, children }: PipProps): VNode {
  const turn = turned ? " rotate(180)" : "";
  const place = `translate(${x} ${y})${turn} scale(${size / 24}) translate(-12 -12)`;
  return <g transform={place}>{children}</g>;
}

const L = 45;
const M = 60;
const R = 75;
const FOUR = [[L, 40], [R, 40], [L, 128], [R, 128]] as const;
const SIX = [...FOUR, [L, 84], [R, 84]] as const;
const EIGHT = [[L, 36], [R, 36], [L, 68], [R, 68], [L, 100], [R, 100], [L, 132], [R, 132]] as const;

/** Middles of the pips of the number cards on a card of 120 by 168. */
export const PIPS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "2": [[M, 40], [M, 128]],
  "3": [[M, 40], [M, 84], [M, 128]],
  "4": FOUR,
  "5": [...FOUR, [M, 84]],
  "6": SIX,
  "7": [...SIX, [M, 62]],
  "8": [...SIX, [M, 62], [M, 106]],
  "9": [...EIGHT, [M, 84]],
  "10": [...EIGHT, [M, 52], [M, 116]],
};
