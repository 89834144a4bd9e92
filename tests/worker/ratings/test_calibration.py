"""Intervals have to hold the truth as often as they promise, whatever the league looks like."""

import math
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import pytest
from kibitz_worker.ratings import Ratings, SetColumns, SetResult, fit
from kibitz_worker.ratings.results import Floats
from kibitz_worker.ratings.strength import SCALE
from kibitz_worker.ratings.twins import check_twins

from bench.calibration import KINDS, Kind
from bench.calibration import surprises as surprises_of

League = Callable[..., list[SetResult]]
NAMES = tuple("abcdef")
CLOSE, FAR = np.linspace(-0.1, 0.1, 6), np.linspace(-1.5, 1.5, 6)


def leagues(
    count: int, strengths: Floats, seats: int, coarse: float = 0.0, start: int = 0
) -> Iterator[Ratings]:
    """Rate leagues of 240 sets, places by Plackett-Luce; `coarse` scores make draws common."""
    tables = np.array(list(combinations(range(len(strengths)), seats)))
    for seed in range(start, start + count):
        random = np.random.default_rng(seed)
        players = np.resize(tables, (240, seats))
        scores = strengths[players] + random.gumbel(size=players.shape)
        if coarse:
            scores = np.round(scores / coarse)
        yield fit([SetColumns(NAMES, players, scores, np.full(240, 4))], anchor="a")


def surprises(rated: Iterator[Ratings], strengths: Floats) -> Floats:
    """Errors of all differences to the first player, in units of their published size."""
    found = []
    for ratings in rated:
        for n in range(1, len(strengths)):
            difference = ratings.difference(NAMES[n], "a")
            assert difference is not None
            true = SCALE * (strengths[n] - strengths[0])
            found.append((difference[0] - true) / difference[1])
    return np.array(found)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("strengths", [CLOSE, FAR], ids=["close", "far"])
def test_errors_have_the_size_that_is_published(seats: int, strengths: Floats) -> None:
    found = surprises(leagues(120, strengths, seats), strengths)
    assert 0.9 < np.std(found) < 1.1
    assert abs(np.mean(found)) < 0.2
    assert 0.93 < np.mean(np.abs(found) < 1.96) < 0.975


@pytest.mark.parametrize("seats", [2, 4])
def test_common_draws_leave_the_errors_right(seats: int) -> None:
    level = np.zeros(6)
    found = surprises(leagues(120, level, seats, coarse=3.0, start=500), level)
    assert 0.9 < np.std(found) < 1.1


@pytest.mark.parametrize("rotated", [True, False], ids=["rotated", "not rotated"])
def test_luck_of_the_deck_is_in_the_errors_where_it_stays(rotated: bool) -> None:
    """Each deck is played at three tables at once; without rotation it favours all first seats."""
    found = []
    for seed in range(150):
        random = np.random.default_rng(seed)
        players = random.permuted(np.tile(np.arange(6), (120, 1)), axis=1).reshape(360, 2)
        deck = np.repeat(np.arange(120), 3)
        scores = random.gumbel(size=players.shape)
        if not rotated:
            scores[:, 0] += random.normal(0.0, 3.0, 120)[deck]
        columns = SetColumns(NAMES, players, scores, np.full(360, 4), units=deck)
        found.append(surprises(iter([fit([columns], anchor="a")]), np.zeros(6)))
    assert 0.9 < np.std(found) < 1.1


def test_errors_are_right_over_leagues_of_all_kinds() -> None:
    """Two, three, four seats; rotated or not; strong and weak or equal; draws common and rare.

    Half of the kinds, chosen so that each two properties occur together in all ways.
    """
    half = [kind for kind in KINDS if not (kind.rotated ^ kind.far ^ kind.draws)]
    found = np.concatenate([surprises_of(kind, 12) for kind in half])
    assert 0.9 < np.std(found) < 1.1


@pytest.mark.campaign
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_errors_are_right_in_each_kind_of_league(kind: Kind) -> None:
    found = surprises_of(kind, 500, start=5000)
    assert 0.9 < np.std(found) < 1.1
    assert abs(np.mean(found)) < 0.15
    assert 0.93 < np.mean(np.abs(found) < 1.96) < 0.97


