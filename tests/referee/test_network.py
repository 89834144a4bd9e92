"""Networks that fail and processes that die: tables resume, or their set is void and played again.

`pytest -m campaign` strikes KIBITZ_CAMPAIGN times (500) at moments drawn from KIBITZ_CAMPAIGN_SEED,
or only from strike KIBITZ_CAMPAIGN_FROM on (0): each strike has a chance of its own, so a campaign
may be run in pieces. Without it each kind of trouble strikes a few times.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import grpc
import pytest
from kibitz.v1 import referee_pb2, table_pb2
from kibitz_worker.work.verify import play_of

from tests.referee.parties import BotProcess, Played, Referee, digest, set_of, until
from tests.referee.wire import Wire

STRIKES = int(os.environ.get("KIBITZ_CAMPAIGN", "500"))
FROM = int(os.environ.get("KIBITZ_CAMPAIGN_FROM", "0"))
SEED = os.environ.get("KIBITZ_CAMPAIGN_SEED", "kibitz")
BOTS = ("a", "b")
VOID = {"INFRASTRUCTURE", "BOT_ABSENT", "NOT_READY"}
OPTIONS = ("--grace", "60", "--silence", "2", "--drain", "1")
CLOCK = table_pb2.Clock(bank_ms=3_600_000, cap_ms=600_000, ready_ms=60_000)

BOT = """
import time
import kibitz

class First(kibitz.Bot):
    def play(self, view):
        time.sleep(0.002)  # so that there are moments to strike at
        return view.legal[0]

