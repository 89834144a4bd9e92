"""Nonsense of all kinds: a clear answer, and nobody else notices anything."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import grpc
import pytest
from kibitz.v1 import referee_pb2, table_pb2

from tests.referee.parties import BotProcess, Played, Referee, set_of, until
from tests.referee.rogue import HELLO, Rogue, each_kind, recorded, resident_kb

BRISK = table_pb2.Clock(bank_ms=60_000, cap_ms=30_000, ready_ms=5_000)
TROUBLE = ("Traceback", "session broke", "Exception", "Task exception", "ERROR")


def sound_set(name: str) -> referee_pb2.RunSetRequest:
    """A set of two sound bots, who play it the same way each time."""
    request = set_of("german_whist", ("ann", "bob"), ("bob", "ann"), seed="sound", end="hands:2")
    request.set_id = name
    return request


def decisions(played: Played) -> list[Any]:
    """What was decided in all matches of a set, and what they came to."""
    found = []
    for match_id in sorted(played.matches):
        played.record(match_id)
        assert not played.reasons(match_id)
        deals = json.loads(played.matches[match_id].record_json)["deals"]
        found.append([(deal["actions"], deal["scores"]) for deal in deals])
    return found


class Tables:
    """Sets of sound bots, and of a sound one with the rogue, played on and on meanwhile."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._wanted = decisions(referee.run(sound_set("undisturbed")))
        self._stop = threading.Event()
        self.sound = self.with_rogue = 0
        self.wrong: list[object] = []
        self._call: Any = None
        self._threads = [
            threading.Thread(target=self._play, args=(one,)) for one in (self._ours, self._rogues)
        ]

    def __enter__(self) -> Tables:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._call is not None:
            self._call.cancel()  # who waits for the rogue would wait long
        for thread in self._threads:
            thread.join(60)

    def _play(self, one: Callable[[int], None]) -> None:
        number = 0
        while not self._stop.is_set():
            try:
                one(number)
            except (AssertionError, grpc.RpcError) as error:
                if not (self._stop.is_set() and one == self._rogues):
                    self.wrong.append(error)
                return
            number += 1

    def _ours(self, number: int) -> None:
        assert decisions(self._referee.run(sound_set(f"sound{number}"))) == self._wanted
        self.sound += 1

    def _rogues(self, number: int) -> None:
        seats = ("eve", "rogue", "eve", "rogue")
        request = set_of("whist", seats, seed=str(number), clock=BRISK, end="deals:4")
        request.set_id = f"rogue{number}"
        self._call = self._referee.stub.RunSet(request, timeout=60)
        played = Played(self._call)
        if played.failed:
            assert played.failed.reason in {"NOT_READY", "BOT_ABSENT", "GAME_NOT_PLAYED"}
            assert request.matches[0].seats[played.failed.seat].name == "rogue"
        for match_id in played.matches:
            played.record(match_id)
            assert all(seat % 2 for seat, _ in played.reasons(match_id))
        self.with_rogue += 1


@contextmanager
def besieged(referee: Referee, seed: int) -> Iterator[tuple[Rogue, Tables]]:
    """A referee at which sound bots play, and one that does not."""
    sound = recorded(referee)
    referee.admit("ann", "bob", "eve", "rogue")
    with (
        BotProcess(referee, "ann"),
        BotProcess(referee, "bob"),
        BotProcess(referee, "eve"),
        Tables(referee) as tables,
    ):
        rogue = Rogue(referee, sound, Random(seed))
        yield rogue, tables
        rogue.close()
    assert tables.wrong == []
    assert referee.process.poll() is None
    told = referee.log.read_text(errors="replace")
    assert not [word for word in TROUBLE if word in told]


def test_nonsense_gets_a_clear_answer_and_harms_nobody(start: Callable[..., Referee]) -> None:
    with besieged(start("--grace", "0.2"), 1) as (rogue, tables):
        for said, wanted in each_kind():
            assert rogue.say(HELLO, said) == wanted, said[:100]
        for _ in range(40):
            rogue.talk()
            rogue.knock()
        until(lambda: tables.sound > 0)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(3))
def test_campaign_of_nonsense(start: Callable[..., Referee], seed: int) -> None:
    referee = start("--grace", "0.2")
    with besieged(referee, seed) as (rogue, tables):
        held = []
        for step in range(1_200):
            rogue.talk()
            if step % 2:
                rogue.knock()
            if step % 100 == 99:
                held.append(resident_kb(referee.process.pid))
    print(f"{rogue.messages} messages; resident kB {held}; {dict(rogue.outcomes)}")
    assert rogue.messages > 10_000
    assert tables.sound > 10
    assert tables.with_rogue > 10
    assert max(held[4:]) < 1.1 * max(held[:4])
