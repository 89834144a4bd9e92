"""A bot that says nonsense to a referee, on one connection after the other."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any

import grpc
from kibitz.client.options import CHANNEL, MAX_REQUEST_BYTES, PROTOCOL
from kibitz.v1 import bot_pb2

from tests.referee.nonsense import knocking, nested, nonsense, varint
from tests.referee.parties import Referee, reason, set_of, watched_match

ANSWERS = {
    ("OK", ""),
    ("INVALID_ARGUMENT", "NO_HELLO"),
    ("INVALID_ARGUMENT", "SECOND_HELLO"),
    ("INVALID_ARGUMENT", "MALFORMED_ACTIONS"),
    ("INVALID_ARGUMENT", "MALFORMED_MESSAGE"),
    ("INVALID_ARGUMENT", "UNKNOWN_GAME"),
    ("UNAUTHENTICATED", "UNKNOWN_TOKEN"),
    ("FAILED_PRECONDITION", "WRONG_PROTOCOL"),
    ("FAILED_PRECONDITION", "WRONG_RULES"),
    ("RESOURCE_EXHAUSTED", "FLOODING"),
    ("RESOURCE_EXHAUSTED", ""),  # larger than the limit: the transport says so
}
"""All that may come of nonsense, besides that it is passed over."""

PASSED_OVER = "PASSED_OVER", ""
BEAT = 4_242
HELLO = bot_pb2.PlayRequest(
    hello=bot_pb2.Hello(token="rogue", protocol=PROTOCOL)
).SerializeToString()


class Rogue:
    """Says nonsense; counts what it said and how each connection ended.

    Attributes:
        outcomes: how many connections ended with which status and reason.
        messages: how many messages it has sent.
    """

    def __init__(self, referee: Referee, sound: Sequence[bot_pb2.PlayRequest], rng: Random) -> None:
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.messages = 0
        self._sound, self._rng = sound, rng
        self._socket = referee.socket
        self._channel = grpc.insecure_channel(referee.address, options=CHANNEL)
        self._play: Any = self._channel.stream_stream("/kibitz.v1.BotService/Play")

    def close(self) -> None:
        self._channel.close()

    def talk(self) -> None:
        """Say some nonsense on a new connection; hear what comes of it."""
        rng = self._rng
        first = HELLO if rng.random() < 0.8 else self._nonsense()
        self.say(first, *(self._nonsense() for _ in range(rng.randrange(1, 20))))

    def say(self, *said: bytes) -> tuple[str, str]:
        """Say something on a new connection; return what comes of it."""
        outbox: SimpleQueue[bytes | None] = SimpleQueue()
        for data in said:
            outbox.put(data)
        beat = bot_pb2.PlayRequest(heartbeat=bot_pb2.Heartbeat(number=BEAT))
        outbox.put(beat.SerializeToString())
        self.messages += len(said)
        call = self._play(iter(outbox.get, None), timeout=20)
        try:
            ended = self._hear(call)
        finally:
            outbox.put(None)
            call.cancel()
        self.outcomes[ended] += 1
        return ended

    def knock(self) -> None:
        """Send the port what is not even gRPC; be gone."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
            link.settimeout(5)
            link.connect(str(self._socket))
            try:
                link.sendall(knocking(self._rng))
                link.shutdown(socket.SHUT_WR)
                while link.recv(4096):
                    pass
            except ConnectionError:
                pass

    def _nonsense(self) -> bytes:
        return nonsense(self._sound, self._rng, MAX_REQUEST_BYTES)

    def _hear(self, call: Any) -> tuple[str, str]:
        own: set[int] = set()
        with suppress(grpc.RpcError):
            for data in call:
                heard = bot_pb2.PlayResponse.FromString(data)
                _check_own(heard.turns, own)
                if heard.heartbeat.number == BEAT:
                    return PASSED_OVER
        ended = call.code().name, reason(call)
        assert ended in ANSWERS, (ended, call.details())
        assert call.details() or ended[0] == "OK"
        return ended


