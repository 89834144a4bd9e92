"""What must hold for every game, all options of it at once, drawn at random."""

from collections.abc import Iterable
from random import Random
from typing import Any

import hypothesis.strategies as st
import kibitz
import pytest
from hypothesis import HealthCheck, assume, given, settings
from kibitz import testing
from kibitz.events import HIDDEN, STOCK, What
from kibitz.games import game_class
from kibitz.options import Allowed, allowed

UNHURRIED = settings(
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
SECRET = {What.DEALT, What.DISCARDED}


def values(of: Allowed) -> st.SearchStrategy[Any]:
    """Return what an option can be, with ends that are soon reached."""
    if of.ends:
        ends = [f"{one.kind}:{one.only or n * one.step}" for one in of.ends for n in (1, 2)]
        words = [str(value) for value in of.values if ":" not in str(value)]
        return st.sampled_from([*words, *ends, *(f"deals:{n}" for n in (3, 4) if of.words)])
    if of.members:
        return st.lists(st.sampled_from(of.members), min_size=1, max_size=3).map(tuple)
    return st.integers(1, 3) if of.least is not None else st.sampled_from(of.values)


def variants(name: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({key: values(of) for key, of in allowed(game_class(name)).items()})


games = st.sampled_from(kibitz.games()).flatmap(
    lambda name: st.tuples(st.just(name), variants(name))
)


def check_all(chosen: tuple[str, dict[str, Any]], seed: int) -> None:
    name, options = chosen
    try:
        game = kibitz.game(name, **options)
    except kibitz.OptionError as error:
        refused = error.reason
        assert refused == "OPTIONS_CLASH"  # nothing else can be wrong with these
        assume(False)
    testing.check_game(game, seeds=[seed])
    *_, deal = testing.steps(game, seed)
    check_events(deal)
    check_scores(deal)


def check_events(deal: kibitz.Deal) -> None:
    """Check who is told what: only cards dealt and cards laid away are for one player's eyes."""
    for event in deal.events:
        assert event.to is None or (event.what in SECRET and event.to == event.place)
        assert event.place in range(deal.game.places) or event.place == STOCK
        assert kibitz.Event.from_code(event.code) == event
        assert event.detail == HIDDEN or event.detail >= 0


ZERO_SUM = {"solo_whist", "three_handed_whist", "ottocento"}


def check_scores(deal: kibitz.Deal) -> None:
    scores, game = deal.scores, deal.game
    assert scores is not None
    if game.name in ZERO_SUM:
        assert sum(scores) == 0
    assert all(score * 2 == int(score * 2) for score in scores)
    returns = game.returns([scores] * 12)
    assert abs(sum(returns)) < 1e-9
    assert sum(game.returns([game.worst(0)] * 12)) == 0


@settings(UNHURRIED, max_examples=30, derandomize=True)
@given(games, st.integers(0, 10_000))
def test_every_game_with_any_options(chosen: tuple[str, dict[str, Any]], seed: int) -> None:
    check_all(chosen, seed)


@pytest.mark.campaign
@pytest.mark.parametrize("name", kibitz.games())
def test_many_options_of_every_game(name: str) -> None:
    @settings(UNHURRIED, max_examples=300)
    @given(variants(name), st.integers(0, 10**6))
    def check(options: dict[str, Any], seed: int) -> None:
        check_all((name, options), seed)

    check()


def kinds(deals: Iterable[kibitz.Deal]) -> set[What]:
    return {event.what for deal in deals for event in deal.events}


def test_every_kind_of_event_is_met_in_what_is_checked() -> None:
    found: set[What] = set()
    for name in kibitz.games():
        for game in testing.variants(game_class(name)):
            *_, deal = testing.steps(game, 1)
            found |= kinds([deal])
    for name in ("ottocento", "solo_whist"):  # what is given for the Fool and partners are rarer
        for seed in range(100):
            *_, deal = testing.steps(kibitz.game(name), seed)
            found |= kinds([deal])
    assert found == set(What)


@pytest.mark.parametrize("name", kibitz.games())
def test_what_a_seat_is_told_only_grows(name: str) -> None:
    game, rng = kibitz.game(name), Random(4)
    before: list[list[kibitz.Event]] = [[] for _ in range(game.seats)]
    for deal in testing.steps(game, rng.randrange(1000)):
        for seat, told in enumerate(before):
            now = deal.seen(seat)
            assert now[: len(told)] == told
            before[seat] = now
