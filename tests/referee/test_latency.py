"""What bots say of their own time, beside what is measured: evidence, and never a charge."""

from __future__ import annotations

import logging
from pathlib import Path
from random import Random
from statistics import median

import pytest
from kibitz import client
from kibitz.v1 import bot_pb2, log_pb2, table_pb2
from kibitz_referee.latency import LONGEST_US, Latency, Spread

from tests.referee.desk import Desk, Guest, in_loop, play_on
from tests.referee.impostor import DISMISSED, WELCOME, Impostor, said
from tests.referee.parties import BotProcess, Played, RawBot, Referee, set_of, until
from tests.referee.wire import Wire

CLOCK = table_pb2.Clock(bank_ms=60_000, cap_ms=1_000, ready_ms=10_000, tolerance_ms=50)


def test_percentiles_are_known_to_a_sixteenth() -> None:
    spread = Spread()
    assert spread.percentile(50) == 0
    rng = Random(1)
    times = sorted(int(10 ** rng.uniform(0, 9)) for _ in range(2_000))
    for time in times:
        spread.add(time)
    for percent in (1, 50, 99, 100):
        assert spread.percentile(percent) == pytest.approx(times[percent * 20 - 1], rel=1 / 15)
    spread.add(2**70)
    assert spread.percentile(100) == pytest.approx(LONGEST_US, rel=1 / 15)


