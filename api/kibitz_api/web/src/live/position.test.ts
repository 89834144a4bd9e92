import { describe, expect, it } from "vitest";
import type { LiveTable } from "./model";
import { Kept } from "./mount";
import { matchOf, positionOf } from "./position";
import { contractText } from "../replay/words";

const table: LiveTable = {
  match: "t-0-0-0",
  set: "t-0-0",
  tournament: "t",
  game: "whiskey",
  title: "Whiskey",
  seats: [
    { name: "careful/1", bot: "careful" },
    { name: "ana/otter/2", bot: "ana/otter" },
    { name: "random/1", bot: "random" },
  ],
  deal: 4,
  dealer: 1,
  totals: [1, 0, -1],
  turn: 2,
  over: false,
  calls: [[2, "bid:8"], [2, "win:H"]],
  tricks: [
    { won: 2, cards: [[0, "2C"], [1, "3C"], [2, "AC"]] },
    { won: null, cards: [[2, "KD"]] },
  ],
  taken: [0, 0, 1, 0],
  held: [12, 12, 11, 13],
  open: [[], [], [], ["QH", "2S"]],
  trump: "H",
  declarer: 2,
  contract: "bid:8",
  stock: 0,
  turned: null,
};

describe("a live table", () => {
  const found = positionOf(table);

  it("shows what everybody sees of each hand and the backs of the rest", () => {
    expect(found.ring.map((place) => place.hand.length)).toEqual([12, 12, 11, 13]);
    expect(found.ring[0]?.hand.every((card) => card.code === null)).toBe(true);
    expect(found.ring[3]?.hand.slice(0, 2).map((card) => card.code)).toEqual(["2S", "QH"]);
    expect(found.ring[3]?.seat).toBeNull();
  });

  it("has the trick under way in the middle", () => {
    expect(found.trick).toEqual([{ place: 2, code: "KD", won: false }]);
    expect([found.trickNumber, found.tricksWon]).toEqual([2, 1]);
  });

  it("says what is played for", () => {
    expect(contractText(matchOf(table), found)).toBe("random to win 8, ♥ trumps");
  });

  it("stays until it is over or silent for long", () => {
    const kept = new Kept();
    kept.take(table, 0);
    kept.take({ ...table, match: "other", over: true }, 0);
    expect(kept.shown(1_000)).toHaveLength(2);
    expect(kept.shown(5_000)).toEqual([table]);
    expect(kept.shown(30_000)).toEqual([]);
  });
});
