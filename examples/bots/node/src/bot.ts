// A bot that plays every game without knowing any: the referee says what is legal.
import { serve, type Answer, type Turn } from "./referee";

/** Chooses by chance, and says by which probabilities. */
function play(turn: Turn): Answer {
  const chosen = Math.floor(Math.random() * turn.legal.length);
  const code = turn.seat.actions[turn.legal[chosen]!];
  return {
    action: turn.legal[chosen]!,
    comment: `${code}, one of ${turn.legal.length}`,
    policy: turn.legal.map(() => 1 / turn.legal.length),
  };
}

const address = process.env["KIBITZ_ADDRESS"];
const token = process.env["KIBITZ_TOKEN"];
if (!address || !token) {
  console.error("Set KIBITZ_ADDRESS (unix:/path or host:port) and KIBITZ_TOKEN; see README.md.");
  process.exit(2);
}
serve({ address, token, name: "node", play }).then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(String(error));
    process.exit(1);
  },
);
