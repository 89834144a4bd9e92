// The seats that the bot holds: what it is told about them, and its answers.
import type { Actions } from "./generated/kibitz/v1/Actions";
import type { PlayRequest } from "./generated/kibitz/v1/PlayRequest";
import type { TableStart__Output } from "./generated/kibitz/v1/TableStart";
import type { Turns__Output } from "./generated/kibitz/v1/Turns";

/** A decision that the bot is to take. */
export interface Turn {
  /** The table: game, options, own seat, codes of all actions. */
  readonly seat: TableStart__Output;
  /** All that the seat has seen of the deal, coded as docs/protocol.md says. */
  readonly events: readonly number[];
  /** Numbers of the legal actions, rising. */
  readonly legal: readonly number[];
}

export interface Answer {
  readonly action: number;
  readonly comment?: string;
  readonly policy?: readonly number[];
}

export type Play = (turn: Turn) => Answer;

interface Seat {
  readonly start: TableStart__Output;
  events: number[];
}

export class Seats {
  readonly #seats = new Map<number, Seat>();

  constructor(private readonly play: Play) {}

  /** Forgets all seats but those that the referee still knows of. */
  keep(slots: readonly number[]): void {
    for (const slot of this.#seats.keys()) if (!slots.includes(slot)) this.#seats.delete(slot);
  }

  /** Takes in what happened, decides what is asked, and returns what to send. */
  answer(turns: Turns__Output): readonly PlayRequest[] {
    const begun = performance.now();
    const ready = this.#news(turns);
    for (const reject of turns.rejects) {
      console.error(`answer not taken: slot ${reject.slot}: ${reject.message} (${reject.reason})`);
    }
    const answers: PlayRequest[] = [];
    if (ready.length > 0) answers.push({ ready: { slots: ready } });
    if (turns.slots.length > 0) {
      const actions = this.#decide(turns);
      // Shown beside what the referee measures, so that one sees what is lost on the way.
      answers.push({ actions: { ...actions, tookUs: Math.round((performance.now() - begun) * 1000) } });
    }
    return answers;
  }

  /** Returns the slots of tables that have just begun. */
  #news(turns: Turns__Output): number[] {
    const ready: number[] = [];
    for (const { slot, ...news } of turns.news) {
      if (news.tableStart) {
        if (!this.#seats.has(slot)) this.#seats.set(slot, { start: news.tableStart, events: [] });
        ready.push(slot);
      } else if (news.dealStart) {
        const seat = this.#seats.get(slot);
        if (seat) seat.events = [];
      } else if (news.tableEnd) {
        this.#seats.delete(slot);
      }
    }
    return ready;
  }

  #decide(turns: Turns__Output): Actions {
    const answers: Packed = { slots: [], decisions: [], actions: [], remarks: [] };
    let event = 0;
    let first = 0;
    turns.slots.forEach((slot, index) => {
      const events = turns.events.slice(event, (event += turns.eventCounts[index] ?? 0));
      const legal = turns.legal.slice(first, (first += turns.legalCounts[index] ?? 0));
      const seat = this.#seats.get(slot);
      if (!seat) return;
      seat.events.push(...events);
      const answer = this.play({ seat: seat.start, events: seat.events, legal });
      answers.remarks.push({
        answer: answers.slots.length,
        comment: answer.comment ?? "",
        policy: [...(answer.policy ?? [])],
      });
      answers.slots.push(slot);
      answers.decisions.push(turns.decisions[index] ?? 0);
      answers.actions.push(answer.action);
    });
    return answers;
  }
}

interface Packed {
  slots: number[];
  decisions: number[];
  actions: number[];
  remarks: { answer: number; comment: string; policy: number[] }[];
}
