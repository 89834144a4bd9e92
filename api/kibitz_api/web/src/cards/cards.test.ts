import { expect, it } from "vitest";
import { sortHand } from "../replay/hands";
import { parseCard, shortName } from "./code";
import { PIPS, suitSign } from "./suits";

const FRENCH = [..."CDHS"].flatMap((suit) => [..."AKQJT98765432"].map((rank) => rank + suit));
const LATIN = [..."SBCD"].flatMap((suit) => ["K", "Q", "N", "J", "10", "9", "8", "7", "6", "A"].map((rank) => suit + rank));
const TRUMPS = "ANG MON SOL LUN T16 T15 T14 T13 T12 T11 T10 T9 T8 T7 T6 T5 MO1 MO2 MO3 MO4 BAG MAT".split(" ");

it("knows every card of every pack by a name of its own", () => {
  for (const [pack, size] of [[FRENCH, 52], [[...LATIN, ...TRUMPS], 62], [["XH", "XL", "X1", "X2"], 4]] as const) {
    const names = pack.map((code) => parseCard(code)?.name);
    expect(names).not.toContain(undefined);
    expect(new Set(names).size).toBe(size);
  }
});

it("says cards as people do", () => {
  expect(parseCard("QH")?.name).toBe("queen of hearts");
  expect(parseCard("TD")).toMatchObject({ name: "ten of diamonds", rank: "10", suit: "D" });
  expect(parseCard("SK")?.name).toBe("king of swords");
  expect(parseCard("XH")?.name).toBe("high joker");
  expect(shortName("TS")).toBe("10♠");
});

it.each(["pass", "bid:5", "win:H", "discard:QH", "", "1H", "QX", "C2", "HK"])("takes %j for no card", (code) => {
  expect(parseCard(code)).toBeNull();
});

it("draws as many pips as the card counts", () => {
  for (const [rank, pips] of Object.entries(PIPS)) expect(pips).toHaveLength(Number(rank));
});

it("has a sign for each French suit", () => {
  for (const suit of "CDHS") expect(suitSign(suit)).not.toBeNull();
});

it("holds a hand by suits, high cards first", () => {
  expect(sortHand(["2C", "AD", "TS", "KS", "3H", "JC", "XL", "XH"])).toEqual(["XH", "XL", "KS", "TS", "3H", "JC", "2C", "AD"]);
  expect(sortHand(["D6", "SK", "MAT", "ANG", "S10"])).toEqual(["ANG", "MAT", "SK", "S10", "D6"]);
});
