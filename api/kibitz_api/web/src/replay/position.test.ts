import { describe, expect, it } from "vitest";
import type { Cursor } from "./cursor";
import { seenAction } from "./knowledge";
import { position, type Position } from "./position";
import { dummySample, sample, stockDeal } from "./sample";
import { story } from "./words";

const open: Cursor = { deal: 0, step: 0, seat: 0, open: true };
const shut: Cursor = { ...open, open: false };

function at(cursor: Cursor, replay = sample): Position {
  const found = position(replay, cursor);
  if (!found) throw new Error("no such position");
  return found;
}

const hand = (where: Position, place: number): (string | null)[] =>
  (where.ring.find((other) => other.place === place)?.hand ?? []).map((card) => card.code);

describe("what a seat knew", () => {
  it("is its own hand and nothing of the other's", () => {
    expect(hand(at(shut), 0)).toEqual(["AH", "2C"]);
    expect(hand(at(shut), 1)).toEqual([null, null]);
  });

  it("includes a card that was taken face up, not one drawn unseen", () => {
    expect(hand(at({ ...shut, step: 2 }), 1)).toEqual(["9H", null]);
    expect(hand(at({ ...shut, step: 2, seat: 1 }), 0)).toEqual([null, null]);
  });

  it("is everything when the hands are open", () => {
    expect(hand(at({ ...open, step: 2 }), 1)).toEqual(["9H", "3D"]);
  });

  it("hides a discard of another seat", () => {
    const secret = {
      ...stockDeal,
      steps: [
        stockDeal.steps[0]!,
        {
          ...stockDeal.steps[1]!,
          action: "discard:KC",
          events: [{ what: "DISCARDED", place: 1, code: "discard:KC", detail: 60, to: 1 }],
        },
      ],
    };
    expect(seenAction(secret, 1, 0, false)).toBe("discard:?");
    expect(seenAction(secret, 1, 1, false)).toBe("discard:KC");
    expect(seenAction(secret, 1, 0, true)).toBe("discard:KC");
  });
});

describe("the table", () => {
  it("has the viewer's seat first, then in order of play", () => {
    expect(at({ ...open, seat: 1 }).ring.map((place) => place.place)).toEqual([1, 0]);
  });

  it("puts the dummy opposite its player once the play begins", () => {
    const from2 = { ...open, seat: 2 };
    const ring = (step: number): number[] =>
      at({ ...from2, step }, dummySample).ring.map((place) => place.place);
    expect(ring(0)).toEqual([2, 0, 3, 1]);
    expect(ring(2)).toEqual([2, 0, 1, 3]);
  });

  it("marks what is legal and what is played next", () => {
    const cards = at({ ...open, step: 1 }).ring[0]!.hand;
    expect(cards).toEqual([
      { code: "AH", legal: false, chosen: false },
      { code: "2C", legal: true, chosen: true },
    ]);
  });

  it("calls no card illegal while a call is due", () => {
    expect(at(open, dummySample).ring[0]!.hand[0]!.legal).toBe(true);
  });

  it("leaves a finished trick lying until the next lead", () => {
    expect(at({ ...open, step: 2 }).trick).toEqual([
      { place: 1, code: "KC", won: true },
      { place: 0, code: "2C", won: false },
    ]);
    expect(at({ ...open, step: 3 }).trick).toEqual([{ place: 1, code: "3D", won: false }]);
  });

  it("counts the stock and shows its open card until it is taken", () => {
    expect(at(open)).toMatchObject({ stock: 2, turnUp: "9H", trickNumber: 1 });
    expect(at({ ...open, step: 2 })).toMatchObject({ stock: 0, turnUp: null, trickNumber: 1 });
    expect(at({ ...open, step: 3 })).toMatchObject({ trickNumber: 2 });
  });

  it("adds up the deals before", () => {
    expect(at({ ...open, deal: 1 }).before).toEqual([-1, 1]);
  });

  it("is nothing where there is no such deal", () => {
    expect(position(sample, { ...open, deal: 5 })).toBeNull();
  });
});

describe("the story", () => {
  it("tells of the card and the trick", () => {
    expect(story(sample, at({ ...open, step: 2 }))).toBe(
      "careful plays the two of clubs. Trick 1 to otter. otter to decide.",
    );
  });

  it("tells of a forfeit at the end of the deal", () => {
    expect(story(sample, at({ ...open, deal: 1, step: 1 }))).toContain("otter forfeits the deal: time out");
  });

  it("names a dummy and tells seats of one bot apart", () => {
    expect(story(dummySample, at({ ...open, step: 3 }, dummySample))).toContain("Dummy plays the five of clubs");
    expect(story(dummySample, at({ ...open, step: 2 }, dummySample))).toContain("otter (seat 1) plays");
  });
});

describe("cards laid open at the end", () => {
  it("are told by where they lay", () => {
    const last = stockDeal.steps.at(-1)!;
    const event = (place: number, code: string) => ({ what: "REVEALED", place, code, detail: 0, to: null });
    const revealed = { ...last, events: [...last.events, event(15, "5S"), event(1, "9H"), event(1, "2D")] };
    const steps = [...stockDeal.steps.slice(0, -1), revealed];
    const replay = { ...sample, deals: [{ ...stockDeal, steps }] };
    const told = story(replay, at({ ...open, step: last.step }, replay));
    expect(told).toContain("The stock held: 5♠.");
    expect(told).toContain("had laid away: 9♥, 2♦.");
  });
});
