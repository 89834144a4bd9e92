import { describe, expect, it } from "vitest";
import { remarkOn } from "./knowledge";
import type { ReplayDeal, ReplayStep } from "./model";
import { partsOf } from "./parts";
import { sample, stockDeal } from "./sample";
import { callMark, callText } from "./words";

const KINDS: Readonly<Record<string, string>> = {
  pass: "CALLED",
  exchange: "CHOSE",
  discard: "DISCARDED",
  declare: "DECLARED",
  show: "DECLARED",
  done: "DECLARED",
  award: "CHOSE",
};

/** A deal of these actions, [place, code]; an award or the third card of a trick ends it. */
function dealOf(...actions: readonly (readonly [number, string])[]): ReplayDeal {
  const start = stockDeal.steps[0]!;
  const steps: ReplayStep[] = actions.map(([place, action], index) => ({
    ...start,
    step: index + 1,
    seat: place,
    acted: place,
    action,
    events: [
      { what: KINDS[action.split(":")[0] ?? ""] ?? "PLAYED", place, code: action, detail: 0, to: null },
    ],
  }));
  const tricks = steps.filter((done) => done.action?.startsWith("award")).map((done) => done.step);
  return { ...stockDeal, steps: [start, ...steps], tricks };
}

const codes = (steps: readonly ReplayStep[]): readonly (string | null)[] => steps.map((done) => done.action);

describe("the parts of a deal", () => {
  const deal = dealOf(
    [0, "pass"],
    [1, "exchange:2"],
    [1, "discard:2C"],
    [1, "discard:3C"],
    [2, "exchange:0"],
    [1, "declare:trumps"],
    [1, "done"],
    [0, "AH"],
    [1, "X1"],
    [2, "3H"],
    [1, "award:2"],
    [2, "KC"],
  );
  const parts = partsOf(deal);

  it("leave only calls to the calls", () => {
    expect(codes(parts.calls)).toEqual(["pass"]);
  });

  it("put what a seat lays away or declares into one line", () => {
    expect(parts.lines.map((line) => [line.place, line.kind, codes(line.steps)])).toEqual([
      [1, "exchange", ["exchange:2", "discard:2C", "discard:3C"]],
      [2, "exchange", ["exchange:0"]],
      [1, "declaration", ["declare:trumps", "done"]],
    ]);
  });

  it("keep an award with its trick", () => {
    expect(parts.tricks.map(codes)).toEqual([["AH", "X1", "3H", "award:2"], ["KC"]]);
  });

  it("hold every action once", () => {
    const all = [parts.calls, ...parts.lines.map((line) => line.steps), ...parts.tricks].flat();
    expect(all.map((done) => done.step).sort((a, b) => a - b)).toEqual(
      deal.steps.slice(1).map((done) => done.step),
    );
  });
});

describe("actions in words", () => {
  it("name who gets an awarded trick", () => {
    const name = sample.seats[1]!.bot.split("/").at(-1);
    expect(callText(sample, "award:1")).toBe(`awards the trick to ${name}`);
    expect(callMark(sample, "award:1")).toBe(`→ ${name}`);
  });

  it("are short in lists and whole in sentences", () => {
    expect(callMark(sample, "discard:QH")).toBe("Q♥");
    expect(callText(sample, "discard:?")).toBe("discards a card");
    expect(callMark(sample, "bid:3NT")).toBe("3 NT");
    expect(callMark(sample, "bid:12H")).toBe("12♥");
    expect(callMark(sample, "bid:9")).toBe("9");
    expect(callText(sample, "exchange:1")).toBe("exchanges 1 card");
    expect(callMark(sample, "show:S10")).toBe("10 swords");
    expect(callMark(sample, "show:MO3")).toBe("Moor 3");
  });
});

describe("what a bot said", () => {
  const done: ReplayStep = { ...stockDeal.steps[1]!, seat: 1, comment: "so there", policy: [1] };

  it("is shown with open hands and to its own seat only", () => {
    const cursor = { deal: 0, step: 1, seat: 0, open: false };
    expect(remarkOn(done, cursor)).toBeNull();
    expect(remarkOn(done, { ...cursor, seat: 1 })?.comment).toBe("so there");
    expect(remarkOn(done, { ...cursor, open: true })?.policy).toEqual([1]);
    expect(remarkOn({ ...done, comment: null, policy: null }, { ...cursor, open: true })).toBeNull();
  });
});
