"""What must hold of ratings whatever the results are."""

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from kibitz_worker.ratings import RatingError, Ratings, SetResult, fit

League = Callable[..., list[SetResult]]
STRENGTHS = np.array([-0.6, 0.0, 0.3, 0.9])


def duel(a: str, b: str, outcomes: list[float], prefix: str = "") -> list[SetResult]:
    """One set for each outcome: the difference of the scores, per set of two deals."""
    return [
        SetResult(f"{prefix}{a}-{b}-{n}", (a, b), (x / 2, -x / 2), deals=2)
        for n, x in enumerate(outcomes)
    ]


def test_order_of_the_results_does_not_matter(league: League) -> None:
    results = league(STRENGTHS, 3, 40, 5)
    assert fit(results, "p1") == fit(reversed(results), "p1")


def test_names_do_not_matter(league: League) -> None:
    results = league(STRENGTHS, 3, 80, 5)
    other = {"p0": "zoe", "p1": "anchor", "p2": "bob", "p3": "ann"}
    renamed = [replace(r, players=tuple(other[p] for p in r.players)) for r in results]
    before, after = fit(results, "p1"), fit(renamed, "anchor")
    for row in before.rows:
        twin = after.row(other[row.player])
        assert (twin.elo, twin.margin) == pytest.approx((row.elo, row.margin))
        assert (twin.elo_low, twin.elo_high) == pytest.approx((row.elo_low, row.elo_high))


def test_bots_that_never_met_the_others_change_nothing(league: League) -> None:
    results = league(STRENGTHS, 2, 240, 5)
    alone = fit(results, "p1")
    both = fit([*results, *duel("x", "y", [1.0, -1.0, 1.0])], "p1")
    for row in alone.rows:
        assert both.row(row.player).elo == pytest.approx(row.elo)
        assert both.row(row.player).elo_high == pytest.approx(row.elo_high)
    assert both.pools == (*alone.pools, ("x", "y"))
    assert both.row("x").pool == 1
    assert both.los("x", "p1") is None
    assert "never met" in both.notes[0]


def test_the_pool_of_the_anchor_comes_first_even_when_it_is_small(league: League) -> None:
    ratings = fit([*league(STRENGTHS, 2, 60, 5), *duel("careful", "y", [1.0, 0.0])])
    assert ratings.pools[0] == ("careful", "y")
    assert ratings.row("careful").elo == 1500.0
    strangers = [row.elo for row in ratings.rows if row.pool == 1]
    assert sum(strangers) / len(strangers) == pytest.approx(1500.0)


def test_without_the_anchor_the_mean_is_1500_and_the_result_says_so(league: League) -> None:
    ratings = fit(league(STRENGTHS, 2, 60, 5))
    assert not ratings.anchored
    assert "careful" in ratings.notes[0]
    assert sum(row.elo for row in ratings.rows) / 4 == pytest.approx(1500.0)


@pytest.mark.parametrize("sets", [1, 5, 30, 100])
def test_a_bot_that_always_wins_is_finite_and_its_interval_honest(sets: int) -> None:
    """The lower bound stays near the exact one: n of n won shows at least 0.025^(1/n)."""
    ratings = fit(duel("champion", "careful", [1.0] * sets))
    row = ratings.row("champion")
    exact = 1500.0 - 400.0 * np.log10(1.0 / 0.025 ** (1.0 / sets) - 1.0)
    assert 1500.0 < row.elo < row.elo_high < 5000.0
    assert row.elo_low < max(exact, 1400.0) + 60.0
    assert ratings.los("champion", "careful") == pytest.approx(1.0, abs=0.5)


def test_a_draw_moves_nobody() -> None:
    ratings = fit(duel("a", "careful", [0.0] * 40))
    assert ratings.row("a").elo == pytest.approx(1500.0)
    assert ratings.los("a", "careful") == pytest.approx(0.5)


