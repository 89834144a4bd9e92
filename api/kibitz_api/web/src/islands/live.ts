// One event stream a page. Events only say that something changed; what is shown comes from the page
// itself, fetched again, so that a live page and a reloaded one can never differ.

const SHORTEST_MS = 2_000;
const REST_MS = 120_000;
const FOCUSED_MS = 15_000;

type Wake = (part: ParentNode) => void;

/** Follows `<body data-live>`; paused while the page is hidden, caught up when it is seen again. */
export function live(page: Document, wake: Wake): void {
  const source = page.body.dataset["live"];
  if (!source) return;
  let stream: EventSource | null = null;
  let later: ReturnType<typeof setTimeout> | undefined;
  const refresh = throttled(async () => {
    const wait = await renew(page, wake);
    clearTimeout(later);
    if (wait !== null && stream) later = setTimeout(refresh, wait);
  }, SHORTEST_MS);
  const follow = (): void => {
    if (stream || page.hidden) return;
    stream = new EventSource(source);
    stream.addEventListener("progress", refresh);
  };
  const rest = (): void => {
    clearTimeout(later);
    stream?.close();
    stream = null;
  };
  page.addEventListener("visibilitychange", () => {
    if (page.hidden) return rest();
    follow();
    refresh();
  });
  addEventListener("pagehide", rest);
  addEventListener("pageshow", (event) => {
    if (event.persisted) follow();
  });
  follow();
}

/** At most one call in so many milliseconds; the last wish is always granted. */
export function throttled(work: () => Promise<void>, least: number): () => void {
  let waiting = false;
  let free = 0;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(
      () => {
        const begun = Date.now();
        void work()
          .catch(() => undefined)
          .finally(() => {
            // A slow server is asked less often.
            free = Date.now() + Math.min(REST_MS, Math.max(least, 5 * (Date.now() - begun)));
            waiting = false;
          });
      },
      Math.max(0, free - Date.now()),
    );
  };
}

/** Brings the page up to date; returns in how many milliseconds what was left out wants to be, or null. */
async function renew(page: Document, wake: Wake): Promise<number | null> {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return null;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  renewMarks(page, fresh);
  return renewSections(page, fresh, wake);
}

const MARKS = ["data-live-progress", "data-live-done", "data-live-total", "data-live-share"];

function renewMarks(page: Document, fresh: Document): void {
  for (const mark of MARKS) {
    for (const old of page.querySelectorAll<HTMLElement>(`[${mark}]`)) {
      const id = CSS.escape(old.getAttribute(mark) ?? "");
      const now = fresh.querySelector<HTMLElement>(`[${mark}="${id}"]`);
      if (!now) continue;
      if (old instanceof HTMLProgressElement && now instanceof HTMLProgressElement) {
        old.max = now.max;
        old.value = now.value;
      }
      if (old.textContent !== now.textContent) old.textContent = now.textContent;
    }
  }
}

/** The last event of a tournament may come while a section rests, so a section left out is asked for later. */
export function renewSections(page: Document, fresh: Document, wake: Wake): number | null {
  let soonest: number | null = null;
  for (const old of page.querySelectorAll<HTMLElement>("[data-live-refresh][id]")) {
    const now = fresh.getElementById(old.id);
    if (!now) continue;
    const wait = old.contains(page.activeElement) ? FOCUSED_MS : resting(old);
    if (wait > 0) {
      soonest = Math.min(soonest ?? wait, wait);
      continue;
    }
    old.dataset["liveSince"] = String(Date.now());
    old.replaceChildren(...now.childNodes);
    wake(old);
  }
  return soonest;
}

/** For how many milliseconds more a section stays as it is. */
export function resting(section: HTMLElement): number {
  const least = 1000 * Number(section.dataset["liveRefresh"] ?? 0);
  return Number(section.dataset["liveSince"] ?? 0) + least - Date.now();
}
