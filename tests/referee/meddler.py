"""A worker that asks a referee for nonsense, at the socket of workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import grpc
from google.protobuf.message import Message
from kibitz.v1 import referee_pb2, table_pb2, watch_pb2

from tests.referee.nonsense import nonsense
from tests.referee.parties import Referee, digest, reason, set_of

REFUSALS = {
    *("UNKNOWN_GAME", "UNKNOWN_OPTION", "UNKNOWN_PRESET", "BAD_OPTION", "OPTIONS_CLASH"),
    *("DECKS_GATHERED", "BAD_CLOCK", "BAD_POLICY", "NO_MATCHES", "DOUBLED_MATCH"),
    *("WRONG_SEATS", "TOO_FEW_DECKS", "BAD_DECK", "BAD_TOKEN_HASH", "MALFORMED_MESSAGE"),
}
MALFORMED = "INVALID_ARGUMENT", "MALFORMED_MESSAGE"
UNHEARD = "DEADLINE_EXCEEDED", ""
"""The meddler would hear no longer."""

ANSWERS = {
    ("OK", ""),
    ("FAILED_PRECONDITION", "NOT_ADMITTED"),
    ("RESOURCE_EXHAUSTED", "TOO_BUSY"),
    ("RESOURCE_EXHAUSTED", "TOO_MANY_WATCHERS"),
    ("UNIMPLEMENTED", ""),
    UNHEARD,
    *(("INVALID_ARGUMENT", refusal) for refusal in REFUSALS),
}
"""All that may come of nonsense."""

VOID = {"BOT_ABSENT", "DISMISSED", "NOT_READY", "NO_DECK", "GAME_NOT_PLAYED"}
OWN = tuple(f"own{number}" for number in range(6))
"""Bots of the meddler's, which never come."""

UNARY = ("Admit", "Dismiss", "Presence")
HASTE = table_pb2.Clock(bank_ms=9_000, increment_ms=1, cap_ms=900, ready_ms=30, tolerance_ms=9)


class Meddler:
    """Asks for nonsense; counts what it asked for and what it was told.

    Attributes:
        outcomes: how many requests had which status and reason.
        asked: how many requests it has made.
    """

    def __init__(self, referee: Referee, rng: Random) -> None:
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.asked = 0
        self._rng = rng
        self._sound = [*_sound()]
        self._channel = grpc.insecure_channel(f"unix:{referee.control}")

    def close(self) -> None:
        """Be gone."""
        self._channel.close()

    def meddle(self) -> None:
        """Ask for something, mostly nonsense, some of it of the wrong method."""
        rng = self._rng
        method, message = rng.choice(self._sound)
        if rng.random() < 0.1:
            method = rng.choice((*UNARY, "RunSet", "Watch", "Reboot"))
        data = nonsense([message], rng, 1 << 18)
        for _ in range(rng.choice((1, 1, 1, 2))):
            self.ask(method, data)

    def ask(self, method: str, data: bytes) -> tuple[str, str]:
        """Ask for something in bytes; return the status and its reason."""
        self.asked += 1
        service = "WatchService" if method == "Watch" else "RefereeService"
        path = f"/kibitz.v1.{service}/{method}"
        try:
            if method in {"RunSet", "Watch"}:
                timeout = self._rng.choice((0.02, 0.02, 0.2))
                stream: Any = self._channel.unary_stream(path)
                for event in stream(data, timeout=timeout):
                    _check(method, event)
            else:
                call: Any = self._channel.unary_unary(path)
                call(data, timeout=20)
            answer, text = ("OK", ""), "."
        except grpc.RpcError as error:
            told: Any = error
            answer, text = (told.code().name, reason(error)), told.details()
        assert text
        assert answer in ANSWERS, (method, data[:300], answer, text)
        self.outcomes[answer] += 1
        return answer


def _check(method: str, event: bytes) -> None:
    if method == "RunSet":
        heard = referee_pb2.RunSetResponse.FromString(event)
        if heard.HasField("set_failed"):
            assert heard.set_failed.reason in VOID, heard.set_failed
    else:
        watch_pb2.WatchResponse.FromString(event)


def _sound() -> Iterator[tuple[str, Message]]:
    """Yield requests as workers make them: of bots that never come, and of sound ones."""
    own = [digest(token) for token in OWN]
    for _ in range(3):  # as many as to be met with beside the sets
        for token in own[:3]:
            admission = referee_pb2.Admission(token_sha256=token, label=token[:4], owner="x")
            yield "Admit", referee_pb2.AdmitRequest(admissions=[admission])
            yield "Dismiss", referee_pb2.DismissRequest(token_sha256=[token])
        yield "Presence", referee_pb2.PresenceRequest()
        yield "Presence", referee_pb2.PresenceRequest(token_sha256=own)
        yield "Watch", watch_pb2.WatchRequest(set_ids=["sound1"], max_tables=3, interval_ms=1)
    yield (
        "Admit",
        referee_pb2.AdmitRequest(
            admissions=[referee_pb2.Admission(token_sha256=token, max_tables=1) for token in own]
        ),
    )
    yield "Dismiss", referee_pb2.DismissRequest(token_sha256=own)
    policy = referee_pb2.Policy(on_failure=3, max_penalties=2)  # type: ignore[arg-type]
    for number, game in enumerate(("german_whist", "whist", "whiskey", "ottocento")):
        seats = 4 if game in {"whist", "whiskey"} else 2
        for bots in (OWN[:seats], ("ann", "bob") * (seats // 2)):
            request = set_of(game, bots, bots[::-1], clock=HASTE, policy=policy)
            request.set_id = f"sound{number}"  # as one that is under way, perhaps
            yield "RunSet", request
