"""Tables by themselves: no connections, no time of day."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz_referee.errors import BrokenOffError
from kibitz_referee.table import Table
from kibitz_referee.terms import (
    CRASH,
    DISCONNECT,
    ILLEGAL_ACTION,
    STALL,
    TIMEOUT,
    ClockTerms,
    Failure,
    OnFailure,
    Policy,
)

SHORT = {"deals": "deals:12", "hands": "hands:4"}


def table(
    name: str,
    policy: OnFailure = OnFailure.FORFEIT_DEAL,
    decks: int = 60,
    clock: ClockTerms | None = None,
    **options: Any,
) -> Table:
    game = kibitz.game(name, **options)
    numbers = game.cards.number
    luck = [
        (tuple(numbers[code] for code in kibitz.shuffle(game, f"{name}{deal}")), None)
        for deal in range(decks)
    ]
    names = [f"bot-{seat}" for seat in range(game.seats)]
    return Table("t", game, names, luck, clock or ClockTerms(), Policy(policy, max_penalties=2))


def play(one: Table, rng: Random, decisions: int = 1_000_000) -> None:
    """Play at random, until the match is over or so many decisions have been taken."""
    while one.turn is not None and decisions:
        one.act(rng.choice(one.legal), 0.001)
        decisions -= 1


def checked(one: Table) -> kibitz.Record:
    for played in one.match.played:
        names = played.deal.game.actions.names
        assert played.actions == [[seat, names[action]] for seat, action in played.deal.history]
    record = one.match.record()
    kibitz.Record.from_json(record.to_json()).verify()
    return record


def duplicable() -> list[str]:
    return [name for name in kibitz.games() if not kibitz.game(name).needs_cut(0)]


@pytest.mark.parametrize("name", duplicable())
def test_a_forfeited_deal_costs_what_the_rules_say(name: str) -> None:
    one = table(name)
    one.begin()
    play(one, Random(1), 5)
    seat, number = one.turn, one.number
    assert seat is not None
    one.fail(Failure(seat, ILLEGAL_ACTION))
    assert one.number == number + 1
    played = one.finished(number)
    assert played.scores == one.match.game.worst(seat)
    assert played.forfeit == {"seat": seat, "reason": ILLEGAL_ACTION}


def test_the_match_is_forfeited_deal_by_deal() -> None:
    one = table("whiskey", OnFailure.FORFEIT_MATCH, end="deals:6")
    one.begin()
    one.fail(Failure(0, CRASH, "boom"))
    assert one.over
    assert one.turn is None
    assert [lost.deal for lost in one.forfeits] == list(range(6))
    assert one.match.totals == (-52 * 6, 0, 0)
    checked(one)


@pytest.mark.parametrize("policy", list(OnFailure))
def test_a_bot_that_is_gone_forfeits_all_that_is_left(policy: OnFailure) -> None:
    one = table("german_whist", policy, end="hands:4")
    one.begin()
    play(one, Random(2), 60)
    one.fail(Failure(1, DISCONNECT))
    assert one.over
    assert {lost.deal for lost in one.forfeits} == {1, 2, 3}
    checked(one)


def test_three_timeouts_in_a_row_are_a_stall_and_answers_between_start_anew() -> None:
    one = table("german_whist", end="hands:10")
    one.begin()

    def time_out(seat: int) -> None:
        while one.turn != seat:
            one.act(one.legal[0], 0.0)
        one.fail(Failure(seat, TIMEOUT))

    time_out(0)
    time_out(0)
    while one.turn != 0:
        one.act(one.legal[0], 0.0)
    one.act(one.legal[0], 0.0)
    time_out(0)
    time_out(0)
    assert not one.over
    time_out(0)
    assert one.over
    reasons = [lost.failure.reason for lost in one.forfeits]
    assert reasons == [TIMEOUT] * 4 + [STALL] * 6


def test_beyond_the_limit_of_penalties_the_match_is_forfeited() -> None:
    one = table("german_whist", OnFailure.SUBSTITUTE, end="hands:4")
    one.begin()
    for _ in range(3):
        seat = one.turn
        assert seat is not None
        while one.turn != 0:
            one.act(one.legal[0], 0.0)
        one.fail(Failure(0, ILLEGAL_ACTION))
    assert one.over
    assert len(one.penalties) == 2
    checked(one)


def test_a_substitute_passes_where_one_can_pass() -> None:
    one = table("whiskey", OnFailure.SUBSTITUTE)
    one.begin()
    assert "pass" in [action.code for action in one.legal]
    seat = one.turn
    assert seat is not None
    one.fail(Failure(seat, TIMEOUT))
    assert one.penalties[0].action == "pass"
    assert one.turn != seat


def test_banks_grow_by_deals_and_shrink_by_decisions() -> None:
    terms = ClockTerms(bank=10.0, increment=2.0, cap=5.0)
    one = table("german_whist", clock=terms, end="hands:2")
    one.begin()
    seat = one.turn
    assert seat is not None
    assert one.clocks[seat].bank == 12.0
    one.act(one.legal[0], 1.5)
    assert one.clocks[seat].bank == 10.5
    one.fail(Failure(seat, CRASH))
    assert [clock.bank for clock in one.clocks] == [
        12.5 if number == seat else 14.0 for number in range(2)
    ]


def test_a_decision_that_overruns_within_the_tolerance_leaves_an_empty_bank() -> None:
    one = table("german_whist", clock=ClockTerms(bank=3.0, increment=0.0, cap=5.0, tolerance=0.05))
    one.begin()
    seat = one.turn
    assert seat is not None
    assert one.clocks[seat].limit == pytest.approx(3.0)
    one.act(one.legal[0], 3.04)
    assert one.clocks[seat].bank == 0.0
    assert one.clocks[seat].limit == 0.0


def test_without_clocks_no_time_is_too_long() -> None:
    one = table("german_whist", clock=ClockTerms(untimed=True))
    one.begin()
    assert math.isinf(one.clocks[0].limit)


def test_a_match_whose_decks_run_out_is_broken_off_without_a_result() -> None:
    one = table("german_whist", decks=2, end="points:50")
    one.begin()
    with pytest.raises(BrokenOffError) as caught:
        play(one, Random(3))
    assert caught.value.reason == "NO_DECK"
