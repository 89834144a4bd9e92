// Sentences and labels of the viewer.
import { LATIN_SUITS, parseCard, shortName, SUIT_SIGNS } from "../cards/code";
import type { Replay, ReplayEvent } from "./model";
import type { Call, Position } from "./position";

const SUITS: Readonly<Record<string, string>> = {
  C: "clubs",
  D: "diamonds",
  H: "hearts",
  S: "spades",
  NT: "no trumps",
};

/** The place of the stock in events. */
const STOCK = 15;

/** Name of a place for people: the bot, or "Dummy". */
export function placeName(replay: Replay, place: number): string {
  const seat = replay.seats[place];
  if (!seat) return "Dummy";
  const name = botName(seat.bot);
  const twins = replay.seats.filter((other) => botName(other.bot) === name).length;
  return twins > 1 ? `${name} (seat ${place})` : name;
}

/** The bot's name without its owner. */
export function botName(bot: string): string {
  return bot.split("/").at(-1) ?? bot;
}

/** The match is played with a pack of Latin suits. */
function latin(replay: Replay): boolean {
  return replay.deals[0]?.deck.some((code) => parseCard(code)?.pack === "latin") ?? false;
}

/** A call as it stands in a sentence: "bid 5", "to win, hearts", "awards the trick to careful". */
export function callText(replay: Replay, action: string): string {
  const [verb = "", ...rest] = action.split(":");
  const what = rest.join(":");
  if (what === "") return action;
  if (verb === "award") return `awards the trick to ${placeName(replay, Number(what))}`;
  if (verb === "exchange") return `exchanges ${what === "1" ? "1 card" : `${what} cards`}`;
  if (verb === "discard") return what === "?" ? "discards a card" : `discards ${shortName(what)}`;
  if (verb === "declare") return `declares ${melds(replay, what)}`;
  if (verb === "show") return `shows ${shortName(what)}`;
  if (verb === "bid") return what in SUITS ? `bid ${SUITS[what]}` : `bid ${what}`;
  if (verb === "win" || verb === "lose") return `to ${verb}, ${SUITS[what] ?? what}`;
  if (verb === "trump") return `trumps: ${SUITS[what] ?? what}`;
  return `${verb} ${shortName(what)}`;
}

/** What is declared: "trumps", or the sequence of a suit. */
function melds(replay: Replay, what: string): string {
  return latin(replay) ? (LATIN_SUITS[what] ?? what) : what;
}

/** An action in a list, short: "5", "pass", "Q♥" for a card laid away, "→ careful" for an award. */
export function callMark(replay: Replay, action: string): string {
  const [verb = "", what] = action.split(":");
  if (what === undefined) return verb;
  if (verb === "bid") return bidMark(what);
  if (verb === "award") return `→ ${placeName(replay, Number(what))}`;
  if (verb === "exchange") return what === "1" ? "1 card" : `${what} cards`;
  if (verb === "discard" || verb === "show") return shortName(what);
  if (verb === "declare") return `${melds(replay, what)}:`;
  const sign = SUIT_SIGNS[what] ?? what;
  return verb === "trump" ? sign : `${verb} ${sign}`;
}

/** "3♥", "3 NT", "5". */
function bidMark(what: string): string {
  const [, number = what, suit = ""] = /^([0-9]+)(NT|[CDHS])$/.exec(what) ?? [];
  return suit === "NT" ? `${number} NT` : number + (SUIT_SIGNS[suit] ?? "");
}

/** What is played for, for the mark on the table; null while nothing is settled. */
export function contractText(replay: Replay, position: Position): string | null {
  const announced = position.calls.findLast((call) => /^(win|lose):/.test(call.action));
  if (announced) return announcement(replay, position, announced);
  const suit = latin(replay) ? null : position.trump;
  const trumps = suit === null ? [] : [suit === "NT" ? "no trumps" : `${SUIT_SIGNS[suit] ?? suit} trumps`];
  const parts = [...contractOf(replay, position), ...trumps];
  return parts.length > 0 ? parts.join(", ") : null;
}

