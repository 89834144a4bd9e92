"""What stands beside the ratings: Plackett-Luce, adjusted margins, cycles, other orders."""

from collections.abc import Callable

import numpy as np
import pytest
from kibitz_worker.ratings import RatingError, SetColumns, SetResult, fit
from kibitz_worker.ratings.bradley_terry import count_wins, maximise
from kibitz_worker.ratings.covariance import invert
from kibitz_worker.ratings.cycles import find_cycles
from kibitz_worker.ratings.log import read_log
from kibitz_worker.ratings.orders import by_bankroll, by_run_off
from kibitz_worker.ratings.plackett_luce import maximise_orders, orders_covariance

League = Callable[..., list[SetResult]]
STRENGTHS = np.array([-0.6, 0.0, 0.3, 0.9])


def test_for_two_players_orders_are_pairs(league: League) -> None:
    log = read_log(league(STRENGTHS, 2, 200, 3, coarse=2.0))
    assert maximise_orders(log)[0] == pytest.approx(maximise(count_wins(log)), abs=1e-8)


@pytest.mark.parametrize("coarse", [0.0, 2.0])
def test_both_fits_find_the_strengths_of_tables_of_four(coarse: float, league: League) -> None:
    log = read_log(league(STRENGTHS, 4, 3000, 3, coarse=coarse))
    theta, _ = maximise_orders(log)
    assert theta == pytest.approx(maximise(count_wins(log)), abs=0.06)
    if not coarse:
        assert theta - theta.mean() == pytest.approx(STRENGTHS - STRENGTHS.mean(), abs=0.08)


def test_plackett_luce_agrees_with_choix(league: League) -> None:
    choix = pytest.importorskip("choix")
    results = league(STRENGTHS, 4, 300, 9)
    data = [
        [int(r.players[n][1]) for n in sorted(range(4), key=lambda n: -r.scores[n])]
        for r in results
    ]
    ours, _ = maximise_orders(read_log(results), draws=0)
    assert ours == pytest.approx(choix.opt_rankings(4, data), abs=1e-4)


def test_robust_errors_of_true_orders_are_those_of_the_model(league: League) -> None:
    log = read_log(league(STRENGTHS, 4, 3000, 4))
    theta, information = maximise_orders(log)
    contrast = np.array([1.0, -1.0, 0.0, 0.0])
    both = [
        float(contrast @ v @ contrast)
        for v in (invert(information, 1.0), orders_covariance(log, theta, information, 1.0))
    ]
    assert both[1] == pytest.approx(both[0], rel=0.1)


def test_too_many_players_are_refused() -> None:
    names = tuple("abcdefg")
    result = SetResult("s", names, tuple(map(float, range(7))), 7)
    with pytest.raises(RatingError) as caught:
        maximise_orders(read_log([result]))
    assert caught.value.reason == "TOO_MANY_PLAYERS"


def uneven() -> SetColumns:
    """A and b are equally good; a meets the weak c most of the time, b the strong d."""
    random = np.random.default_rng(6)
    levels = np.array([0.0, 0.0, -2.0, 2.0])
    tables = [(0, 2)] * 90 + [(1, 3)] * 90 + [(0, 3), (1, 2), (0, 1), (2, 3)] * 10
    players = np.array(tables)
    scores = 4.0 * levels[players] + random.normal(0.0, 2.0, players.shape)
    return SetColumns(("a", "b", "c", "d"), players, scores, np.full(len(tables), 4))


def test_adjusted_margins_allow_for_the_opponents() -> None:
    ratings = fit([uneven()], anchor="c")
    rows = {row.player: row for row in ratings.rows}
    assert rows["a"].margin > 0.5
    assert rows["b"].margin < -0.5
    for player, level in {"a": 0.0, "b": 0.0, "c": -2.0, "d": 2.0}.items():
        row = rows[player]
        assert row.adjusted == pytest.approx(level, abs=0.25)
        assert row.adjusted_low is not None
        assert row.adjusted_high is not None
        assert row.adjusted_low < level < row.adjusted_high
    assert sum(row.adjusted for row in ratings.rows) == pytest.approx(0.0, abs=1e-9)


def test_intervals_of_adjusted_margins_hold_the_truth(league: League) -> None:
    true = (STRENGTHS - STRENGTHS.mean()) / 4
    held = []
    for seed in range(60):
        for row in fit(league(STRENGTHS, 3, 60, seed), anchor="p0").rows:
            assert row.adjusted_low is not None
            assert row.adjusted_high is not None
            held.append(row.adjusted_low <= true[int(row.player[1])] <= row.adjusted_high)
    assert 0.91 < np.mean(held) < 0.985


def circle(lead: float) -> SetColumns:
    """Rock beats scissors, scissors beat paper, paper beats rock, by `lead` points a deal."""
    random = np.random.default_rng(8)
    players = np.tile([[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]], (60, 1))
    noise = random.normal(0.0, 3.0, (len(players), 1)) * [[1.0, -1.0]]
    scores = noise + np.where(players[:, 1:] == 3, 0.0, lead) * [[1.0, -1.0]]
    names = ("rock", "scissors", "paper", "other")
    return SetColumns(names, players, scores, np.full(len(players), 2))


def test_cycles_that_luck_does_not_explain_are_shown() -> None:
    cycles = find_cycles(fit([circle(3.0)]).crosstable)
    assert (cycles.count, cycles.proven_pairs, cycles.pairs) == (1, 3, 6)
    assert cycles.clearest[0].players in {
        ("paper", "rock", "scissors"),
        ("rock", "scissors", "paper"),
        ("scissors", "paper", "rock"),
    }
    assert cycles.clearest[0].margins == pytest.approx((3.0, 3.0, 3.0), abs=1.0)


def test_equal_players_make_no_cycles(league: League) -> None:
    """Holm's procedure lets one league in twenty show a false direction, and hardly a cycle."""
    found = [find_cycles(fit(league(np.zeros(6), 2, 300, seed)).crosstable) for seed in range(20)]
    assert sum(cycles.proven_pairs > 0 for cycles in found) <= 4
    assert all(cycles.count == 0 for cycles in found)


def chart(margins: dict[tuple[str, str], float]) -> list[SetResult]:
    return [
        SetResult(f"{a}{b}{n}", (a, b), (m / 2 + n, -m / 2 - n), 1)
        for (a, b), m in margins.items()
        for n in (-1, 1)
    ]


def test_bankroll_rewards_exploiting_and_run_off_holding_ones_own() -> None:
    """Shark fleeces fish, but loses to solid, who takes little from anybody."""
    won = {("shark", "fish"): 20.0, ("solid", "shark"): 2.0, ("solid", "fish"): 3.0}
    table = fit(chart(won)).crosstable
    money, last = by_bankroll(table), by_run_off(table)
    assert [place.player for place in money] == ["shark", "solid", "fish"]
    assert [place.bankroll for place in money] == pytest.approx([9.0, 2.5, -11.5])
    assert [place.player for place in last] == ["solid", "shark", "fish"]
    assert [place.bankroll for place in last] == [None, -2.0, -11.5]
    assert [place.rank for place in last] == [1, 2, 3]
