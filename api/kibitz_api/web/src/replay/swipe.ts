import type { Move } from "./cursor";

const FAR = 40;

/** Steps on a swipe to the left, back on one to the right; returns what ends it. */
export function swipes(area: HTMLElement, move: (what: Move) => void): () => void {
  let start: { x: number; y: number } | null = null;
  const down = (event: PointerEvent): void => {
    start = event.pointerType === "mouse" ? null : { x: event.clientX, y: event.clientY };
  };
  const up = (event: PointerEvent): void => {
    if (!start) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    start = null;
    if (Math.abs(x) < FAR || Math.abs(x) < 1.5 * Math.abs(y)) return;
    move(x < 0 ? "next" : "previous");
  };
  const cancel = (): void => {
    start = null;
  };
  area.addEventListener("pointerdown", down);
  area.addEventListener("pointerup", up);
  area.addEventListener("pointercancel", cancel);
  return () => {
    area.removeEventListener("pointerdown", down);
    area.removeEventListener("pointerup", up);
    area.removeEventListener("pointercancel", cancel);
  };
}
