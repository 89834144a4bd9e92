// The order in which a hand is held: suits with alternating colours, high cards first.
import { parseCard } from "../cards/code";

const SUITS: Readonly<Record<string, string>> = { french: "SHCD", latin: "SCBD" };
const RANKS = ["A", "K", "Q", "N", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];
const TRUMPS = ["ANG", "MON", "SOL", "LUN", "T16", "T15", "T14", "T13", "T12", "T11", "T10", "T9", "T8"];
const LOW_TRUMPS = ["T7", "T6", "T5", "MO1", "MO2", "MO3", "MO4", "BAG", "MAT"];
const UNSUITED = ["XH", "X2", "XL", "X1", ...TRUMPS, ...LOW_TRUMPS];

function weight(code: string): number {
  const card = parseCard(code);
  if (!card || card.suit === "") return UNSUITED.indexOf(code);
  const suit = (SUITS[card.pack] ?? "").indexOf(card.suit);
  return 100 + 20 * suit + RANKS.indexOf(card.rank);
}

export function sortHand(hand: readonly string[]): readonly string[] {
  return [...hand].sort((a, b) => weight(a) - weight(b));
}
