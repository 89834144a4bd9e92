"""What bots are charged, by tables whose time stands still until the test moves it."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from kibitz.v1 import bot_pb2, table_pb2

from tests.referee.desk import Desk, Guest, in_loop, play_on
from tests.referee.parties import BotProcess, RawBot, Referee, set_of, until
from tests.referee.stops import stopped

CLOCK = table_pb2.Clock(bank_ms=60_000, cap_ms=1_000, ready_ms=10_000, tolerance_ms=50)


async def pair(tables: int, clock: table_pb2.Clock = CLOCK, deals: int = 2) -> tuple[Desk, Guest]:
    """Return a bot that is asked for a decision at each of some tables."""
    desk = Desk()
    slow, quick = desk.bot("slow"), desk.bot("quick")
    request = set_of(
        "german_whist", *[("quick", "slow")] * tables, end=f"hands:{deals}", clock=clock
    )
    await desk.seat(request)
    for guest in (slow, quick):
        guest.hear()
    quick.answer(quick.hear())
    return desk, slow


@in_loop
async def test_64_answers_after_640_ms_cost_10_ms_each() -> None:
    desk, slow = await pair(64)
    turns = slow.hear()
    assert len(turns.slots) == 64
    await desk.passes(0.64)
    slow.answer(turns)
    banks = [chair.clock.bank for chair in slow.player.chairs.values()]
    assert banks == pytest.approx([60.0 - 0.010] * 64)
    assert slow.player.charged == pytest.approx(0.64)


@in_loop
async def test_answers_that_come_one_by_one_are_charged_the_time_that_passed_and_no_more() -> None:
    desk, slow = await pair(10)
    turns = slow.hear()
    ends = [sum(turns.legal_counts[: index + 1]) for index in range(10)]
    for index, end in enumerate(ends):
        await desk.passes(0.05)
        first = turns.legal[end - turns.legal_counts[index]]
        slow.say(
            actions=bot_pb2.Actions(
                slots=[turns.slots[index]], decisions=[turns.decisions[index]], actions=[first]
            )
        )
    assert slow.player.charged == pytest.approx(0.5)
    banks = [slow.player.chairs[slot].clock.bank for slot in turns.slots]
    assert banks == sorted(banks, reverse=True)
    assert not slow.rejects


@in_loop
async def test_many_events_in_a_turn_are_one_measure_of_time() -> None:
    desk, slow = await pair(1)
    turns = slow.hear()
    assert sum(turns.event_counts) > 20
    await desk.passes(0.3)
    slow.answer(turns)
    assert slow.player.charged == pytest.approx(0.3)


@pytest.mark.parametrize(("took", "late"), [(1.0, False), (1.049, False), (1.06, True)])
@in_loop
async def test_a_decision_may_overrun_by_the_tolerance_that_is_told(
    took: float, late: bool
) -> None:
    desk, slow = await pair(1)
    turns = slow.hear()
    desk.time += took
    slow.answer(turns)
    slow.hear()
    assert [reject.reason for reject in slow.rejects] == ["LATE"] * late
    assert slow.player.chairs[turns.slots[0]].clock.bank == pytest.approx(60.0 - took)


@in_loop
async def test_a_late_answer_is_told_at_once_and_says_so() -> None:
    desk, slow = await pair(1)
    turns = slow.hear()
    await desk.passes(1.2)
    slow.answer(turns)
    assert slow.session.out.next() is not None
    slow.hear()
    await desk.settle()
    table = slow.player.chairs[turns.slots[0]].table
    (forfeited,) = table.forfeits
    failure = forfeited.failure
    assert (failure.seat, failure.reason) == (1, "TIMEOUT")
    assert failure.milliseconds()["limit_ms"] == 1_000
    assert 1_050 < failure.milliseconds()["used_ms"] <= 1_200


@in_loop
async def test_a_connection_lost_and_made_again_stops_no_clock() -> None:
    desk, slow = await pair(1)
    turns = slow.hear()
    await desk.passes(0.4)
    slow.leave()
    await desk.passes(0.4)
    again = desk.bot("slow")
    told = again.hear()
    assert list(told.decisions) == list(turns.decisions)
    await desk.passes(0.1)
    again.answer(told)
    assert again.player.chairs[turns.slots[0]].clock.bank == pytest.approx(60.0 - 0.9)


@in_loop
async def test_a_turn_that_comes_while_the_bot_is_away_is_charged_from_then_on() -> None:
    desk = Desk()
    slow, quick = desk.bot("slow"), desk.bot("quick")
    await desk.seat(set_of("german_whist", ("quick", "slow"), end="hands:2", clock=CLOCK))
    slow.hear()
    quick.hear()
    slow.answer(slow.hear())  # it leads to the first trick
    slow.leave()
    await desk.passes(0.8)
    turns = quick.hear()
    quick.answer(turns)
    await desk.passes(0.8)
    again = desk.bot("slow")
    again.answer(again.hear())
    (chair,) = again.player.chairs.values()
    assert not chair.table.forfeits
    assert chair.clock.bank >= 60.0 - 0.8 - 1e-6


@in_loop
async def test_time_to_get_ready_is_not_charged_and_not_had_twice() -> None:
    desk = Desk()
    desk.bot("quick").hear()
    slow = desk.bot("slow")
    await desk.seat(set_of("german_whist", ("quick", "slow"), end="hands:2", clock=CLOCK))
    await desk.passes(9.0)
    slow.leave()
    again = desk.bot("slow")  # a second start has no time of its own
    await desk.passes(1.2)
    failed = (await desk.result())[-1].set_failed
    assert (failed.reason, failed.seat) == ("NOT_READY", 0)
    assert again.player.charged == 0.0


@in_loop
async def test_decisions_are_never_refused_for_their_rate() -> None:
    desk, slow = await pair(1, deals=200)
    quick = desk.guests["quick"]
    await play_on(desk, slow, quick)  # thousands of answers in no time
    assert slow.player.decisions == 26 * 200
    assert slow.refused is None
    assert quick.refused is None


@in_loop
async def test_heartbeats_are_no_answer() -> None:
    desk, slow = await pair(1, deals=4)
    for number in range(60):
        slow.say(heartbeat=bot_pb2.Heartbeat(number=number))
        slow.hear()
        desk.guests["quick"].answer(desk.guests["quick"].hear())
        await desk.passes(0.1)
    finished = (await desk.result())[-2].match_finished
    assert [one.reason for one in finished.forfeits] == ["TIMEOUT", "TIMEOUT", "STALL", "STALL"]
    assert {one.seat for one in finished.forfeits} == {1}


@in_loop
async def test_no_table_opens_while_the_referee_is_late() -> None:
    desk = Desk()
    desk.hall.limits = replace(desk.hall.limits, lag=-1.0)
    bots = desk.bot("a"), desk.bot("b")
    run = await desk.seat(set_of("german_whist", ("a", "b"), end="hands:2", clock=CLOCK))
    await desk.passes(1.0)
    assert (len(run.pending), len(run.live)) == (1, 0)
    desk.hall.limits = replace(desk.hall.limits, lag=0.25)
    await desk.passes(0.2)
    assert (len(run.pending), len(run.live)) == (0, 1)
    await play_on(desk, *bots)
    assert (await desk.result())[-1].HasField("set_finished")


@in_loop
async def test_no_table_opens_right_after_the_loop_stood_still() -> None:
    desk = Desk()
    desk.hall.now = time.monotonic
    desk.hall.open()
    desk.bot("a"), desk.bot("b")
    await asyncio.sleep(0.05)
    time.sleep(0.4)  # as if a table took so long
    run = await desk.seat(set_of("german_whist", ("a", "b"), end="hands:2", clock=CLOCK))
    assert (len(run.pending), len(run.live)) == (1, 0)
    async with asyncio.timeout(20):
        while run.pending:
            await asyncio.sleep(0.02)
    assert desk.hall.lag.percentile(100) > 0.25
    run.abandon("ABANDONED")
    desk.hall.close()


def test_a_referee_that_stood_still_charges_nobody_for_that(referee: Referee) -> None:
    referee.admit("a", "b")
    clock = table_pb2.Clock(bank_ms=60_000, cap_ms=1_000, ready_ms=20_000)
    seatings = [("a", "b")] * 16
    with BotProcess(referee, "a"), BotProcess(referee, "b"):
        until(lambda: referee.connected() == 2)
        with ThreadPoolExecutor(1) as pool:
            request = set_of("german_whist", *seatings, end="hands:60", clock=clock)
            played = pool.submit(referee.run, request)
            until(lambda: referee.presence().load.deals > 0)
            for _ in range(2):
                stopped(referee.process, 1.6)
                time.sleep(0.2)
            result = played.result(60)
        lag = referee.presence().load.lag_max_ms
    assert result.finished
    assert not any(result.reasons(match_id) for match_id in result.matches)
    assert 1_500 < lag < 10_000


def test_the_time_left_that_a_bot_hears_is_what_it_has(referee: Referee) -> None:
    referee.admit("a", "b")
    clock = table_pb2.Clock(bank_ms=60_000, cap_ms=30_000, increment_ms=500, ready_ms=20_000)
    with BotProcess(referee, "b"), RawBot(referee.address, "a") as bot:
        bot.welcome()
        with ThreadPoolExecutor(1) as pool:
            request = set_of("german_whist", *[("a", "b")] * 64, end="hands:2", clock=clock)
            played = pool.submit(referee.run, request)
            until(lambda: referee.presence().load.tables == 64)
            turns = bot.turns()
            while len(turns.slots) < 64:
                turns.MergeFrom(bot.turns())
            time.sleep(0.64)
            bot.answer(turns)
            following = bot.turns()
            bot.answer(following)
            bot.play_on()
            assert played.result(60).finished
    # 10 ms if the machine were quick; far from 640 in any case.
    assert 60_500 - 150 < following.time_left_ms[0] <= 60_500 - 10