/** Who plays what: "careful: misere", as long as games tell of a contract. */
function contractOf(replay: Replay, position: Position): readonly string[] {
  const settled = position.deal.steps
    .slice(0, position.step + 1)
    .flatMap((done) => done.events)
    .findLast((event) => event.what === "CONTRACT");
  if (!settled) return [];
  const who = placeName(replay, settled.place);
  return [settled.code === null ? who : `${who}: ${callMark(replay, settled.code)}`];
}

/** Whiskey: "careful to win 7, doubled, ♥ trumps". */
function announcement(replay: Replay, position: Position, announced: Call): string {
  const [aim = "", suit = ""] = announced.action.split(":");
  const bids = position.calls.map((call) => call.action);
  const last = bids.findLastIndex((action) => action.startsWith("bid:"));
  const number = bids[last]?.slice("bid:".length) ?? "";
  const after = bids.slice(last + 1);
  const raised = after.includes("redouble") ? ", redoubled" : after.includes("double") ? ", doubled" : "";
  const trumps = suit === "NT" ? "no trumps" : `${SUIT_SIGNS[suit] ?? suit} trumps`;
  return `${placeName(replay, announced.seat)} to ${aim} ${number}${raised}, ${trumps}`;
}

/** What just happened, for the line under the table and for screen readers. */
export function story(replay: Replay, position: Position): string {
  const done = position.deal.steps[position.step];
  const parts: string[] = [];
  if (done?.action && done.seat !== null) {
    const who = placeName(replay, done.acted ?? done.seat);
    const card = parseCard(done.action);
    const call = position.calls.findLast((made) => made.step === position.step);
    parts.push(card ? `${who} plays the ${card.name}.` : `${who}: ${callText(replay, call?.action ?? done.action)}.`);
  } else {
    parts.push(`${placeName(replay, position.deal.dealer)} dealt.`);
  }
  const winner = position.trick.find((card) => card.won);
  if (winner) parts.push(`Trick ${position.trickNumber} to ${placeName(replay, winner.place)}.`);
  parts.push(...cardsShown(replay, done?.events ?? []));
  parts.push(outlook(replay, position));
  return parts.filter((part) => part !== "").join(" ");
}

/** Cards handed over from a pile, and those that lie open at the end. */
function cardsShown(replay: Replay, events: readonly ReplayEvent[]): readonly string[] {
  const codes = (what: string): readonly ReplayEvent[] =>
    events.filter((event) => event.what === what && event.code !== null);
  const given = codes("GIVEN").map(
    (event) => `${placeName(replay, event.place)} hands over the ${nameOf(event.code)}.`,
  );
  const open = codes("REVEALED");
  const places = [...new Set(open.map((event) => event.place))];
  const laid = places.map((place) => {
    const cards = open.filter((event) => event.place === place).map((event) => shortName(event.code ?? ""));
    const where = place === STOCK ? "The stock held" : `${placeName(replay, place)} had laid away`;
    return `${where}: ${cards.join(", ")}.`;
  });
  return [...given, ...laid];
}

function nameOf(code: string | null): string {
  return parseCard(code ?? "")?.name ?? code ?? "card";
}

function outlook(replay: Replay, position: Position): string {
  const forfeit = position.deal.forfeit;
  if (position.over && forfeit) {
    return `${placeName(replay, forfeit.seat)} forfeits the deal: ${reasonText(forfeit.reason)}.`;
  }
  if (position.over) return "The deal is over.";
  if (position.turn === null) return "";
  const proxy = position.ring.some((place) => place.turn && place.seat === null);
  return `${placeName(replay, position.turn)} to decide${proxy ? " for the dummy" : ""}.`;
}

/** "TIME_OUT" as a person reads it: "time out". */
export function reasonText(reason: string): string {
  return reason.replaceAll("_", " ").toLowerCase();
}

/** A score with its sign: "+7", "−4", "0". */
export function signed(score: number): string {
  if (score === 0) return "0";
  const size = Number.isInteger(score) ? Math.abs(score) : Math.abs(score).toFixed(1);
  return `${score > 0 ? "+" : "−"}${size}`;
}
