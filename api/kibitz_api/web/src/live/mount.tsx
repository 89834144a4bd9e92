import { render } from "preact";
import type { LiveTable } from "./model";
import { Tables } from "./Tables";

const REST_MS = 20_000;
const OVER_MS = 4_000;
const LOOK_MS = 2_000;

/** The newest state of each table, and when it came. */
export class Kept {
  readonly #tables = new Map<string, { readonly table: LiveTable; readonly at: number }>();

  take(table: LiveTable, now: number): void {
    this.#tables.set(table.match, { table, at: now });
  }

  /** Tables that are played still; what is over or silent for long is dropped. */
  shown(now: number): readonly LiveTable[] {
    for (const [match, { table, at }] of this.#tables) {
      if (now - at > (table.over ? OVER_MS : REST_MS)) this.#tables.delete(match);
    }
    return [...this.#tables.values()].map(({ table }) => table);
  }
}

/** Follows the tables; the stream rests while the page is hidden. */
export function mount(root: HTMLElement): void {
  const source = root.dataset["tables"];
  if (!source) return;
  const kept = new Kept();
  let stream: EventSource | null = null;
  let told = true;
  const draw = (): void => render(<Tables tables={kept.shown(Date.now())} told={told} />, root);
  const follow = (): void => {
    if (stream || document.hidden) return;
    stream = new EventSource(source);
    stream.addEventListener("hello", (event) => {
      told = (JSON.parse(event.data) as { readonly live: boolean }).live;
      draw();
    });
    stream.addEventListener("error", () => {
      told = false;
      draw();
    });
    stream.addEventListener("table", (event) => {
      kept.take(JSON.parse(event.data) as LiveTable, Date.now());
      draw();
    });
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return follow();
    stream?.close();
    stream = null;
  });
  addEventListener("pagehide", () => stream?.close());
  root.replaceChildren();
  draw();
  setInterval(draw, LOOK_MS);
  root.dataset["ready"] = "";
  follow();
}
