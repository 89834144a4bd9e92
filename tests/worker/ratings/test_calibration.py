"""Intervals have to hold the truth as often as they promise."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from kibitz_worker.ratings import SetResult, fit
from kibitz_worker.ratings.strength import SCALE

League = Callable[..., list[SetResult]]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_errors_of_differences_have_the_size_that_is_published(seats: int, league: League) -> None:
    strengths = np.linspace(-1.0, 1.0, 6)
    surprises = []
    for seed in range(120):
        ratings = fit(league(strengths, seats, 240, seed), anchor="p0")
        for better in range(1, 6):
            found = ratings.difference(f"p{better}", "p0")
            assert found is not None
            true = SCALE * (strengths[better] - strengths[0])
            surprises.append((found[0] - true) / found[1])
    assert 0.9 < np.std(surprises) < 1.1
    assert abs(np.mean(surprises)) < 0.25
    assert 0.93 < np.mean(np.abs(surprises) < 1.96) < 0.975


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


def test_common_draws_narrow_the_intervals_truly(league: League) -> None:
    strengths = np.zeros(4)
    surprises = []
    for seed in range(80):
        ratings = fit(league(strengths, 2, 180, seed, coarse=3.0), anchor="p0")
        found = ratings.difference("p1", "p0")
        assert found is not None
        surprises.append(found[0] / found[1])
    assert 0.83 < np.std(surprises) < 1.17
