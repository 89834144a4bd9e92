// Wakes up the islands of a page. Everything works without this file; see README.md.
import { copyButtons } from "./islands/copy";
import { crosstables } from "./islands/crosstable";
import { filters } from "./islands/filter";
import { live } from "./islands/live";
import { sortableTables } from "./islands/sort";
import { themeSwitch } from "./islands/theme";
import { times } from "./islands/times";

themeSwitch(document);
wake(document);
live(document, wake);
setInterval(() => times(document), 20_000);

const replay = document.querySelector<HTMLElement>("[data-replay]");
if (replay) void import("./replay/mount").then(({ mount }) => mount(replay));
const tables = document.querySelector<HTMLElement>("[data-tables]");
if (tables) void import("./live/mount").then(({ mount }) => mount(tables));

/** Islands inside a part of the page; called again for parts that were fetched anew. */
function wake(part: ParentNode): void {
  sortableTables(part);
  filters(part);
  crosstables(part);
  copyButtons(part);
  times(part);
}
