"""Sets as arrays are rated like the same sets one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from kibitz_worker.ratings import RatingError, SetColumns, SetResult, fit, gather

League = Callable[..., list[SetResult]]
STRENGTHS = np.array([-0.6, 0.0, 0.3, 0.9])


def test_columns_are_rated_like_single_sets(league: League) -> None:
    results = league(STRENGTHS, 3, 60, 5)
    assert fit(gather(results), "p1") == fit(results, "p1")


def test_columns_and_single_sets_may_be_mixed(league: League) -> None:
    pairs, threes = league(STRENGTHS, 2, 30, 5), league(STRENGTHS, 3, 30, 6)
    mixed = fit([*gather(pairs), *threes], "p1")
    renamed = [SetResult(f"x{r.id}", r.players, r.scores, r.deals) for r in threes]
    whole = fit([*pairs, *renamed], "p1")
    assert [row.elo for row in mixed.rows] == pytest.approx([row.elo for row in whole.rows])
    assert mixed.sets == whole.sets == 60


def test_shared_units_in_columns_widen_the_intervals() -> None:
    random = np.random.default_rng(2)
    scores = np.repeat(random.normal(size=(60, 1)), 4, axis=0) * [[1.0, -1.0]]
    players = np.tile([0, 1], (240, 1))
    names, deals = ("a", "careful"), np.full(240, 2)
    loose = fit([SetColumns(names, players, scores, deals)])
    tied = fit([SetColumns(names, players, scores, deals, units=np.repeat(np.arange(60), 4))])
    one, other = loose.difference("a", "careful"), tied.difference("a", "careful")
    assert one is not None
    assert other is not None
    assert other[0] == pytest.approx(one[0])
    assert other[1] == pytest.approx(2.0 * one[1], rel=0.02)
    assert (tied.row("a").sets, tied.row("a").deals) == (240, 480)


def test_names_without_a_set_are_not_rated() -> None:
    columns = SetColumns(
        ("ghost", "a", "careful"), np.array([[1, 2]]), np.array([[1.0, 0.0]]), np.array([2])
    )
    assert {row.player for row in fit([columns]).rows} == {"a", "careful"}


def test_a_crosstable_gives_the_cells_of_one_player(league: League) -> None:
    table = fit(league(STRENGTHS, 3, 40, 5), "p1").crosstable
    assert [cell.opponent for cell in table.of("p1")] == ["p0", "p2", "p3"]
    assert set(table.of("p1")) == {cell for cell in table if cell.player == "p1"}
    assert not list(table.of("nobody"))
    assert table[-1] == list(table)[-1]
    assert table[1:3] == tuple(table)[1:3]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"players": np.array([[0, 0]])}, "BAD_PLAYERS"),
        ({"players": np.array([[0, 2]])}, "BAD_PLAYERS"),
        ({"players": np.array([[0]])}, "BAD_PLAYERS"),
        ({"scores": np.array([[1.0]])}, "BAD_SCORES"),
        ({"scores": np.array([[1.0, np.inf]])}, "BAD_SCORES"),
        ({"margins": np.array([[1.0, np.nan]])}, "BAD_SCORES"),
        ({"deals": np.array([0])}, "BAD_DEALS"),
        ({"units": np.array([0, 1])}, "BAD_DEALS"),
    ],
)
def test_bad_columns_are_refused(changed: dict[str, Any], reason: str) -> None:
    good: dict[str, Any] = {
        "players": np.array([[0, 1]]),
        "scores": np.array([[1.0, 0.0]]),
        "deals": np.array([2]),
    }
    with pytest.raises(RatingError) as caught:
        SetColumns(names=("a", "b"), **{**good, **changed})
    assert caught.value.reason == reason
