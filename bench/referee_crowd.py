"""Many bots in one process, each with a connection of its own; they take the first legal action."""

from __future__ import annotations

import asyncio
import os

import grpc
from kibitz.client.options import CHANNEL, PROTOCOL
from kibitz.v1 import bot_pb2 as wire
from kibitz.v1 import bot_pb2_grpc

from bench.referee_driver import answers


async def main() -> None:
    """Play for the tokens of the environment until the process is killed."""
    tokens = os.environ["KIBITZ_TOKENS"].split(",")
    await asyncio.gather(*(_play(os.environ["KIBITZ_ADDRESS"], token) for token in tokens))


async def _play(address: str, token: str) -> None:
    # Channels to one address share a connection unless something tells them apart.
    options = [*CHANNEL, ("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        call = bot_pb2_grpc.BotServiceStub(channel).Play()
        hello = wire.Hello(token=token, protocol=PROTOCOL, rules=1)
        await call.write(wire.PlayRequest(hello=hello))
        writing = asyncio.Lock()  # gRPC takes one message at a time
        beats = asyncio.create_task(_beat(call, writing))
        async for message in call:
            if message.WhichOneof("message") == "turns":
                for answer in answers(message.turns):
                    async with writing:
                        await call.write(answer)
        beats.cancel()


async def _beat(
    call: grpc.aio.StreamStreamCall[wire.PlayRequest, wire.PlayResponse], writing: asyncio.Lock
) -> None:
    while True:
        await asyncio.sleep(5.0)
        async with writing:
            await call.write(wire.PlayRequest(heartbeat=wire.Heartbeat()))


if __name__ == "__main__":
    asyncio.run(main())
