"""Published numbers: the models have to give them to the last printed digit."""

from itertools import combinations

import numpy as np
import pytest
from kibitz_worker.ratings import RatingError, SetResult, estimate_pair
from kibitz_worker.ratings.bradley_terry import count_wins, information, maximise
from kibitz_worker.ratings.covariance import invert, sandwich, scatter
from kibitz_worker.ratings.log import Log, read_log
from kibitz_worker.ratings.plackett_luce import maximise_orders
from kibitz_worker.ratings.strength import SCALE
from kibitz_worker.ratings.student import quantile, two_sided

ORDERS = {"ABC": 5, "ACB": 3, "BAC": 4, "CBA": 2}


def rankings() -> Log:
    results = []
    for order, times in ORDERS.items():
        for n in range(times):
            scores = tuple(3.0 - place for place in range(3))
            results.append(SetResult(f"{order}{n}", tuple(order), scores, deals=1))
    return read_log(results)


def test_pairwise_strengths_of_fourteen_rankings() -> None:
    elo = SCALE * maximise(count_wins(rankings()), draws=0)
    assert elo == pytest.approx([110.64, 18.62, -129.27], abs=0.005)


def test_plain_and_clustered_errors_of_fourteen_rankings() -> None:
    log = rankings()
    wins = count_wins(log)
    theta = maximise(wins, draws=0)
    inverse = invert(information(theta, wins, 0), 0)
    plain = SCALE * np.sqrt(np.diag(inverse))
    robust = SCALE * np.sqrt(np.diag(sandwich(inverse, scatter(log, theta, 0))))
    assert plain == pytest.approx([49.60, 46.54, 51.00], abs=0.005)
    assert robust == pytest.approx([58.44, 49.27, 61.79], abs=0.005)


def test_plackett_luce_of_fourteen_rankings() -> None:
    theta, information = maximise_orders(rankings(), draws=0)
    assert theta == pytest.approx([0.631243, 0.129804, -0.761047], abs=1e-6)
    assert theta * SCALE == pytest.approx([109.66, 22.55, -132.21], abs=0.005)
    covariance = SCALE**2 * invert(information, 0)
    assert np.sqrt(np.diag(covariance)) == pytest.approx([54.81, 50.98, 58.73], abs=0.005)
    a, b, both = covariance[0, 0], covariance[1, 1], covariance[0, 1]
    assert np.sqrt(a + b - 2 * both) == pytest.approx(88.07, abs=0.005)


def test_three_wins_in_four_are_191_points() -> None:
    wins = np.zeros((2, 2))
    wins[0, 1], wins[1, 0] = 30.0, 10.0
    assert SCALE * np.ptp(maximise(wins, draws=0)) == pytest.approx(400 * np.log10(3))


@pytest.mark.parametrize(
    ("counts", "elo", "los", "normalized"),
    [
        ((89, 123, 76), (-15.69, 30.46), 0.1553, (-20.76, 40.13)),
        ((96, 111, 136), (40.70, 30.43), 0.9960, (49.77, 36.77)),
    ],
)
def test_elo_of_losses_draws_wins(
    counts: tuple[int, int, int],
    elo: tuple[float, float],
    los: float,
    normalized: tuple[float, float],
) -> None:
    found = estimate_pair(counts)
    assert (found.elo, found.elo_error) == pytest.approx(elo, abs=0.005)
    assert found.los == pytest.approx(los, abs=0.00005)
    assert (found.normalized, found.normalized_error) == pytest.approx(normalized, abs=0.005)


def test_normalized_elo_of_a_rout() -> None:
    found = estimate_pair((356, 0, 34))
    assert found.score == pytest.approx(0.087, abs=0.0005)
    assert found.normalized == pytest.approx(-508.44, abs=0.005)
    assert found.normalized_error == pytest.approx(34.48, abs=0.005)


def test_no_interval_without_scatter() -> None:
    with pytest.raises(RatingError) as caught:
        estimate_pair((0, 0, 12))
    assert caught.value.reason == "NO_SCATTER"


@pytest.mark.parametrize(
    ("freedom", "t"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (30, 2.042)]
)
def test_quantiles_of_the_printed_t_table(freedom: int, t: float) -> None:
    assert quantile(freedom) == pytest.approx(t, abs=0.0005)
    assert two_sided(t, freedom) == pytest.approx(0.05, abs=0.0001)


def test_strengths_agree_with_choix() -> None:
    choix = pytest.importorskip("choix")
    random = np.random.default_rng(3)
    true = random.normal(0.0, 1.0, 6)
    data = []
    for a, b in combinations(range(6), 2):
        for _ in range(40):
            won = random.random() < 1.0 / (1.0 + np.exp(true[b] - true[a]))
            data.append((a, b) if won else (b, a))
    results = [
        SetResult(str(n), (f"p{a}", f"p{b}"), (1.0, 0.0), deals=1) for n, (a, b) in enumerate(data)
    ]
    ours = maximise(count_wins(read_log(results)), draws=0)
    assert ours == pytest.approx(choix.opt_pairwise(6, data), abs=1e-4)
