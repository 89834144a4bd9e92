// The answer of GET /api/v1/matches/{id}/replay (kibitz-replay/1).

export interface ReplayEvent {
  readonly what: string;
  readonly place: number;
  readonly code: string | null;
  readonly detail: number;
  /** Seat that was told the code; null: everybody. */
  readonly to: number | null;
}

/** The deal after `step` actions; step 0 is the deal as it was dealt. */
export interface ReplayStep {
  readonly step: number;
  readonly seat: number | null;
  readonly acted: number | null;
  readonly action: string | null;
  readonly events: readonly ReplayEvent[];
  readonly hands: readonly (readonly string[])[];
  readonly trick: readonly (readonly [number, string])[];
  readonly taken: readonly number[];
  readonly trump: string | null;
  readonly turn: number | null;
  readonly place: number | null;
  readonly legal: readonly string[];
  /** What the bot said of its action. */
  readonly comment?: string | null;
  /** With which probability it chose each legal action of the step before. */
  readonly policy?: readonly number[] | null;
}

export interface ReplayForfeit {
  readonly seat: number;
  readonly reason: string;
}

export interface ReplayDeal {
  readonly number: number;
  readonly dealer: number;
  readonly deck: readonly string[];
  readonly cut: string | null;
  readonly steps: readonly ReplayStep[];
  readonly scores: readonly number[];
  readonly forfeit: ReplayForfeit | null;
  /** Steps at which a trick ended. */
  readonly tricks: readonly number[];
}

export interface ReplaySeat {
  readonly seat: number;
  readonly name: string;
  readonly bot: string;
  readonly version: number;
  readonly version_id: number;
}

export interface ReplaySeating {
  readonly match: string;
  readonly half: number;
  readonly lane: number;
  readonly same_decks: boolean;
  readonly seats: readonly string[];
  readonly returns: readonly number[] | null;
  readonly state: string;
}

export interface Replay {
  readonly format: string;
  readonly match: string;
  readonly set: string;
  readonly tournament: string;
  readonly game: string;
  readonly title: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly places: number;
  readonly seats: readonly ReplaySeat[];
  readonly deals: readonly ReplayDeal[];
  readonly totals: readonly number[];
  readonly returns: readonly number[] | null;
  readonly seatings: readonly ReplaySeating[];
}
