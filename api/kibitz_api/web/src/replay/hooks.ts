// What ties the viewer to the browser: the address, the keyboard, the clock.
import { useEffect } from "preact/hooks";
import { fromAddress, moved, permalink, type Cursor, type Move } from "./cursor";
import { command, type Command } from "./keys";
import type { Replay } from "./model";

const STEP_MS = 900;

/** Keeps the address equal to the position, and follows it when the reader goes back or on. */
export function useAddress(replay: Replay, cursor: Cursor, set: (cursor: Cursor) => void): void {
  useEffect(() => {
    const address = permalink(replay, cursor);
    if (location.pathname + location.search === address) return undefined;
    // Browsers refuse more than about a hundred changes in half a minute: wait for a rest.
    const timer = setTimeout(() => history.replaceState(null, "", address), 120);
    return () => clearTimeout(timer);
  }, [replay, cursor]);
  useEffect(() => {
    const follow = (): void => set(fromAddress(replay, location.pathname, location.search));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, [replay, set]);
}

/** Hands the keys of the page to the viewer, except those that an element in focus needs. */
export function useKeys(obey: (what: Command) => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || takesKeys(event)) return;
      const what = command(event);
      if (what === null) return;
      if (what !== "close") event.preventDefault();
      obey(what);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [obey]);
}

/** The element in focus wants this key for itself: text, menus, a button and the space bar. */
function takesKeys(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "range";
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  if (target.isContentEditable) return true;
  const pressable = target.closest("button, a, summary") !== null;
  return pressable && event.key === " " && target.matches(":focus-visible");
}

/** Steps by itself while playing; a finished trick lies a little longer. */
export function useAutoplay(
  replay: Replay,
  cursor: Cursor,
  playing: boolean,
  speed: number,
  move: (what: Move) => void,
  setPlaying: (on: boolean) => void,
): void {
  useEffect(() => {
    if (!playing) return undefined;
    if (moved(replay, cursor, "next") === cursor) {
      setPlaying(false);
      return undefined;
    }
    const deal = replay.deals[cursor.deal];
    const rest = deal?.tricks.includes(cursor.step) ? 1.6 : 1;
    const timer = setTimeout(() => move("next"), (STEP_MS * rest) / speed);
    return () => clearTimeout(timer);
  }, [replay, cursor, playing, speed, move, setPlaying]);
}
