"""A bot that answers the first legal action straight from the messages: no rules, no views."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import accumulate
from queue import SimpleQueue

import grpc
from kibitz.client.options import CHANNEL, PROTOCOL
from kibitz.v1 import bot_pb2 as wire
from kibitz.v1 import bot_pb2_grpc


def main() -> None:
    """Play until the process is killed."""
    outbox: SimpleQueue[wire.PlayRequest] = SimpleQueue()
    hello = wire.Hello(token=os.environ["KIBITZ_TOKEN"], protocol=PROTOCOL, rules=1)
    outbox.put(wire.PlayRequest(hello=hello))
    channel = grpc.insecure_channel(os.environ["KIBITZ_ADDRESS"], options=CHANNEL)
    requests: Iterator[wire.PlayRequest] = iter(outbox.get, None)
    for message in bot_pb2_grpc.BotServiceStub(channel).Play(requests):
        if message.WhichOneof("message") == "turns":
            for answer in answers(message.turns):
                outbox.put(answer)


def answers(turns: wire.Turns) -> Iterator[wire.PlayRequest]:
    """Yield readiness for new tables, and the first legal action of each turn."""
    started = [news.slot for news in turns.news if news.WhichOneof("news") == "table_start"]
    if started:
        yield wire.PlayRequest(ready=wire.Ready(slots=started))
    if turns.slots:
        legal = turns.legal
        firsts = [legal[end - count] for end, count in _ends(turns)]
        actions = wire.Actions(slots=turns.slots, decisions=turns.decisions, actions=firsts)
        yield wire.PlayRequest(actions=actions)


def _ends(turns: wire.Turns) -> Iterator[tuple[int, int]]:
    counts = list(turns.legal_counts)
    return zip(accumulate(counts), counts, strict=True)


if __name__ == "__main__":
    main()