def test_scores_decide_and_margins_are_shown() -> None:
    """`scores` are the returns; the margin comes from the deals' own scores."""
    results = [
        SetResult(f"s{n}", ("a", "careful"), (5.0, -5.0), 4, margins=(8.0 + n, -8.0 - n))
        for n in (0, 4)
    ]
    ratings = fit(results)
    row = ratings.row("a")
    assert row.margin == pytest.approx(20 / 8)
    assert (row.sets, row.deals) == (2, 8)
    assert row.margin_low == pytest.approx(2.5 - 12.706 * 0.5, abs=0.01)
    cell = next(c for c in ratings.crosstable if c.player == "a")
    assert (cell.opponent, cell.sets, cell.share) == ("careful", 2, 1.0)
    assert cell.margin == pytest.approx(5.0)


def test_a_single_set_has_no_margin_interval() -> None:
    row = fit(duel("a", "careful", [3.0])).row("a")
    assert row.margin == pytest.approx(0.75)
    assert (row.margin_low, row.margin_high) == (None, None)


def test_established_players_stand_before_a_lucky_newcomer() -> None:
    results = duel("old", "careful", [1.0, 1.0, -1.0] * 10) + duel("lucky", "careful", [1.0] * 2)
    ratings = fit(results)
    lucky = ratings.row("lucky")
    assert [row.player for row in ratings.rows] == ["old", "careful", "lucky"]
    assert lucky.elo > ratings.row("old").elo
    assert lucky.provisional
    assert lucky.rank == 3


def test_both_sides_of_the_crosstable_agree(league: League) -> None:
    cells = {(c.player, c.opponent): c for c in fit(league(STRENGTHS, 4, 50, 5)).crosstable}
    assert len(cells) == 12
    for (a, b), cell in cells.items():
        back = cells[b, a]
        assert cell.share + back.share == pytest.approx(1.0)
        assert cell.margin == pytest.approx(-back.margin)
        assert (cell.p_value, cell.sets) == (back.p_value, back.sets)
    assert cells["p3", "p0"].significant


def test_sets_of_one_unit_are_not_counted_as_independent() -> None:
    lone = duel("a", "careful", [1.0, 3.0, -2.0, 1.0] * 10)
    pairs = [replace(r, id=r.id + "'") for r in lone]
    twice = [*lone, *pairs]
    tied = [replace(r, unit=r.id.rstrip("'")) for r in twice]
    naive, honest, single = fit(twice), fit(tied), fit(lone)

    def width(ratings: Ratings) -> float:
        row = ratings.row("a")
        return row.elo_high - row.elo_low

    assert width(honest) == pytest.approx(width(single), rel=0.1)
    assert width(naive) < 0.8 * width(honest)


def test_ratings_survive_a_round_through_json(league: League) -> None:
    ratings = fit(league(STRENGTHS, 3, 20, 5), "p1")
    text = json.dumps(ratings.to_json(), allow_nan=False)
    assert Ratings.from_json(json.loads(text)) == ratings


def test_no_sets_give_an_empty_table() -> None:
    assert fit([]).rows == ()
    assert json.dumps(fit([]).to_json())


@pytest.mark.parametrize(
    ("players", "scores", "deals", "reason"),
    [
        (("a", "a"), (1.0, 0.0), 2, "BAD_PLAYERS"),
        (("a",), (1.0,), 2, "BAD_PLAYERS"),
        (("a", "b"), (1.0,), 2, "BAD_SCORES"),
        (("a", "b"), (float("nan"), 0.0), 2, "BAD_SCORES"),
        (("a", "b"), (1.0, 0.0), 0, "BAD_DEALS"),
    ],
)
def test_bad_sets_are_refused(
    players: tuple[str, ...], scores: tuple[float, ...], deals: int, reason: str
) -> None:
    with pytest.raises(RatingError, match="set s1") as caught:
        SetResult("s1", players, scores, deals)
    assert caught.value.reason == reason


def test_a_set_counts_once() -> None:
    with pytest.raises(RatingError, match="a-b-0") as caught:
        fit(duel("a", "b", [1.0]) * 2)
    assert caught.value.reason == "DUPLICATE_SET"


def test_an_unknown_player_is_named() -> None:
    with pytest.raises(RatingError, match="nobody"):
        fit(duel("a", "b", [1.0])).los("a", "nobody")
