"""Traded wins stand out against what the rest of a league lets expect, honest results do not."""

from itertools import combinations

import numpy as np
import pytest
from kibitz_worker.ratings import SetColumns
from kibitz_worker.ratings.log import read_log
from kibitz_worker.ratings.trading import Trades, find_trades

BOTS = 8
NAMES = tuple(f"u{n // 2}/bot{n}/1" for n in range(BOTS))
OWNERS = {name: name.split("/")[0] for name in NAMES}
STRENGTHS = np.linspace(-1.0, 1.0, BOTS)


def league(
    seats: int, sets: int, seed: int, *, thrown: float = 0.0, helped: float = 0.0, style: float = 0
) -> SetColumns:
    """Bots 6 and 7 have one owner: the weaker throws sets to the other, or both gang up on a third.

    `style` shifts each pair's chances by so much at random, as bots that suit one another do.
    """
    random = np.random.default_rng(seed)
    tables = np.array(list(combinations(range(BOTS), seats)))
    players = np.resize(tables, (sets, seats))
    scores = STRENGTHS[players] + random.gumbel(size=players.shape)
    if style:
        suits = random.normal(0.0, style, (BOTS, BOTS))
        scores[:, 0] += suits[players[:, 0], players[:, 1]]
    both = (players == 6).any(axis=1) & (players == 7).any(axis=1)
    gift = both & (random.random(sets) < thrown)
    scores = np.where(gift[:, None] & (players == 6), 20.0, scores)
    ganged = np.isin(players, (6, 7)) * helped
    scores = np.where(both[:, None], scores + ganged, scores)
    return SetColumns(NAMES, players, np.round(scores, 3), np.full(sets, 4))


def trades(columns: SetColumns, owners: dict[str, str] | None = None) -> Trades:
    return find_trades(read_log([columns]), OWNERS if owners is None else owners)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_honest_leagues_raise_no_flag(seats: int) -> None:
    """The level holds for the whole league: one in a hundred, for each of the two families."""
    flagged = [bool(trades(league(seats, 1400, seed)).found) for seed in range(50)]
    assert sum(flagged) <= 3


def test_bots_that_suit_one_another_are_no_traders() -> None:
    flagged = [bool(trades(league(2, 2800, seed, style=0.4)).found) for seed in range(30)]
    assert sum(flagged) <= 3
    assert trades(league(2, 2800, 0, style=0.4)).spread > 1.2


@pytest.mark.parametrize("seed", range(5))
def test_thrown_sets_are_found_with_their_evidence(seed: int) -> None:
    told = trades(league(2, 1400, seed, thrown=0.8))
    assert [(t.one, t.two, t.kind) for t in told.found] == [(NAMES[6], NAMES[7], "against")]
    (trade,) = told.found
    assert trade.same_owner
    assert trade.sets == 50
    # The giver is the stronger one, and what it gave away does not lower the expectation.
    assert trade.observed > 0.8
    assert trade.expected == pytest.approx(0.43, abs=0.15)
    assert trade.p_value <= trade.corrected < 0.01
    assert (told.of_one_owner, told.of_others) == (4, 24)


def test_two_that_help_one_another_at_a_table_are_found() -> None:
    told = trades(league(3, 2000, 1, helped=1.5))
    assert (NAMES[6], NAMES[7], "together") in [(t.one, t.two, t.kind) for t in told.found]
    trade = next(t for t in told.found if t.kind == "together")
    assert trade.observed > trade.expected
    assert all({t.one, t.two} == {NAMES[6], NAMES[7]} for t in told.found)


def test_pairs_of_different_owners_are_compared_among_themselves() -> None:
    owners = {**OWNERS, NAMES[6]: "stranger"}
    told = trades(league(2, 1400, 3, thrown=0.8), owners)
    assert [t.same_owner for t in told.found] == [False]
    assert (told.of_one_owner, told.of_others) == (3, 25)


def test_bots_of_the_house_and_few_sets_are_left_out() -> None:
    house = {name: owner for name, owner in OWNERS.items() if owner != "u3"}
    assert not trades(league(2, 1400, 3, thrown=0.8), house).found
    few = trades(league(2, 28 * 11, 3, thrown=1.0))
    assert (few.of_one_owner, few.of_others, few.found) == (0, 0, ())
    assert find_trades(read_log([]), OWNERS).found == ()
