// Sentences and labels of the viewer.
import { parseCard, shortName, SUIT_SIGNS } from "../cards/code";
import type { Replay } from "./model";
import type { Call, Position } from "./position";

const SUITS: Readonly<Record<string, string>> = {
  C: "clubs",
  D: "diamonds",
  H: "hearts",
  S: "spades",
  NT: "no trumps",
};

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

/** A call as it stands in a list: "bid 5", "win, hearts", "pass". */
export function callText(action: string): string {
  const [verb = "", ...rest] = action.split(":");
  const what = rest.join(":");
  if (what === "") return action;
  if (verb === "bid") return what in SUITS ? `bid ${SUITS[what]}` : `bid ${what}`;
  if (verb === "win" || verb === "lose") return `to ${verb}, ${SUITS[what] ?? what}`;
  if (verb === "trump") return `trumps: ${SUITS[what] ?? what}`;
  return `${verb} ${shortName(what)}`;
}

/** The last call in a table of calls, short: "5", "pass", "dbl". */
export function callMark(action: string): string {
  const [verb = "", what] = action.split(":");
  if (what === undefined) return verb;
  if (verb === "bid") return what;
  const sign = SUIT_SIGNS[what] ?? what;
  return verb === "trump" ? sign : `${verb} ${sign}`;
}

/** What is played for, for the mark on the table; null while nothing is settled. */
export function contractText(replay: Replay, position: Position): string | null {
  const announced = position.calls.findLast((call) => /^(win|lose):/.test(call.action));
  if (announced) return announcement(replay, position, announced);
  if (position.trump === null) return null;
  return `${SUIT_SIGNS[position.trump] ?? SUITS[position.trump] ?? position.trump} trumps`;
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
    parts.push(card ? `${who} plays the ${card.name}.` : `${who}: ${callText(call?.action ?? done.action)}.`);
  } else {
    parts.push(`${placeName(replay, position.deal.dealer)} dealt.`);
  }
  const winner = position.trick.find((card) => card.won);
  if (winner) parts.push(`Trick ${position.trickNumber} to ${placeName(replay, winner.place)}.`);
  parts.push(outlook(replay, position));
  return parts.filter((part) => part !== "").join(" ");
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
