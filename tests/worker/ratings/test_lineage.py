"""Ranks that may be held, ranks by the lower bound, and versions that start from their parents."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from kibitz_worker.ratings import Ratings, SetResult, fit
from kibitz_worker.ratings.lineage import CHANGE, inherit
from kibitz_worker.ratings.ranks import rank_intervals

from tests.worker.ratings.test_fit import duel

League = Callable[..., list[SetResult]]


def test_ranks_follow_the_lower_bound_within_established_and_provisional(league: League) -> None:
    ratings = fit(
        [*league(np.linspace(-0.6, 0.6, 6), 3, 300, 8), *duel("p0", "new", [1.0, -1.0])], "p2"
    )
    rows = [row for row in ratings.rows if row.player != "p2"]
    for above, below in pairwise(rows):
        if above.provisional == below.provisional:
            assert above.elo_low >= below.elo_low
        else:
            assert below.provisional


def test_equals_of_the_anchor_do_not_stand_behind_it_by_definition(league: League) -> None:
    """The anchor's interval has no width; it is ranked as if it had one like the others."""
    firsts = [
        fit(league(np.zeros(4), 2, 240, seed), "p1").rows[0].player == "p1" for seed in range(40)
    ]
    assert 2 <= sum(firsts) <= 20


def test_true_ranks_lie_within_the_rank_intervals() -> None:
    random = np.random.default_rng(7)
    truth = np.linspace(-90.0, 90.0, 10)
    root = random.normal(size=(10, 10)) * 8.0
    covariance = root @ root.T + 100.0 * np.eye(10)
    held = 0
    for _ in range(300):
        elo = random.multivariate_normal(truth, covariance)
        found = rank_intervals(elo, covariance, [range(10)])
        held += sum(low <= 10 - n <= high for n, (low, high) in found.items())
    assert held / 3000 >= 0.95


def test_clear_differences_narrow_the_ranks_to_one_and_none_leaves_them_open() -> None:
    elo, certain = np.array([100.0, 0.0, 50.0]), np.eye(3)
    assert rank_intervals(elo, certain, [range(3)]) == {0: (1, 1), 1: (3, 3), 2: (2, 2)}
    assert rank_intervals(elo, 1e4 * certain, [[0, 2], [1]]) == {0: (1, 2), 2: (1, 2), 1: (1, 1)}


def test_a_version_that_has_not_played_stands_where_its_parent_does_with_wider_bounds() -> None:
    results = duel("bot/1", "careful", [1.0, 1.0, -1.0] * 20)
    plain = fit(results)
    ratings = fit(results, parents={"bot/2": "bot/1", "bot/3": "bot/2", "other/2": "other/1"})
    parent, child, grandchild = (ratings.row(f"bot/{n}") for n in (1, 2, 3))
    before = plain.row("bot/1")
    assert (parent.elo, parent.elo_low) == (before.elo, before.elo_low)
    assert child.elo == grandchild.elo == parent.elo
    width = (parent.elo_high - parent.elo_low) / 3.919928
    assert (child.elo_high - child.elo_low) / 3.919928 == pytest.approx(np.hypot(width, CHANGE))
    assert grandchild.elo_high > child.elo_high
    assert child.inherited
    assert child.provisional
    assert (child.sets, child.deals) == (0, 0)
    assert {row.player for row in ratings.rows} == {"bot/1", "bot/2", "bot/3", "careful"}
    assert Ratings.from_json(ratings.to_json()) == ratings


def test_own_sets_outweigh_what_the_parent_lets_expect() -> None:
    strong = duel("bot/1", "careful", [1.0, 1.0, 1.0, -1.0] * 25)
    few = duel("bot/2", "careful", [1.0, -1.0] * 2, "few ")
    many = duel("bot/2", "careful", [1.0, -1.0] * 200, "many ")
    parents = {"bot/2": "bot/1"}
    start = fit([*strong, *few], parents=parents).row("bot/2")
    later = fit([*strong, *many], parents=parents).row("bot/2")
    assert fit([*strong, *few]).row("bot/2").elo + 60 < start.elo
    assert later.elo == pytest.approx(fit([*strong, *many]).row("bot/2").elo, abs=5.0)
    assert later.elo_high - later.elo_low < start.elo_high - start.elo_low


def test_children_move_neither_their_parents_nor_the_anchor() -> None:
    results = [*duel("a/1", "careful/2", [1.0] * 9), *duel("a/2", "careful/2", [-1.0] * 9)]
    results += duel("a/1", "careful/1", [0.0] * 9)
    plain = fit(results, "careful/2")
    ratings = fit(results, "careful/2", parents={"a/2": "a/1", "careful/2": "careful/1"})
    assert ratings.row("careful/2").elo == 1500.0
    assert ratings.row("a/1").elo == plain.row("a/1").elo
    assert ratings.row("a/2").elo > plain.row("a/2").elo


def test_the_combination_is_calibrated_where_the_belief_is_true() -> None:
    """Errors of children, and of their distance to others, have the size that is published."""
    random = np.random.default_rng(5)
    errors = np.diag([0.0, 40.0, 120.0]) ** 2 + 100.0
    errors[0, :] = errors[:, 0] = 0.0
    root = np.linalg.cholesky(errors[1:, 1:])
    surprises = []
    for _ in range(4000):
        parent = random.normal(1500.0, 200.0)
        truth = np.array([parent, parent + random.normal(0.0, CHANGE)])
        seen = np.r_[1500.0, truth + root @ random.normal(size=2)]
        line = inherit(("c", "p", "q"), seen, errors, [[0, 1, 2]], {"q": "p"}, "c")
        own = (line.elo[2] - truth[1]) / np.sqrt(line.covariance[2, 2])
        v = line.covariance
        step = line.elo[2] - line.elo[1] - truth[1] + truth[0]
        surprises.append((own, step / np.sqrt(v[1, 1] + v[2, 2] - 2 * v[1, 2])))
    assert np.std(surprises, axis=0) == pytest.approx([1.0, 1.0], abs=0.05)


def test_a_circle_of_parents_ends() -> None:
    ratings = fit(duel("a", "careful", [1.0] * 3), parents={"x": "y", "y": "x", "a": "a"})
    assert {row.player for row in ratings.rows} == {"a", "careful"}