@pytest.mark.parametrize(
    ("took_us", "said", "lost"),
    [(0, 0, 40_000), (30_000, 30_000, 10_000), (40_001, 40_000, 0), (2**64 - 1, 40_000, 0)],
)
def test_a_claim_counts_for_as_much_as_was_measured(took_us: int, said: int, lost: int) -> None:
    latency = Latency(5.0)
    assert latency.last == {}
    latency.answered(5.0400001)
    assert latency.report(took_us) == lost
    assert (latency.measured, latency.said, latency.spread.count) == (40_000, said, 1)
    assert latency.last == {"said_ms": said // 1000, "latency_ms": lost // 1000}
    latency.answered(5.0)  # time that was credited since
    assert latency.report(took_us) == 0


async def asked() -> tuple[Desk, Guest, bot_pb2.Turns]:
    """Return a bot that is asked for its first decision."""
    desk = Desk()
    slow, quick = desk.bot("slow"), desk.bot("quick")
    await desk.seat(set_of("german_whist", ("quick", "slow"), end="hands:2", clock=CLOCK))
    for guest in (slow, quick):
        guest.hear()
    return desk, slow, slow.hear()


def say(guest: Guest, turns: bot_pb2.Turns, took_us: int) -> None:
    """Answer with the first legal actions, and say how long that took."""
    ends = [sum(turns.legal_counts[:place]) for place in range(len(turns.slots))]
    actions = [turns.legal[end] for end in ends]
    answer = bot_pb2.Actions(
        slots=turns.slots, decisions=turns.decisions, actions=actions, took_us=took_us
    )
    guest.say(actions=answer)


@pytest.mark.parametrize("took_us", [0, 250_000, 2**31, 2**32 - 1])
@in_loop
async def test_nothing_is_charged_by_what_a_bot_says(took_us: int) -> None:
    desk, slow, turns = await asked()
    await desk.passes(0.3)
    say(slow, turns, took_us)
    assert slow.player.charged == pytest.approx(0.3)
    (chair,) = slow.player.chairs.values()
    assert chair.clock.bank == pytest.approx(60.0 - 0.3)
    assert slow.player.latency.measured == pytest.approx(300_000, abs=2)
    assert slow.player.latency.said == min(took_us, slow.player.latency.measured)
    assert desk.hall.counts.latency.count == 1


@in_loop
async def test_of_a_late_answer_both_times_are_kept() -> None:
    desk, slow, turns = await asked()
    desk.time += 1.2
    say(slow, turns, 200_000)
    (forfeited,) = slow.player.chairs[turns.slots[0]].table.forfeits
    times = forfeited.failure.milliseconds()
    assert (times["limit_ms"], times["used_ms"]) == (1_000, 1_200)
    assert (times["said_ms"], times["latency_ms"]) == (200, 1_000)
    said = (
        "took 1200 ms of 1000; of these answers the bot says 200 ms, and 1000 were lost on the way"
    )
    assert forfeited.failure.detail == said
    [told] = [news.deal_end.forfeit for news in slow.hear().news if news.HasField("deal_end")]
    assert (told.said_ms, told.latency_ms) == (200, 1_000)


@in_loop
async def test_where_no_answer_came_its_last_ones_are_kept() -> None:
    desk, slow, turns = await asked()
    await desk.passes(0.3)
    say(slow, turns, 100_000)
    quick = desk.guests["quick"]
    while not (turns := slow.hear()).slots:
        quick.answer(quick.hear())
    await desk.passes(1.2)
    (forfeited,) = slow.player.chairs[turns.slots[0]].table.forfeits
    assert forfeited.failure.milliseconds()["said_ms"] == 100
    assert "no answer came; of its last answers the bot says 100 ms" in forfeited.failure.detail
    again = desk.bot("slow")
    assert again.player.latency.last == {}  # of another connection


@in_loop
async def test_bots_that_say_nothing_leave_no_trace() -> None:
    desk, slow, turns = await asked()
    slow.answer(turns)
    slow.say(heartbeat=bot_pb2.Heartbeat(number=7))
    beat = slow.session.out.next()
    assert beat is not None
    assert beat.heartbeat == bot_pb2.Heartbeat(number=7)
    assert slow.player.latency.last == {}
    say(slow, bot_pb2.Turns(), 5)
    slow.say(heartbeat=bot_pb2.Heartbeat(number=8))
    beat = slow.session.out.next()
    assert beat is not None
    assert beat.heartbeat.HasField("latency_p99_us")
    await play_on(desk, *desk.guests.values())


DELAY_S = 0.02


def test_a_way_that_takes_long_is_told_from_a_bot_that_does(referee: Referee) -> None:
    referee.admit("far", "slow")
    request = set_of("german_whist", ("far", "slow"), end="hands:2")
    for chair in request.matches[0].seats:
        chair.keep_messages = True
    code = "import time, kibitz\ndef play(view):\n    time.sleep(0.02)\n    return view.legal[0]\n"
    with (
        Wire(referee.socket) as wire,
        BotProcess(wire.address, "far"),
        BotProcess(referee, "slow", code + "kibitz.run(play)"),
    ):
        wire.slow_down(DELAY_S)
        played = Played(referee.stub.RunSet(request, timeout=60))
        there = referee.presence()
    players = {player.label: player for player in there.players}
    far, slow = players["far"], players["slow"]
    assert far.reports == slow.reports == 52
    assert 1e6 * DELAY_S < far.latency_p50_us <= far.latency_p99_us
    assert there.load.latency_p99_ms * 1000 >= far.latency_p50_us
    logs = {
        one.seat: log_pb2.MessageLog.FromString(one.log) for one in played.matches["m0"].messages
    }
    took, lost = times(logs[0])
    assert lost > 1e6 * DELAY_S  # twice that, less what the referee credits as its own lag
    assert took < 1e6 * DELAY_S
    took, _ = times(logs[1])
    assert took > 19_000


def times(log: log_pb2.MessageLog) -> tuple[float, float]:
    """Return how long answers took by what the bot says, and what was lost on the way: medians."""
    acted = [one for one in log.messages if one.said.HasField("actions")]
    assert len(acted) == 52
    took = [one.said.actions.took_us for one in acted]
    lost = [one.measured_us - one.said.actions.took_us for one in acted]
    return median(took), median(lost)


def test_an_answer_that_was_held_up_on_the_way_is_in_the_log_with_both_times(
    referee: Referee,
) -> None:
    referee.admit("far", "near")
    clock = table_pb2.Clock(bank_ms=60_000, cap_ms=600, ready_ms=20_000)
    request = set_of("german_whist", ("near", "far"), end="hands:4", clock=clock)
    with (
        Wire(referee.socket) as wire,
        BotProcess(referee, "near"),
        RawBot(wire.address, "far") as bot,
    ):
        bot.welcome()
        call = referee.stub.RunSet(request, timeout=60)
        turns = bot.turns()
        wire.slow_down(0.8)
        answer = bot_pb2.Actions(
            slots=turns.slots, decisions=turns.decisions, actions=turns.legal[:1], took_us=3_000
        )
        bot.send(actions=answer)
        until(lambda: referee.presence().load.deals == 1)
        wire.slow_down(0.0)
        bot.play_on()
        finished = Played(call).matches["m0"]
    forfeit = finished.forfeits[0]
    assert (forfeit.reason, forfeit.seat) == ("TIMEOUT", 1)
    assert not forfeit.HasField("said_ms")  # it had said nothing yet
    assert not any(one.said_ms > 3 for one in finished.forfeits)
    [log] = [log_pb2.MessageLog.FromString(one.log) for one in finished.messages]
    [late] = [one for one in log.messages if one.said.actions == answer]
    assert late.measured_us > 600_000


def test_a_bot_says_at_the_end_what_was_lost_on_the_way(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    beat = bot_pb2.Heartbeat(number=1, latency_p50_us=12_345, latency_p99_us=2**64 - 1)
    told = said(WELCOME, bot_pb2.PlayResponse(heartbeat=beat), DISMISSED)
    with caplog.at_level(logging.INFO), Impostor(folder, *told) as impostor:
        client.serve(lambda view: view.legal[0], impostor.address, "token")
    assert any("answers, 12.3 ms a message went by on the way" in one for one in caplog.messages)
