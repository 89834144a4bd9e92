import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renewSections, throttled } from "./live";
import { sortedOrder, toNumber } from "./sort";
import { ago, date } from "./times";

it("reads numbers as tables write them", () => {
  expect(["+2.08", "−4", "61 %", "1,204", "1500"].map(toNumber)).toEqual([2.08, -4, 61, 1204, 1500]);
  expect(["–", "", "fixed", "1440–1560"].map(toNumber)).toEqual([NaN, NaN, NaN, NaN]);
});

it("sorts numbers both ways and leaves blanks at the end", () => {
  const keys = ["3", "–", "12", "−1"];
  expect(sortedOrder(keys, "number", true)).toEqual([3, 0, 2, 1]);
  expect(sortedOrder(keys, "number", false)).toEqual([2, 0, 3, 1]);
});

it("sorts names as people do and keeps the order of equals", () => {
  expect(sortedOrder(["bot 10", "Bot 9", "älter", "bot 10"], "text", true)).toEqual([2, 1, 0, 3]);
});

it("writes dates to come in the reader's zone", () => {
  const moment = new Date("2027-01-08T17:00:00Z");
  expect(date(moment, "Europe/Rome")).toContain("18:00");
  expect(date(moment, "Asia/Tokyo")).toMatch(/^Sat.*Jan 9.*02:00/);
});

it("says how long ago", () => {
  const now = new Date("2026-03-10T12:00:00Z");
  expect(ago(new Date("2026-03-10T11:57:00Z"), now)).toBe("3 minutes ago");
  expect(ago(new Date("2026-03-09T11:00:00Z"), now)).toBe("yesterday");
  expect(ago(new Date("2026-03-10T12:00:00Z"), now)).toBe("now");
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("fetches at most once in two seconds however many events come, and never forgets the last", async () => {
  const work = vi.fn(async () => undefined);
  const wish = throttled(work, 2000);
  for (let n = 0; n < 50; n += 1) wish();
  await vi.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 50; n += 1) wish();
  await vi.advanceTimersByTimeAsync(1999);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
});

it("goes on after a failure", async () => {
  const work = vi.fn(async () => Promise.reject(new Error("the server is away")));
  const wish = throttled(work, 2000);
  wish();
  await vi.advanceTimersByTimeAsync(0);
  wish();
  await vi.advanceTimersByTimeAsync(2000);
  expect(work).toHaveBeenCalledTimes(2);
});

it("asks again for a section whose rest was not over when the last event came", () => {
  const section = (id: string, refresh: string) => ({
    id,
    dataset: { liveRefresh: refresh } as Record<string, string>,
    childNodes: [],
    contains: () => false,
    replaceChildren: vi.fn(),
  });
  const [head, table] = [section("state", "2"), section("standings", "20")];
  const page = { activeElement: null, querySelectorAll: () => [head, table] } as unknown as Document;
  const fresh = { getElementById: () => ({ childNodes: [] }) } as unknown as Document;
  expect(renewSections(page, fresh, () => undefined)).toBeNull();
  vi.advanceTimersByTime(5_000);
  expect(renewSections(page, fresh, () => undefined)).toBe(15_000);
  expect(head.replaceChildren).toHaveBeenCalledTimes(2);
  expect(table.replaceChildren).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(15_000);
  expect(renewSections(page, fresh, () => undefined)).toBeNull();
  expect(table.replaceChildren).toHaveBeenCalledTimes(2);
});
