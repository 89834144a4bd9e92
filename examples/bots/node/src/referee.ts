// Speaks with a referee: one connection at a time, made again when it is lost.
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProtoGrpcType } from "./generated/bot";
import type { PlayRequest } from "./generated/kibitz/v1/PlayRequest";
import type { PlayResponse__Output } from "./generated/kibitz/v1/PlayResponse";
import { Seats, type Play } from "./seats";

export type { Answer, Turn } from "./seats";

const PROTOCOL = 1;
const PATIENCE_MS = 60_000;
const LARGEST_MESSAGE = 16 << 20;
const PROTO = join(__dirname, "..", "proto");

interface Bot {
  readonly address: string;
  readonly token: string;
  readonly name: string;
  readonly play: Play;
}

/** How a connection ended: the bot may go, or it is to try again. */
type End = { readonly status: number } | { readonly again: string; readonly welcomed: boolean };

const loaded = loadSync("kibitz/v1/bot.proto", {
  includeDirs: [PROTO],
  longs: Number,
  defaults: true,
  oneofs: true,
});
const { kibitz } = grpc.loadPackageDefinition(loaded) as unknown as ProtoGrpcType;

/** Plays until the referee has no more use for the bot; returns the exit status of the process. */
export async function serve(bot: Bot): Promise<number> {
  const seats = new Seats(bot.play);
  let reached = Date.now();
  let pause = 200;
  let known = false;
  for (;;) {
    const end = await connect(bot, seats, known);
    if ("status" in end) return end.status;
    if (end.welcomed) [reached, pause, known] = [Date.now(), 200, true];
    if (Date.now() - reached > PATIENCE_MS) {
      console.error(`${end.again}; given up after ${PATIENCE_MS / 1000} s`);
      return 1;
    }
    await sleep(pause * (0.5 + Math.random()));
    pause = Math.min(5000, pause * 2);
  }
}

function connect(bot: Bot, seats: Seats, known: boolean): Promise<End> {
  const client = new kibitz.v1.BotService(bot.address, grpc.credentials.createInsecure(), {
    "grpc.keepalive_time_ms": 20_000,
    "grpc.keepalive_timeout_ms": 10_000,
    "grpc.max_receive_message_length": LARGEST_MESSAGE,
  });
  const stream = client.Play();
  const send = (message: PlayRequest): void => void stream.write(message);
  let welcomed = false;
  let beat: NodeJS.Timeout | undefined;
  return new Promise<End>((resolve) => {
    const finish = (end: End): void => {
      clearInterval(beat);
      resolve(end);
      stream.cancel();
      client.close();
    };
    stream.on("data", (message: PlayResponse__Output) => {
      if (message.welcome) {
        welcomed = true;
        seats.keep(message.welcome.slots);
        beat = setInterval(() => send({ heartbeat: { number: 1 } }), message.welcome.heartbeatMs);
      } else if (message.turns) {
        seats.answer(message.turns).forEach(send);
      } else if (message.goodbye) {
        const { reason, message: text } = message.goodbye;
        if (reason === "DISMISSED") finish({ status: 0 });
        else if (reason === "REPLACED") finish(refused(`${text} (${reason})`));
        else finish({ again: text, welcomed });
      }
    });
    stream.on("error", (error: grpc.ServiceError) => finish(judged(error, welcomed, known)));
    stream.on("end", () => finish({ again: "the referee ended the connection", welcomed }));
    send({ hello: { token: bot.token, protocol: PROTOCOL, sdk: "kibitz-node/0.1.0", bot: bot.name } });
  });
}

/** A refusal is final, unless the referee may come back, or hear anew of a bot that it has known. */
function judged(error: grpc.ServiceError, welcomed: boolean, known: boolean): End {
  const passing = [grpc.status.UNAVAILABLE, grpc.status.CANCELLED, grpc.status.INTERNAL];
  const reason = String(error.metadata.get("kibitz-reason")[0] ?? "");
  const text = reason ? `${error.details} (${reason})` : error.details;
  if (passing.includes(error.code) || (known && reason === "UNKNOWN_TOKEN")) return { again: text, welcomed };
  return refused(text);
}

function refused(text: string): End {
  console.error(`the referee refuses the bot: ${text}`);
  return { status: 1 };
}
