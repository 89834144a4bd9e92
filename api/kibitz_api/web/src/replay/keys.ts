// Which key does what in the viewer.
import type { Move } from "./cursor";

export type Command = Move | "play" | "copy" | "help" | "close" | "suits";

export interface Stroke {
  readonly key: string;
  readonly shiftKey?: boolean;
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
  readonly altKey?: boolean;
}

const PLAIN: Readonly<Record<string, Command>> = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  ArrowUp: "previousDeal",
  ArrowDown: "nextDeal",
  "[": "previousTrick",
  "]": "nextTrick",
  Home: "first",
  End: "last",
  " ": "play",
  f: "rotate",
  h: "reveal",
  c: "copy",
  "4": "suits",
  "?": "help",
  Escape: "close",
};
const SHIFTED: Readonly<Record<string, Command>> = {
  ArrowLeft: "previousTrick",
  ArrowRight: "nextTrick",
};

/** The command of a key stroke; null where the key belongs to the browser. */
export function command(stroke: Stroke): Command | null {
  if (stroke.ctrlKey || stroke.metaKey || stroke.altKey) return null;
  if (stroke.shiftKey && SHIFTED[stroke.key]) return SHIFTED[stroke.key] ?? null;
  const key = stroke.key.length === 1 ? stroke.key.toLowerCase() : stroke.key;
  return PLAIN[key] ?? null;
}

/** Rows of the help overlay. */
export const HELP: readonly (readonly [readonly string[], string])[] = [
  [["←", "→"], "one card or call back, on"],
  [["[", "]"], "one trick back, on (also Shift with ← →)"],
  [["↑", "↓"], "previous, next deal"],
  [["Home", "End"], "start, end of the deal"],
  [["Space"], "play by itself, pause"],
  [["f"], "turn the table: look from the next seat"],
  [["h"], "all hands, or only what this seat knew"],
  [["4"], "two or four colours of suits"],
  [["c"], "copy the link to this position"],
  [["?"], "show or hide this list"],
];
