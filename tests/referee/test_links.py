"""Links that fail, as bots of the SDK and the referee live through them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from kibitz.client.options import CHANNEL, SERVER
from kibitz.v1 import table_pb2

from tests.referee.parties import PATIENT, BotProcess, Played, RawBot, Referee, set_of, until
from tests.referee.wire import Wire

SLOW = """
import time
import kibitz

class First(kibitz.Bot):
    def play(self, view):
        time.sleep(0.005)
        return view.legal[0]

kibitz.run(First)
"""

Start = Callable[..., Referee]


@contextmanager
def game_behind_a_wire(start: Start, bot: str = SLOW) -> Iterator[tuple[Referee, Wire, Played]]:
    """A match under way whose first bot is at the end of a wire; its result is there at the end."""
    referee = start("--grace", "30", "--silence", "2")
    referee.admit("far", "near")
    request = set_of("german_whist", ("far", "near"), end="hands:8", clock=PATIENT)
    played = Played.__new__(Played)
    with (
        Wire(referee.socket) as wire,
        BotProcess(wire.address, "far", bot),
        BotProcess(referee, "near"),
        ThreadPoolExecutor(1) as pool,
    ):
        result = pool.submit(referee.run, request)
        until(lambda: referee.presence().load.decisions > 10)
        yield referee, wire, played
        played.__dict__.update(vars(result.result(60)))


def connections(referee: Referee) -> int:
    """How often the far bot has connected."""
    return referee.log.read_text().count("bot connected") - 1


def test_a_bot_that_cannot_find_out_about_its_game_tries_until_it_can(start: Start) -> None:
    with game_behind_a_wire(start) as (referee, wire, played):
        wire.refuse(True)
        wire.cut()
        until(lambda: referee.connected() == 1)
        time.sleep(1.5)  # several attempts end in nothing
        assert referee.presence().load.tables == 1
        wire.refuse(False)
    assert played.finished
    assert not played.reasons("m0")
    played.record("m0")


def test_both_ends_find_out_by_themselves_that_a_link_is_half_open(start: Start) -> None:
    with game_behind_a_wire(start) as (referee, wire, played):
        wire.half_open()
        until(lambda: connections(referee) == 2)
    assert played.finished
    assert not played.reasons("m0")


def test_pings_of_bots_are_none_too_many_for_the_referee() -> None:
    bot, referee = dict(CHANNEL), dict(SERVER)
    allowed = referee["grpc.http2.min_ping_interval_without_data_ms"]
    assert bot["grpc.keepalive_time_ms"] > allowed
    assert bot["grpc.keepalive_permit_without_calls"] == 1
    assert referee["grpc.keepalive_permit_without_calls"] == 1


def test_leaving_a_deal_costs_all_that_are_left_and_is_never_void(referee: Referee) -> None:
    referee.admit("leaver", "sound")
    request = set_of("german_whist", ("leaver", "sound"), end="hands:4")
    with BotProcess(referee, "sound"), ThreadPoolExecutor(1) as pool:
        with RawBot(referee.address, "leaver") as leaver:
            leaver.welcome()
            result = pool.submit(referee.run, request)
            while not any(news.HasField("deal_end") for news in leaver.news):
                leaver.answer(leaver.turns())
        played = result.result(60)
    assert played.finished
    assert played.reasons("m0") == [(0, "DISCONNECT")] * 3
    record = played.record("m0")
    assert [deal["scores"] for deal in record.deals[1:]] == [[-1, 1]] * 3


@pytest.mark.parametrize("late", [False, True])
def test_no_turn_is_skipped_whoever_is_ready_last(referee: Referee, late: bool) -> None:
    referee.admit("a", "b")
    request = set_of("german_whist", ("a", "b"), end="hands:2")
    with RawBot(referee.address, "a") as a, RawBot(referee.address, "b") as b:
        a.welcome()
        b.welcome()
        with ThreadPoolExecutor(3) as pool:
            result = pool.submit(referee.run, request)
            first, second = (b, a) if late else (a, b)
            while not first.seats:
                first.hear()
            time.sleep(0.2 * late)
            while not second.seats:
                second.hear()
            for playing in [pool.submit(bot.play_on) for bot in (a, b)]:
                playing.result(30)
            played = result.result(30)
    asked = sorted([*a.asked, *b.asked])
    assert not played.reasons("m0")
    assert asked == list(range(len(asked)))
    assert len(asked) == sum(len(deal["actions"]) for deal in played.record("m0").deals)


def test_a_table_whose_bots_are_not_all_ready_never_begins(referee: Referee) -> None:
    referee.admit("a", "b")
    clock = table_pb2.Clock(bank_ms=60_000, cap_ms=30_000, ready_ms=600)
    request = set_of("german_whist", ("a", "b"), end="hands:2", clock=clock)
    with BotProcess(referee, "b"), RawBot(referee.address, "a") as a:
        a.welcome()
        until(lambda: referee.connected() == 2)
        a.send = lambda **_: None  # type: ignore[method-assign] # it hears, and never says ready
        with ThreadPoolExecutor(1) as pool:
            result = pool.submit(referee.run, request)
            while not a.news:
                a.hear()
            failed = result.result(30).failed
    assert failed is not None
    assert (failed.reason, failed.seat) == ("NOT_READY", 0)
    assert not [news for news in a.news if news.HasField("deal_start")]
