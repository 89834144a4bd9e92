// An event `table` of GET /api/v1/live/tables: the deal under way, as everybody at the table sees it.

export interface LiveSeat {
  readonly name: string;
  readonly bot: string;
}

export interface LiveTrick {
  readonly won: number | null;
  readonly cards: readonly (readonly [number, string])[];
}

export interface LiveTable {
  readonly match: string;
  readonly set: string;
  readonly tournament: string;
  readonly game: string;
  readonly title: string;
  readonly seats: readonly LiveSeat[];
  readonly deal: number;
  readonly dealer: number;
  readonly totals: readonly number[];
  readonly turn: number | null;
  readonly over: boolean;
  readonly calls: readonly (readonly [number, string])[];
  readonly tricks: readonly LiveTrick[];
  readonly taken: readonly number[];
  readonly held: readonly number[];
  readonly open: readonly (readonly string[])[];
  readonly trump: string | null;
  readonly declarer: number | null;
  readonly contract: string | null;
  readonly stock: number;
  readonly turned: string | null;
}
