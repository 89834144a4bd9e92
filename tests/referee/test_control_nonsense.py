"""Nonsense at the socket of workers: a clear answer, and no set under way comes to harm."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pytest
from kibitz.v1 import referee_pb2
from kibitz_referee.server import MAX_CONTROL_BYTES

from tests.referee.meddler import MALFORMED, UNARY, UNHEARD, Meddler
from tests.referee.nonsense import varint
from tests.referee.parties import BotProcess, Referee, digest, until
from tests.referee.rogue import resident_kb
from tests.referee.test_nonsense import TROUBLE, decisions, sound_set


class Playing:
    """Sets of sound bots, played on and on; a context manager that ends when one is over."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._wanted = decisions(referee.run(sound_set("undisturbed")))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play)
        self.sets = 0
        self.wrong: list[object] = []

    def __enter__(self) -> Playing:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(60)

    def _play(self) -> None:
        while not (self._stop.is_set() or self.wrong):
            found = self._referee.run(sound_set(f"sound{self.sets}"))
            if decisions(found) != self._wanted:
                self.wrong.append(found.last)
            self.sets += 1


@contextmanager
def meddled(referee: Referee, seed: int) -> Iterator[tuple[Meddler, Playing]]:
    """A referee at which sound bots play while somebody asks for nonsense."""
    referee.admit("ann", "bob")
    with BotProcess(referee, "ann"), BotProcess(referee, "bob"), Playing(referee) as playing:
        meddler = Meddler(referee, Random(seed))
        yield meddler, playing
        meddler.close()
    assert playing.wrong == []
    assert referee.process.poll() is None
    until(lambda: referee.presence().load.tables == 0)
    left = referee.presence()
    assert (left.load.waiting, left.load.draining) == (0, False)
    kept = {digest("ann"), digest("bob")}
    others = {player.token_sha256 for player in left.players} - kept  # some with a digit changed
    gone = referee.stub.Dismiss(referee_pb2.DismissRequest(token_sha256=others))
    assert gone.dismissed == len(others)
    assert {player.token_sha256 for player in referee.presence().players} == kept
    told = referee.log.read_text(errors="replace")
    found = [told.index(word) for word in TROUBLE if word in told]
    assert not found, told[max(0, min(found) - 1_000) :][:6_000]


def test_nonsense_of_workers_gets_a_clear_answer_and_harms_no_set(
    start: Callable[..., Referee],
) -> None:
    with meddled(start(), 1) as (meddler, playing):
        for method in (*UNARY, "RunSet", "Watch"):
            assert meddler.ask(method, b"\xff") in {MALFORMED, UNHEARD}
        assert meddler.ask("Reboot", b"") == ("UNIMPLEMENTED", "")
        for _ in range(300):
            meddler.meddle()
        until(lambda: playing.sets > 0)


def test_a_request_that_is_too_large_is_refused(referee: Referee) -> None:
    meddler = Meddler(referee, Random(1))
    data = b"\x2a" + varint(MAX_CONTROL_BYTES) + bytes(MAX_CONTROL_BYTES)
    with pytest.raises(AssertionError, match="RESOURCE_EXHAUSTED"):
        meddler.ask("Presence", data)
    assert referee.presence().load.uptime_ms


def test_a_bot_asked_for_many_times_is_told_of_once(referee: Referee) -> None:
    referee.admit("ann")
    [token] = [player.token_sha256 for player in referee.presence().players]
    request = referee_pb2.PresenceRequest(token_sha256=[token] * 1_000)
    assert len(referee.stub.Presence(request).players) == 1


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(2))
def test_campaign_of_nonsense_of_workers(start: Callable[..., Referee], seed: int) -> None:
    referee = start()
    with meddled(referee, seed) as (meddler, playing):
        held = []
        for step in range(10_000):
            meddler.meddle()
            if step % 1_000 == 999:
                held.append(resident_kb(referee.process.pid))
    print(f"{meddler.asked} requests; resident kB {held}; {dict(meddler.outcomes)}")
    assert meddler.asked > 10_000
    assert playing.sets > 10
    assert max(held[4:]) < 1.1 * max(held[:4])