def test_likelihoods_of_superiority_are_those_of_draws_from_the_covariance(
    league: League,
) -> None:
    """For each pair: how often one is above the other if truths are drawn from the errors told."""
    ratings = fit(league(np.linspace(-0.3, 0.3, 6), 3, 300, 4), anchor="p2")
    covariance = np.array(ratings.covariance)
    elo = np.array([row.elo for row in ratings.rows])
    draws = np.random.default_rng(1).multivariate_normal(elo, covariance, 40_000, method="eigh")
    for (i, one), (j, two) in combinations(enumerate(ratings.rows), 2):
        above = float(np.mean(draws[:, i] > draws[:, j]))
        assert ratings.los(one.player, two.player) == pytest.approx(above, abs=0.01)


def test_the_likelier_superior_is_superior_as_often_as_told() -> None:
    """Over leagues whose strengths are drawn anew, by the likelihood that was told."""
    told, right = [], []
    for seed in range(150):
        random = np.random.default_rng([seed, 77])
        strengths = random.normal(0.0, 1.0, 6)
        ratings = next(leagues(1, strengths, 3, start=9000 + seed))
        for i, j in combinations(range(6), 2):
            los = ratings.los(NAMES[i], NAMES[j])
            assert los is not None
            told.append(max(los, 1.0 - los))
            right.append((los > 0.5) == (strengths[i] > strengths[j]))
    unsure = np.array(told) < 0.999
    assert unsure.sum() > 200
    assert np.mean(np.array(right)[unsure]) == pytest.approx(
        np.mean(np.array(told)[unsure]), abs=0.03
    )


def test_intervals_of_provisional_bots_hold_the_truth(league: League) -> None:
    strengths = np.array([-0.7, 0.0, 0.7])
    held = total = 0
    for seed in range(40):
        for row in fit(league(strengths, 2, 24, seed), anchor="p1").rows:
            assert row.provisional
            if row.player != "p1":
                true = 1500.0 + SCALE * strengths[int(row.player[1])]
                held += row.elo_low <= true <= row.elo_high
                total += 1
    assert held / total > 0.93


def test_margins_hold_the_truth(league: League) -> None:
    """Gumbel scores: a player's expected margin is its strength minus the table's mean."""
    strengths = np.array([-0.5, 0.0, 0.5, 1.0])
    true = (strengths - strengths.mean()) * 4 / 3 / 2 / 4
    held = []
    for seed in range(60):
        for row in fit(league(strengths, 2, 60, seed), anchor="p0").rows:
            assert row.margin_low is not None
            assert row.margin_high is not None
            held.append(row.margin_low <= true[int(row.player[1])] <= row.margin_high)
    assert 0.91 < np.mean(held) < 0.985


def test_self_play_shows_no_drift(league: League) -> None:
    ratings = fit(league(np.zeros(5), 3, 2000, 11), anchor="nobody")
    assert math.isclose(sum(row.elo for row in ratings.rows) / 5, 1500.0)
    assert all(row.elo_low < 1500.0 < row.elo_high for row in ratings.rows)


def test_ratings_do_not_grow_with_the_number_of_sets() -> None:
    """Equal players who go on playing gain nothing from one another, at any length."""
    random = np.random.default_rng(1)
    tables = np.array(list(combinations(range(6), 3)))
    for sets in (60, 600, 6000):
        players = np.resize(tables, (sets, 3))
        scores = random.gumbel(size=(sets, 3))
        rows = fit([SetColumns(NAMES, players, scores, np.full(sets, 6))], "nobody").rows
        assert sum(row.elo for row in rows) / 6 == pytest.approx(1500.0)
        assert max(abs(row.elo - 1500.0) for row in rows) < 4.0 * SCALE * 2.0 / math.sqrt(sets)


def test_copies_of_one_bot_raise_no_alarm_unless_one_is_favoured() -> None:
    """Two copies, with different third players at the table."""
    level = np.array([0.0, 0.0, -1.0, 0.5, 1.0, 0.2])
    checks = [check_twins(ratings, "a", "b") for ratings in leagues(60, level, 3, start=900)]
    assert not any(check.alarm for check in checks)
    assert np.mean([check.p_value < 0.05 for check in checks]) < 0.15
    favoured = level + np.array([1.6, 0.0, 0.0, 0.0, 0.0, 0.0])
    alarms = [check_twins(ratings, "a", "b") for ratings in leagues(10, favoured, 3)]
    assert all(check.alarm for check in alarms)
    assert all(check.elo > 0.0 and check.margin_p_value is not None for check in alarms)
