"""Individual movement: partners change, and each is rated by what its sides do."""

import math

import numpy as np
import pytest
from kibitz_worker.ratings import RatingError, Ratings, SetColumns, fit
from kibitz_worker.ratings.log import read_log
from kibitz_worker.ratings.results import Floats
from kibitz_worker.ratings.sides import count_sides
from kibitz_worker.ratings.strength import SCALE
from kibitz_worker.schedule.whist import whist_tables

NAMES = tuple("abcdefgh")


def movement(strengths: Floats, sets: int, seed: int) -> Ratings:
    """Rate a movement whose sides are as strong as the mean of their players."""
    return fit([played(strengths, sets, seed)], anchor="a")


def played(strengths: Floats, sets: int, seed: int) -> SetColumns:
    random = np.random.default_rng(seed)
    tables = np.array(whist_tables(len(strengths)))
    players = np.tile(tables, (sets, 1))
    means = strengths[players].reshape(-1, 2, 2).mean(axis=1)
    gap = np.round(means[:, 0] - means[:, 1] + random.logistic(size=len(players)), 3)
    scores = np.outer(gap, (1.0, -1.0, 1.0, -1.0))
    names = NAMES[: len(strengths)]
    return SetColumns(names, players, scores, np.full(len(players), 4), partners=True)


@pytest.mark.parametrize("bots", [4, 5, 8])
def test_a_movement_gives_everybody_its_own_strength(bots: int) -> None:
    """Neither drawn towards its partners nor away: errors are centred, and as large as told."""
    strengths = np.linspace(-1.2, 1.2, bots)
    errors, slopes = [], []
    for seed in range(200):
        ratings = movement(strengths, 240 // bots, seed)
        found = [ratings.difference(name, "a") for name in NAMES[1:bots]]
        told = np.array([each for each in found if each is not None])
        true = SCALE * (strengths[1:] - strengths[0])
        errors.append((told[:, 0] - true) / told[:, 1])
        slopes.append(float(told[:, 0] @ true / (true @ true)))
    assert abs(np.mean(errors)) < 0.2
    assert 0.9 < np.std(errors) < 1.1
    assert np.mean(slopes) == pytest.approx(1.0, abs=0.06)


def test_partners_are_no_opponents() -> None:
    ratings = movement(np.array([1.0, 0.0, 0.0, -1.0]), 60, 1)
    for row in ratings.rows:
        cells = list(ratings.crosstable.of(row.player))
        assert [cell.sets for cell in cells] == [120] * 3  # of 180 sets, 60 as partners
    assert "partners change" in " ".join(ratings.notes)


def test_a_pair_that_never_parts_is_told_apart_only_by_the_middle() -> None:
    """Nothing says which of two partners is the better one: both stand alike, with wide errors."""
    random = np.random.default_rng(3)
    players = np.tile([0, 1, 2, 3], (80, 1))
    scores = np.outer(0.8 + random.logistic(size=80), (1.0, -1.0, 1.0, -1.0))
    columns = SetColumns(NAMES[:4], players, scores, np.full(80, 4), partners=True)
    ratings = fit([columns], anchor="nobody")
    assert ratings.row("a").elo == pytest.approx(ratings.row("c").elo)
    difference = ratings.difference("a", "c")
    assert difference is not None
    assert all(math.isfinite(row.adjusted) for row in ratings.rows)


def test_margins_of_sides_allow_for_the_partner() -> None:
    """Adjusted margins are levels of players, whoever sat opposite."""
    strengths = np.array([3.0, 1.0, -1.0, -3.0, 0.0])
    ratings = movement(strengths, 400, 5)
    # A set of four deals has the gap of both sides as its score; the margin is half of it.
    for name, strength in zip(NAMES, strengths, strict=False):
        assert ratings.row(name).adjusted == pytest.approx(2.0 * strength / 4.0, abs=0.2)


def test_the_gradient_is_that_of_the_likelihood() -> None:
    log = read_log([played(np.linspace(-1, 1, 5), 6, 2)])
    block = log.blocks[0]
    sides = count_sides(block.players, (np.sign(block.scores[:, 0]) + 1.0) / 2.0)
    theta, step = np.array([0.3, -0.2, 0.5, 0.1, -0.7]), 1e-5
    for n in range(5):
        shift = step * np.eye(5)[n]
        rise = (sides.likelihood(theta + shift) - sides.likelihood(theta - shift)) / (2.0 * step)
        assert sides.slope(theta)[n] == pytest.approx(rise, abs=1e-6)
        turn = (sides.slope(theta + shift) - sides.slope(theta - shift)) / (2.0 * step)
        np.testing.assert_allclose(-turn, sides.information(theta)[n], atol=1e-6)


def test_partners_need_a_table_of_four() -> None:
    with pytest.raises(RatingError, match="tables of four"):
        SetColumns(("a", "b"), np.array([[0, 1]]), np.zeros((1, 2)), np.ones(1, int), partners=True)
