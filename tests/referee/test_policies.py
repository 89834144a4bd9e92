"""Failures at every kind of decision of every game and its options leave valid records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import kibitz
import pytest
from kibitz.games import game_class
from kibitz.phases import Auction
from kibitz.testing import variants
from kibitz_referee.table import Luck, Table
from kibitz_referee.terms import (
    ILLEGAL_ACTION,
    STALL,
    TIMEOUT,
    ClockTerms,
    Failure,
    OnFailure,
    Policy,
)

LIMIT = 2
GAMES = [
    game
    for name in kibitz.games()
    for game in variants(game_class(name))
    if game.fresh_decks and game.duplicable
]
KINDS = {
    "german_whist": {"card"},
    "whist": {"card"},
    "solo_whist": {"call", "trump", "card", "card of the dummy"},
    "three_handed_whist": {"exchange", "trump", "discard", "card"},
    "whiskey": {"call", "win", "card", "card of the dummy"},
    "whos_who": {"award", "card"},
    "ottocento": {"call", "declare", "show", "discard", "card"},
}
"""The kinds of decisions that each game has in one or another of its variants."""


def said(game: kibitz.Game) -> str:
    defaults = type(game)().options()
    changed = {k: v for k, v in game.options().items() if v != defaults[k]}
    return " ".join([game.name, *(f"{key}={value}" for key, value in changed.items())])


def table(game: kibitz.Game, policy: OnFailure, seed: str) -> Table:
    numbers = game.cards.number
    luck: list[Luck] = [
        (
            tuple(numbers[code] for code in kibitz.shuffle(game, f"{seed}{deal}")),
            kibitz.cut(game, deal, seed) if game.needs_cut(deal) else None,
        )
        for deal in range(60)
    ]
    names = [f"bot-{seat}" for seat in range(game.seats)]
    return Table("t", game, names, luck, ClockTerms(), Policy(policy, max_penalties=LIMIT))


def kind(one: Table) -> str:
    """What is to be decided; a dummy's card is a kind of its own."""
    deal, first, seat = one.deal, one.legal[0], one.turn
    if first.is_card:
        own = seat is not None and first in deal.hand(seat)
        return "card" if own else "card of the dummy"
    return "call" if isinstance(deal.phase, Auction) else first.code.partition(":")[0]


def failing(
    game: kibitz.Game, policy: OnFailure, rng: Random, seen: Counter[str], again: float = 0.03
) -> Table:
    """Play a match at random in which kinds of decisions not yet seen twice are failed first.

    ``again`` is how often others are failed.
    """
    one = table(game, policy, rng.random().hex())
    one.begin()
    failures = 0
    while one.turn is not None and one.number < game.seats * 2 + 2:
        what = kind(one)
        if failures < 4 and rng.random() < (0.5 if seen[what] < 2 else again):
            seen[what] += 1
            failures += 1
            reason = rng.choice((TIMEOUT, ILLEGAL_ACTION))
            one.fail(Failure(one.turn, reason, "as a test has it", 1.0, 1.2, 0.01))
        else:
            one.act(rng.choice(one.legal), 0.001)
    return one


def wrongs(one: Table) -> Iterator[str]:
    """Yield what is wrong with a table where decisions were failed."""
    record = one.match.record()
    replayed = kibitz.Record.from_json(record.to_json())
    if one.over:
        replayed.verify()
        if abs(sum(one.match.returns or ())) > 1e-9:
            yield "returns do not sum to nothing"
    by_deal = {lost.deal: lost.failure for lost in one.forfeits}
    if len(by_deal) != len(one.forfeits):
        yield "a deal was forfeited twice"
    for number, deal in enumerate(record.deals):
        failure = by_deal.get(number)
        if (failure is not None) != ("forfeit" in deal):
            yield f"deal {number} is forfeited in one place only"
        if failure is not None:
            if tuple(deal["scores"]) != tuple(one.match.game.worst(failure.seat)):
                yield f"deal {number} is not scored as the worst for seat {failure.seat}"
            if deal["clock"] != {"limit_ms": 1000, "used_ms": 1200, "lag_ms": 10}:
                yield f"deal {number} does not say limit, used and lag"
    penalties = Counter(penalty.failure.seat for penalty in one.penalties)
    if penalties and max(penalties.values()) > LIMIT:
        yield "there are more penalties than the limit"


@pytest.mark.parametrize("policy", list(OnFailure))
@pytest.mark.parametrize("game", GAMES, ids=said)
def test_failures_leave_a_valid_record(game: kibitz.Game, policy: OnFailure) -> None:
    one = failing(game, policy, Random(f"{said(game)} {policy}"), Counter())
    assert [*wrongs(one)] == []
    assert one.forfeits or one.penalties
    if policy is OnFailure.SUBSTITUTE:
        assert one.penalties
    else:
        assert not one.penalties
    assert {lost.failure.reason for lost in one.forfeits} <= {TIMEOUT, ILLEGAL_ACTION, STALL}


@pytest.mark.parametrize("policy", list(OnFailure))
@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_decision_is_failed(name: str, policy: OnFailure) -> None:
    games = [game for game in GAMES if game.name == name]
    seen: Counter[str] = Counter()
    rng = Random(name)
    for attempt in range(20 * len(games)):
        one = failing(games[attempt % len(games)], policy, rng, seen, 0.0)
        assert [*wrongs(one)] == []
        if seen.keys() >= KINDS[name]:
            break
    assert seen.keys() >= KINDS[name]


def test_games_and_kinds_are_all_there_are() -> None:
    assert {game.name for game in GAMES} == set(KINDS) == set(kibitz.games())


@pytest.mark.campaign
@pytest.mark.parametrize("policy", list(OnFailure))
@pytest.mark.parametrize("game", GAMES, ids=said)
def test_campaign_of_failures(game: kibitz.Game, policy: OnFailure) -> None:
    seen: Counter[str] = Counter()
    for seed in range(30):
        one = failing(game, policy, Random(f"{said(game)} {policy} {seed}"), seen)
        assert [*wrongs(one)] == []
