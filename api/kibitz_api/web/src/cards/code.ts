// Card codes as texts: "QH" is rank then suit (French pack), "SK" suit then rank (Bologna pack).

export type Pack = "french" | "joker" | "latin" | "trump";

export interface Card {
  readonly code: string;
  readonly pack: Pack;
  /** Suit letter; "" where the card has none. */
  readonly suit: string;
  /** What stands in the corner of the card. */
  readonly rank: string;
  /** How a person says it: "queen of hearts". */
  readonly name: string;
}

const FRENCH_SUITS: Readonly<Record<string, string>> = {
  C: "clubs",
  D: "diamonds",
  H: "hearts",
  S: "spades",
};
export const LATIN_SUITS: Readonly<Record<string, string>> = {
  S: "swords",
  B: "batons",
  C: "cups",
  D: "coins",
};
const RANKS: Readonly<Record<string, string>> = {
  A: "ace",
  K: "king",
  Q: "queen",
  N: "knight",
  J: "jack",
  T: "ten",
  "10": "ten",
  "9": "nine",
  "8": "eight",
  "7": "seven",
  "6": "six",
  "5": "five",
  "4": "four",
  "3": "three",
  "2": "two",
};
const JOKERS: Readonly<Record<string, string>> = {
  XH: "high joker",
  XL: "low joker",
  X1: "first joker",
  X2: "second joker",
};
const TRUMPS: Readonly<Record<string, readonly [string, string]>> = {
  ANG: ["20", "Angel"],
  MON: ["19", "World"],
  SOL: ["18", "Sun"],
  LUN: ["17", "Moon"],
  T16: ["16", "Star"],
  T15: ["15", "Tower"],
  T14: ["14", "Devil"],
  T13: ["13", "Death"],
  T12: ["12", "Traitor"],
  T11: ["11", "Old Man"],
  T10: ["10", "Wheel"],
  T9: ["9", "Strength"],
  T8: ["8", "Justice"],
  T7: ["7", "Temperance"],
  T6: ["6", "Chariot"],
  T5: ["5", "Love"],
  MO1: ["M", "first Moor"],
  MO2: ["M", "second Moor"],
  MO3: ["M", "third Moor"],
  MO4: ["M", "fourth Moor"],
  BAG: ["B", "Magician"],
  MAT: ["F", "Fool"],
};
export const SUIT_SIGNS: Readonly<Record<string, string>> = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** The card of that code, or null where the text is no card. */
export function parseCard(code: string): Card | null {
  const joker = JOKERS[code];
  if (joker) return { code, pack: "joker", suit: "", rank: code.slice(1), name: joker };
  const trump = TRUMPS[code];
  if (trump) return { code, pack: "trump", suit: "", rank: trump[0], name: trump[1] };
  const french = /^([AKQJT2-9])([CDHS])$/.exec(code);
  if (french) return suited("french", code, french[1] ?? "", french[2] ?? "", FRENCH_SUITS);
  const latin = /^([SBCD])(10|[KQNJA6-9])$/.exec(code);
  if (latin) return suited("latin", code, latin[2] ?? "", latin[1] ?? "", LATIN_SUITS);
  return null;
}

function suited(
  pack: Pack,
  code: string,
  rank: string,
  suit: string,
  suits: Readonly<Record<string, string>>,
): Card {
  const name = `${RANKS[rank] ?? rank} of ${suits[suit] ?? suit}`;
  return { code, pack, suit, rank: rank === "T" ? "10" : rank, name };
}

/** "Q♥" for a card of the French pack, "Q cups" for one with Latin suits, a trump's name. */
export function shortName(code: string): string {
  const card = parseCard(code);
  if (card?.pack === "french") return card.rank + (SUIT_SIGNS[card.suit] ?? "");
  if (card?.pack === "trump") return card.name.replace(/^(first|second|third|fourth) Moor$/, `Moor ${code.at(-1)}`);
  if (card?.pack === "latin") return `${card.rank} ${LATIN_SUITS[card.suit] ?? card.suit}`;
  return code;
}
