import { describe, expect, it } from "vitest";
import { at, fromAddress, moved, permalink, trickStops, type Cursor } from "./cursor";
import { dummySample, sample, stockDeal } from "./sample";

const start: Cursor = { deal: 0, step: 0, seat: 0, open: true };

describe("stepping", () => {
  it("goes card by card and on into the next deal", () => {
    expect(moved(sample, start, "next").step).toBe(1);
    expect(moved(sample, { ...start, step: 4 }, "next")).toEqual({ ...start, deal: 1, step: 0 });
  });

  it("goes back into the end of the deal before", () => {
    expect(moved(sample, { ...start, deal: 1 }, "previous")).toEqual({ ...start, step: 4 });
  });

  it("stays where it is at either end of the match", () => {
    const end = { ...start, deal: 1, step: 1 };
    expect(moved(sample, start, "previous")).toBe(start);
    expect(moved(sample, start, "previousDeal")).toBe(start);
    expect(moved(sample, end, "next")).toBe(end);
    expect(moved(sample, end, "nextDeal")).toBe(end);
  });

  it("stops at the end of each trick", () => {
    expect(trickStops(stockDeal)).toEqual([0, 2, 4]);
    expect(moved(sample, { ...start, step: 1 }, "nextTrick").step).toBe(2);
    expect(moved(sample, { ...start, step: 3 }, "previousTrick").step).toBe(2);
    expect(moved(sample, { ...start, step: 4 }, "nextTrick")).toEqual({ ...start, deal: 1 });
    expect(moved(sample, { ...start, deal: 1 }, "previousTrick")).toEqual({ ...start, step: 4 });
  });

  it("stops where the calls end and the play begins", () => {
    expect(trickStops(dummySample.deals[0]!)).toEqual([0, 1, 3]);
  });

  it("jumps to both ends of the deal", () => {
    expect(moved(sample, start, "last").step).toBe(4);
    expect(moved(sample, { ...start, step: 3 }, "first").step).toBe(0);
  });

  it("turns the table round and opens hands", () => {
    expect(moved(sample, { ...start, seat: 1 }, "rotate").seat).toBe(0);
    expect(moved(sample, start, "reveal").open).toBe(false);
  });

  it("keeps a step inside its deal", () => {
    expect(at(sample, start, 1, 99).step).toBe(1);
    expect(at(sample, start, 0, -3).step).toBe(0);
    expect(at(sample, start, 9, 0)).toBe(start);
  });
});

describe("permalinks", () => {
  it("come back as the same position", () => {
    for (const cursor of [start, { deal: 1, step: 1, seat: 1, open: false }]) {
      const [path = "", query = ""] = permalink(sample, cursor).split("?");
      expect(fromAddress(sample, path, query)).toEqual(cursor);
    }
  });

  it("name the deal by its own number", () => {
    const link = permalink(dummySample, { deal: 0, step: 2, seat: 2, open: false });
    expect(link).toBe("/matches/t1-2-3-4/deals/4/2?seat=2");
    expect(fromAddress(dummySample, "/matches/t1-2-3-4/deals/4/2", "seat=2").step).toBe(2);
  });

  it("without a seat show all hands from seat 0", () => {
    expect(fromAddress(sample, "/matches/t1-2-3-4", "")).toEqual(start);
  });

  it("that are wrong lead to something that exists", () => {
    expect(fromAddress(sample, "/matches/x/deals/7/2", "seat=9")).toEqual({ ...start, open: false });
    expect(fromAddress(sample, "/matches/x/deals/0/999", "seat=-1&open=1").step).toBe(4);
  });
});