def _check_own(turns: bot_pb2.Turns, own: set[int]) -> None:
    """Check that a bot hears of seats only that it was given on this connection."""
    for news in turns.news:
        if news.HasField("table_start"):
            assert news.table_start.seats[news.table_start.seat] == "rogue"
            own.add(news.slot)
        assert news.slot in own, "news of a table of others"
    assert own.issuperset(turns.slots), "a turn of others"


def recorded(referee: Referee) -> list[bot_pb2.PlayRequest]:
    """Return all that a bot said in a match that it played properly, and each other message."""
    bot = watched_match(referee, set_of("german_whist", ("a", "b"), end="hands:2"))
    return [one for one in bot.said if not one.HasField("hello")] + [*_others()]


def _others() -> Iterator[bot_pb2.PlayRequest]:
    remark = bot_pb2.Remark(comment="so", policy=[0.5, 0.5])
    actions = bot_pb2.Actions(slots=[1], decisions=[0], actions=[3], remarks=[remark])
    failure = bot_pb2.Failure(slot=1, reason="CRASH", detail="Traceback", decision=3)
    for _ in range(4):  # as many as to be met with beside the actions of a match
        yield bot_pb2.PlayRequest(actions=actions)
        yield bot_pb2.PlayRequest(failure=failure)
        yield bot_pb2.PlayRequest(ready=bot_pb2.Ready(slots=[1, 2]))
        yield bot_pb2.PlayRequest(resend=bot_pb2.Resend(slots=[1]))
        yield bot_pb2.PlayRequest(heartbeat=bot_pb2.Heartbeat(number=1))
    yield bot_pb2.PlayRequest(goodbye=bot_pb2.Goodbye(reason="DONE"))
    yield bot_pb2.PlayRequest(hello=bot_pb2.Hello(token="b", protocol=PROTOCOL, games=["whist"]))


def each_kind() -> Iterator[tuple[bytes, tuple[str, str]]]:
    """Yield messages that make no sense after a hello, and what comes of each."""
    clash = bot_pb2.PlayRequest(actions=bot_pb2.Actions(slots=[999], decisions=[0, 0]))
    yield clash.SerializeToString(), ("INVALID_ARGUMENT", "MALFORMED_ACTIONS")
    yield HELLO, ("INVALID_ARGUMENT", "SECOND_HELLO")
    flood = bot_pb2.PlayRequest(ready=bot_pb2.Ready(slots=range(1_000, 3_000)))
    yield flood.SerializeToString(), ("RESOURCE_EXHAUSTED", "FLOODING")
    for data in (b"\xff", nested(5_000), varint(8)):
        yield data, ("INVALID_ARGUMENT", "MALFORMED_MESSAGE")
    yield b"\x2a" + varint(MAX_REQUEST_BYTES) + bytes(MAX_REQUEST_BYTES), ("RESOURCE_EXHAUSTED", "")
    stranger = bot_pb2.Actions(slots=[999], decisions=[0], actions=[3])
    yield bot_pb2.PlayRequest(actions=stranger).SerializeToString(), PASSED_OVER
    lost = bot_pb2.Failure(slot=999, reason="CRASH", detail="Traceback", decision=3)
    yield bot_pb2.PlayRequest(failure=lost).SerializeToString(), PASSED_OVER
    resend = bot_pb2.PlayRequest(resend=bot_pb2.Resend(slots=[999]))
    yield resend.SerializeToString(), PASSED_OVER
    yield bot_pb2.PlayRequest(ready=bot_pb2.Ready(slots=[999])).SerializeToString(), PASSED_OVER
    yield varint(19_000 << 3) + varint(1), PASSED_OVER  # as of a later version


def resident_kb(process: int) -> int:
    """Return how much memory a process holds."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("the process is gone")
