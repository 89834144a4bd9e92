"""Bots that misbehave in every way at once: what is left is right, and no other bot pays for it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz.v1 import bot_pb2, referee_pb2, table_pb2
from kibitz_referee.errors import RefusedError

from tests.referee.desk import Desk, Guest, in_loop, play_on
from tests.referee.parties import set_of

CLOCK = table_pb2.Clock(bank_ms=30_000, cap_ms=1_000, ready_ms=10_000, tolerance_ms=50)
POLICIES = (
    referee_pb2.ON_FAILURE_FORFEIT_DEAL,
    referee_pb2.ON_FAILURE_FORFEIT_MATCH,
    referee_pb2.ON_FAILURE_SUBSTITUTE,
)
REASONS = {"ILLEGAL_ACTION", "TIMEOUT", "STALL", "CRASH", "DISCONNECT", "RESIGN"}


def request(
    game: str, policy: int = 0, *seatings: tuple[str, ...], **options: Any
) -> referee_pb2.RunSetRequest:
    rules = kibitz.game(game)
    names = tuple(f"bot{seat}" for seat in range(rules.seats))
    end = {"german_whist": "hands:6"}.get(game, f"deals:{rules.seats * 2}")
    policies = referee_pb2.Policy(on_failure=POLICIES[policy], max_penalties=3)
    return set_of(game, *(seatings or (names,)), clock=CLOCK, policy=policies, end=end, **options)


def duplicable() -> list[str]:
    return [name for name in kibitz.games() if not kibitz.game(name).needs_cut(0)]


async def misbehave(desk: Desk, guest: Guest, rng: Random) -> Guest:
    """Do something with all turns that wait; mostly what is right."""
    turns = guest.hear()
    if not turns.slots:
        return guest
    slot, decision = turns.slots[0], turns.decisions[0]
    what = rng.random()
    if what < 0.02:
        guest.answer(turns, [rng.randrange(200) for _ in turns.slots])
    elif what < 0.04:
        reason = rng.choice(["CRASH", "RESIGN", "ILLEGAL_ACTION", "nonsense"])
        failure = bot_pb2.Failure(slot=slot, reason=reason, detail="x" * 10_000)
        if rng.random() < 0.5:
            failure.decision = max(0, decision + rng.randrange(-1, 2))
        guest.say(failure=failure)
    elif what < 0.06:
        await desk.passes(1.3)
    elif what < 0.07:
        guest.leave()
        guest = desk.bot(guest.player.label)
    elif what < 0.08:
        guest.say(resend=bot_pb2.Resend())
    else:
        guest.answer(turns, chosen(turns, rng))
        return guest
    if rng.random() < 0.5:
        turns = guest.hear()
        guest.answer(turns, chosen(turns, rng))
    guest.say(resend=bot_pb2.Resend(slots=guest.player.chairs))  # what it was asked it forgot
    return guest


def chosen(turns: bot_pb2.Turns, rng: Random) -> list[int]:
    """Choose a legal action for each turn."""
    actions, at = [], 0
    for count in turns.legal_counts:
        actions.append(turns.legal[at + rng.randrange(count)])
        at += count
    return actions


def check(finished: referee_pb2.MatchFinished) -> None:
    """Check that a result is whole, whatever went wrong."""
    record = kibitz.Record.from_json(finished.record_json)
    record.verify()
    forfeited = [one.deal for one in finished.forfeits]
    assert len(set(forfeited)) == len(forfeited) <= len(record.deals)
    assert sorted(forfeited) == [n for n, deal in enumerate(record.deals) if "forfeit" in deal]
    assert {one.reason for one in finished.forfeits} <= REASONS
    assert {one.reason for one in finished.penalties} <= {"ILLEGAL_ACTION", "TIMEOUT"}
    assert all(one.used_ms >= 0 and one.lag_ms == 0 for one in finished.forfeits)
    timeouts = [one for one in finished.forfeits if one.reason == "TIMEOUT"]
    assert all(one.used_ms > one.limit_ms for one in timeouts if one.limit_ms)
    assert abs(sum(finished.returns)) < 1e-9


async def mischief(game: str, policy: int, seed: int, tables: int) -> set[str]:
    """Play a set among bots that all misbehave; return the reasons that came up."""
    rng = Random(f"{game} {policy} {seed}")
    desk = Desk()
    names = tuple(f"bot{seat}" for seat in range(kibitz.game(game).seats))
    guests = [desk.bot(name) for name in names]
    await desk.seat(request(game, policy, *[names] * tables, seed=str(seed)))
    while desk.hall.sets:
        guests = [await misbehave(desk, guest, rng) for guest in guests]
        await desk.passes(0.05)
    events = await desk.result()
    assert events[-1].HasField("set_finished"), events[-1]
    results = [event.match_finished for event in events if event.HasField("match_finished")]
    assert len(results) == tables
    for finished in results:
        check(finished)
    forfeits = {one.reason for finished in results for one in finished.forfeits}
    return forfeits | {one.reason for finished in results for one in finished.penalties}


@pytest.mark.parametrize("policy", range(3))
@pytest.mark.parametrize("game", duplicable())
@in_loop
async def test_whatever_bots_do_wrong_every_match_ends_with_a_right_record(
    game: str, policy: int
) -> None:
    assert await mischief(game, policy, 0, 2)


@pytest.mark.campaign
@pytest.mark.parametrize("policy", range(3))
@pytest.mark.parametrize("game", duplicable())
@in_loop
async def test_campaign_of_misbehaviour(game: str, policy: int) -> None:
    seen: set[str] = set()
    for seed in range(1, 40):
        seen |= await mischief(game, policy, seed, 3)
    assert len(seen) >= 4


@in_loop
async def test_a_bot_cannot_have_a_card_played_for_its_opponent() -> None:
    desk = Desk()
    rogue, sound = desk.bot("bot0"), desk.bot("bot1")
    await desk.seat(request("german_whist", 2))
    rogue.hear()
    turns = sound.hear()  # the dealer is bot0, so bot1 is to decide
    assert turns.slots
    (chair,) = rogue.player.chairs.values()
    assert chair.table.turn == 1
    for failure in (
        bot_pb2.Failure(slot=chair.slot, reason="ILLEGAL_ACTION"),
        bot_pb2.Failure(slot=chair.slot, reason="ILLEGAL_ACTION", decision=0),
        bot_pb2.Failure(slot=chair.slot, reason="CRASH", decision=5),
    ):
        rogue.say(failure=failure)
    rogue.hear()
    assert [reject.reason for reject in rogue.rejects] == ["NOT_YOUR_TURN"] * 3
    assert chair.table.decision == 0
    assert not chair.table.penalties
    rogue.say(failure=bot_pb2.Failure(slot=chair.slot, reason="CRASH"))
    assert [one.failure.reason for one in chair.table.forfeits] == ["CRASH"]
    rogue.say(resend=bot_pb2.Resend())
    sound.say(resend=bot_pb2.Resend())
    await play_on(desk, rogue, sound)


@in_loop
async def test_a_failure_that_comes_too_late_costs_no_second_deal() -> None:
    desk = Desk()
    rogue, sound = desk.bot("bot0"), desk.bot("bot1")
    await desk.seat(request("german_whist"))
    while not (turns := rogue.hear()).slots:
        sound.answer(sound.hear())
    await desk.passes(1.2)
    failure = bot_pb2.Failure(slot=turns.slots[0], reason="CRASH", decision=turns.decisions[0])
    rogue.say(failure=failure)
    rogue.hear()
    assert [reject.reason for reject in rogue.rejects] == ["LATE"]
    (chair,) = rogue.player.chairs.values()
    assert [one.failure.reason for one in chair.table.forfeits] == ["TIMEOUT"]
    rogue.say(resend=bot_pb2.Resend())
    await play_on(desk, rogue, sound)


@in_loop
async def test_a_link_that_is_half_open_is_given_up() -> None:
    desk = Desk()
    guest = desk.bot("a")
    await desk.passes(19.9, step=0.5)
    assert guest.refused is None
    await desk.passes(0.5)
    assert guest.refused is not None
    assert guest.refused.reason == "SILENT"


@in_loop
async def test_being_away_again_and_again_comes_to_an_end() -> None:
    desk = Desk()
    rogue, sound = desk.bot("bot0"), desk.bot("bot1")
    clock = table_pb2.Clock(bank_ms=900_000, cap_ms=900_000, ready_ms=10_000)
    patient = request("german_whist")
    patient.clock.CopyFrom(clock)
    await desk.seat(patient)
    rogue.hear()
    for _ in range(6):  # each time shorter than the grace
        rogue.leave()
        for _ in range(14):
            sound.say(heartbeat=bot_pb2.Heartbeat())
            sound.answer(sound.hear())
            await desk.passes(1.0, step=0.5)
        if not desk.hall.sets:
            break
        rogue = desk.bot("bot0")
        rogue.hear()
    finished = (await desk.result())[-2].match_finished
    assert {(one.seat, one.reason) for one in finished.forfeits} == {(0, "DISCONNECT")}
    check(finished)


@in_loop
async def test_absences_at_tables_that_are_over_are_forgotten() -> None:
    desk = Desk()
    rogue, sound = desk.bot("bot0"), desk.bot("bot1")
    patient = request("german_whist")
    patient.clock.CopyFrom(table_pb2.Clock(bank_ms=900_000, cap_ms=900_000, ready_ms=10_000))
    for _ in range(6):  # 84 s in all
        await desk.seat(patient)
        rogue.hear()
        sound.hear()
        rogue.leave()
        await desk.passes(14.0, step=1.0)
        rogue = desk.bot("bot0")
        sound.say(resend=bot_pb2.Resend())
        await play_on(desk, rogue, sound)
        finished = (await desk.result())[-2].match_finished
        assert not finished.forfeits
        check(finished)


@in_loop
async def test_what_a_bot_does_not_read_is_not_kept_for_it() -> None:
    desk = Desk()
    guest = desk.bot("a")
    for number in range(1_000):
        desk.time += 1.0
        guest.say(heartbeat=bot_pb2.Heartbeat(number=number))
    last = guest.session.out.next()
    assert last is not None
    assert last.heartbeat.number == 999
    assert guest.session.out.next() is None

    def talk() -> None:
        for _ in range(10_000):
            desk.time += 1.0
            guest.say(actions=bot_pb2.Actions(slots=[7], decisions=[0], actions=[0]))

    with pytest.raises(RefusedError) as caught:  # rejects must be told: so there is a limit
        talk()
    assert caught.value.reason == "FLOODING"


@in_loop
async def test_seats_held_from_before_count_first() -> None:
    desk = Desk()
    a, b = desk.bot("a", 3), desk.bot("b")
    await desk.seat(set_of("german_whist", *[("a", "b")] * 5, end="hands:2", clock=CLOCK))
    assert len(a.player.chairs) == 3
    a.leave()
    again = desk.bot("a", 2)  # it wants fewer now
    await desk.settle()
    assert len(again.player.chairs) == 3
    assert again.player.room() == -1
    await play_on(desk, again, b)
    assert len(json.loads((await desk.result())[-2].match_finished.record_json)["deals"]) == 2