kibitz.run(First)
"""


class Theatre:
    """A referee, two bots behind wires, and a set that is played again and again until it is."""

    def __init__(self, folder: Path, matches: int) -> None:
        self._folder, self._stack = folder, ExitStack()
        self.referee = Referee(folder, *OPTIONS)
        self.referee.admit(*BOTS)
        wire = self._stack.enter_context
        self.wires = {bot: wire(Wire(self.referee.socket)) for bot in BOTS}
        self.bots = {bot: BotProcess(self.wires[bot].address, bot, BOT) for bot in BOTS}
        self.request = request_of(matches)
        self.results: dict[str, referee_pb2.MatchFinished] = {}
        self.voids: Counter[str] = Counter()
        self.twice: list[str] = []
        self._over = threading.Event()
        self._worker = threading.Thread(target=self._work, name="worker")

    def __enter__(self) -> Theatre:
        self._worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for bot in self.bots.values():
            bot.__exit__(None, None, None)
        self.referee.stop()
        self._worker.join(30)
        self._stack.close()

    @property
    def playing(self) -> bool:
        return self._worker.is_alive()

    def _work(self) -> None:
        """What a worker does: ask for what is missing, keep what comes, ask again when it ends."""
        while not self._over.is_set() and (left := self._left()).matches:
            try:
                self._hear(self.referee.stub.RunSet(left, timeout=3600))
            except grpc.RpcError as error:
                self.voids[error.code().name] += 1
            except ValueError:  # the channel was closed with the referee that was killed
                time.sleep(0.1)

    def _left(self) -> referee_pb2.RunSetRequest:
        left = referee_pb2.RunSetRequest()
        left.CopyFrom(self.request)
        del left.matches[:]
        left.matches.extend(m for m in self.request.matches if m.match_id not in self.results)
        return left

    def _hear(self, events: Any) -> None:
        for event in events:
            if event.HasField("match_finished"):
                found = event.match_finished
                if found.match_id in self.results:
                    self.twice.append(found.match_id)
                self.results[found.match_id] = found
            elif event.HasField("set_failed"):
                self.voids[event.set_failed.reason] += 1

    # What may happen.

    def cut(self, chance: Random) -> None:
        self._one(chance).cut()

    def cut_both(self, _: Random) -> None:
        for wire in self.wires.values():
            wire.cut()

    def half_open(self, chance: Random) -> None:
        self._one(chance).half_open()

    def delay(self, chance: Random) -> None:
        wire = self._one(chance)
        wire.slow_down(chance.uniform(0.05, 0.5))
        time.sleep(chance.uniform(0.1, 1.0))
        wire.slow_down(0.0)

    def kill_bot(self, chance: Random) -> None:
        name = chance.choice(BOTS)
        self.bots[name].__exit__(None, None, None)
        self.bots[name] = BotProcess(self.wires[name].address, name, BOT)

    def kill_referee(self, _: Random) -> None:
        self.referee.process.kill()
        self.referee.stop()
        fresh = Referee(self._folder, *OPTIONS)
        fresh.admit(*BOTS)
        self.referee = fresh

    def _one(self, chance: Random) -> Wire:
        return self.wires[chance.choice(BOTS)]


KINDS: dict[str, Callable[[Theatre, Random], None]] = {
    "cut": Theatre.cut,
    "cut-both": Theatre.cut_both,
    "half-open": Theatre.half_open,
    "delay": Theatre.delay,
    "kill-bot": Theatre.kill_bot,
    "kill-referee": Theatre.kill_referee,
}


def request_of(matches: int) -> referee_pb2.RunSetRequest:
    return set_of("german_whist", *[BOTS] * matches, clock=CLOCK, end="hands:6")


@cache
def undisturbed(matches: int) -> dict[str, Any]:
    """What is played when nothing happens."""
    with TemporaryDirectory(prefix="kibitz-") as folder:
        return played_by(Referee(Path(folder)), request_of(matches))


def played_by(referee: Referee, request: referee_pb2.RunSetRequest) -> dict[str, Any]:
    try:
        referee.admit(*BOTS)
        quick = BOT.replace("time.sleep(0.002)", "pass")
        with BotProcess(referee, "a", quick), BotProcess(referee, "b", quick):
            played = Played(referee.stub.RunSet(request, timeout=3600))
    finally:
        referee.stop()
    assert played.finished, played.failed
    return {key: play_of(match.record_json) for key, match in played.matches.items()}


@dataclass(frozen=True)
class Strike:
    """A trouble of a campaign: all about it follows from its number."""

    seed: str
    number: int
    kinds: Sequence[str] = tuple(KINDS)

    def drawn(self) -> tuple[str, Random]:
        """Return of which kind it is, and its chance."""
        chance = Random(f"{self.seed}:{self.number}")
        return chance.choice(self.kinds), chance


def strike(theatre: Theatre, strikes: Iterable[Strike]) -> tuple[Counter[str], float]:
    """Strike at random moments while the set is played; return what was done, and the worst wait.

    After each strike some decision must be taken within a minute.
    """
    struck: Counter[str] = Counter()
    worst = 0.0
    for one in strikes:
        kind, chance = one.drawn()
        time.sleep(chance.uniform(0.0, 0.4))
        if not theatre.playing:
            break
        KINDS[kind](theatre, chance)
        began = time.monotonic()
        until(lambda: not theatre.playing or goes_on(theatre), 60)
        worst = max(worst, time.monotonic() - began)
        struck[kind] += 1
    return struck, worst


def goes_on(theatre: Theatre) -> bool:
    before = theatre.referee.presence().load.decisions
    time.sleep(0.05)
    return theatre.referee.presence().load.decisions > before


def campaign(folder: Path, strikes: Sequence[Strike], matches: int) -> tuple[Counter[str], float]:
    """Play a set with trouble; everything must be as it is without."""
    with Theatre(folder, matches) as theatre:
        struck, worst = strike(theatre, strikes)
        until(lambda: not theatre.playing, 300)
        results, voids = theatre.results, theatre.voids
        assert not theatre.twice
    assert set(voids) <= VOID | {"UNAVAILABLE", "CANCELLED", "UNKNOWN"}, voids
    assert not [match.forfeits for match in results.values() if match.forfeits]
    played = {key: play_of(match.record_json) for key, match in results.items()}
    assert played == undisturbed(matches)
    print(
        f"{sum(struck.values())} strikes {dict(struck)}, voids {dict(voids)}, worst {worst:.1f} s"
    )
    return struck, worst


def test_each_kind_of_trouble_changes_no_result(folder: Path) -> None:
    strikes = [Strike(SEED, number, (kind,)) for number, kind in enumerate(KINDS)]
    struck, _ = campaign(folder, strikes, 24)
    assert len(struck) >= 4


def test_a_campaign_goes_on_with_the_strikes_that_it_would_have_had() -> None:
    whole = [Strike("seed", number).drawn() for number in range(40)]
    again = [Strike("seed", number).drawn() for number in range(25, 40)]
    assert [kind for kind, _ in again] == [kind for kind, _ in whole[25:]]
    assert [chance.random() for _, chance in again] == [chance.random() for _, chance in whole[25:]]
    assert {kind for kind, _ in whole} == set(KINDS)


@pytest.mark.campaign
def test_hundreds_of_troubles_change_no_result(folder: Path) -> None:
    total: Counter[str] = Counter()
    worst = 0.0
    at = FROM
    while at < STRIKES:
        strikes = [Strike(SEED, number) for number in range(at, min(at + 25, STRIKES))]
        struck, waited = campaign(folder, strikes, 96)
        at += struck.total()
        print(f"to go on from here: KIBITZ_CAMPAIGN_FROM={at}", flush=True)
        total += struck
        worst = max(worst, waited)
    assert FROM + total.total() >= STRIKES
    print(f"campaign network: {total.total()} strikes {dict(total)}, worst wait {worst:.1f} s")


def test_the_wire_carries(folder: Path) -> None:
    referee = Referee(folder)
    referee.admit("a")
    with Wire(referee.socket) as wire, BotProcess(wire.address, "a"):
        until(lambda: referee.connected() == 1)
        [player] = referee.presence().players
        assert player.token_sha256 == digest("a")
    referee.stop()
