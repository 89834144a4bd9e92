// A short invented match for the tests: two seats, a stock, one forfeit; and a deal with a dummy.
import type { Replay, ReplayDeal, ReplayEvent, ReplaySeat, ReplayStep } from "./model";

const event = (
  what: string,
  place: number,
  code: string | null = null,
  to: number | null = null,
): ReplayEvent => ({ what, place, code, detail: code === null ? -1 : 0, to });

const seat = (number: number, bot: string): ReplaySeat => ({
  seat: number,
  name: `${bot}/1`,
  bot,
  version: 1,
  version_id: number + 1,
});

const blank: ReplayStep = {
  step: 0,
  seat: null,
  acted: null,
  action: null,
  events: [],
  hands: [],
  trick: [],
  taken: [],
  trump: "H",
  turn: null,
  place: null,
  legal: [],
};

const dealt: ReplayStep = {
  ...blank,
  hands: [["2C", "AH"], ["KC", "3D"]],
  taken: [0, 0],
  turn: 1,
  place: 1,
  legal: ["KC", "3D"],
  events: [
    event("DEALT", 1, "KC", 1),
    event("DEALT", 0, "2C", 0),
    event("DEALT", 1, "3D", 1),
    event("DEALT", 0, "AH", 0),
    event("TURNED", 15, "9H"),
  ],
};

/** Seat 1 leads KC, seat 0 plays 2C; seat 1 draws the open 9H, seat 0 the unseen 5S; then two more. */
export const stockDeal: ReplayDeal = {
  number: 0,
  dealer: 0,
  deck: ["KC", "2C", "3D", "AH", "9H", "5S"],
  cut: null,
  scores: [-1, 1],
  forfeit: null,
  tricks: [2, 4],
  steps: [
    dealt,
    {
      ...dealt,
      step: 1,
      seat: 1,
      acted: 1,
      action: "KC",
      hands: [["2C", "AH"], ["3D"]],
      turn: 0,
      place: 0,
      legal: ["2C"],
      trick: [[1, "KC"]],
      events: [event("PLAYED", 1, "KC")],
    },
    {
      ...dealt,
      step: 2,
      seat: 0,
      acted: 0,
      action: "2C",
      hands: [["5S", "AH"], ["3D", "9H"]],
      taken: [0, 1],
      turn: 1,
      place: 1,
      legal: ["3D", "9H"],
      events: [
        event("PLAYED", 0, "2C"),
        event("WON", 1),
        event("DEALT", 1, "9H"),
        event("DEALT", 0, "5S", 0),
      ],
    },
    {
      ...dealt,
      step: 3,
      seat: 1,
      acted: 1,
      action: "3D",
      hands: [["5S", "AH"], ["9H"]],
      taken: [0, 1],
      turn: 0,
      place: 0,
      legal: ["5S", "AH"],
      trick: [[1, "3D"]],
      events: [event("PLAYED", 1, "3D")],
    },
    {
      ...dealt,
      step: 4,
      seat: 0,
      acted: 0,
      action: "5S",
      hands: [["AH"], ["9H"]],
      taken: [0, 2],
      turn: null,
      place: null,
      legal: [],
      events: [event("PLAYED", 0, "5S"), event("WON", 1)],
    },
  ],
};

export const forfeitedDeal: ReplayDeal = {
  ...stockDeal,
  number: 1,
  dealer: 1,
  scores: [1, -1],
  forfeit: { seat: 1, reason: "TIME_OUT" },
  tricks: [],
  steps: stockDeal.steps.slice(0, 2),
};

export const sample: Replay = {
  format: "kibitz-replay/1",
  match: "t1-2-3-4",
  set: "t1-2-3",
  tournament: "t1",
  game: "german_whist",
  title: "German Whist",
  options: {},
  places: 2,
  seats: [seat(0, "kibitz/careful"), seat(1, "ann/otter")],
  deals: [stockDeal, forfeitedDeal],
  totals: [0, 0],
  returns: [0, 0],
  seatings: [],
};

/** Three seats and a dummy (place 3): seat 0 bids, announces and plays for the dummy. */
export const dummySample: Replay = {
  ...sample,
  game: "whiskey",
  title: "Whiskey",
  places: 4,
  seats: [seat(0, "kibitz/careful"), seat(1, "ann/otter"), seat(2, "ann/otter")],
  deals: [
    {
      number: 4,
      dealer: 1,
      deck: ["2C", "3C", "4C", "5C"],
      cut: null,
      scores: [5, 0, 0],
      forfeit: null,
      tricks: [],
      steps: [
        { ...blank, hands: [["2C"], ["3C"], ["4C"], ["5C"]], taken: [0, 0, 0, 0], turn: 0, place: 0, legal: ["pass", "bid:5"], trump: null },
        { ...blank, step: 1, seat: 0, acted: 0, action: "bid:5", hands: [["2C"], ["3C"], ["4C"], ["5C"]], taken: [0, 0, 0, 0], turn: 1, place: 1, legal: ["3C"], events: [event("CALLED", 0, "bid:5")] },
        { ...blank, step: 2, seat: 1, acted: 1, action: "3C", hands: [["2C"], [], ["4C"], ["5C"]], taken: [0, 0, 0, 0], turn: 0, place: 3, legal: ["5C"], events: [event("PLAYED", 1, "3C")] },
        { ...blank, step: 3, seat: 0, acted: 3, action: "5C", hands: [["2C"], [], ["4C"], []], taken: [0, 0, 0, 0], turn: null, events: [event("PLAYED", 3, "5C")] },
      ],
    },
  ],
};
