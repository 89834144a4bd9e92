"""Sequential tests: published ratios, errors as promised, only sets that may count."""

import json

import numpy as np
import pytest
from kibitz_worker.ratings import RatingError
from kibitz_worker.ratings.results import Floats
from kibitz_worker.ratings.sequential import (
    Plan,
    bayesian_ratio,
    contiguous,
    expected_sets,
    judge_margins,
    judge_pairs,
    logistic_ratio,
    normalized_ratio,
    pair_counts,
    pair_outcome,
)
from kibitz_worker.ratings.sequential.likelihood import expected_score
from kibitz_worker.ratings.sequential.plan import Model


@pytest.mark.parametrize(
    ("counts", "elos", "ratio"),
    [
        ((36027, 68692, 36433), (0, 2), 0.9233),
        ((10650, 20431, 10871), (-1.75, 0.25), 2.2975),
        ((0, 0, 4250), (0, 10), 120.5483),
        ((0, 0, 0, 0, 5550), (0, 5), 111.7976),
    ],
)
def test_published_ratios_of_normalized_elo(
    counts: tuple[int, ...], elos: tuple[float, float], ratio: float
) -> None:
    assert float(normalized_ratio(np.array(counts), *elos)) == pytest.approx(ratio, abs=0.00005)


@pytest.mark.parametrize(
    ("counts", "elos", "ratio"),
    [
        ((57030, 106593, 57433), (0, 2), -2.5930),
        ((223, 9863, 21279, 10037, 246), (0.5, 2.5), -3.0741),
    ],
)
def test_published_ratios_of_logistic_elo(
    counts: tuple[int, ...], elos: tuple[float, float], ratio: float
) -> None:
    assert float(logistic_ratio(np.array(counts), *elos)) == pytest.approx(ratio, abs=0.00005)


def test_published_ratio_of_bayesian_elo() -> None:
    assert bayesian_ratio((21484, 41111, 21629), 0.5, 2.5) == pytest.approx(-1.13, abs=0.005)


def test_bayesian_elo_needs_results_of_all_kinds() -> None:
    with pytest.raises(RatingError) as caught:
        bayesian_ratio((5, 0, 9), 0.0, 5.0)
    assert caught.value.reason == "NO_SCATTER"


def test_close_hypotheses_have_the_ratio_of_the_normal_approximation() -> None:
    """LLR = N (s1 - s0) (2 m - s0 - s1) / (2 variance) for expected scores s0 and s1."""
    counts = np.array([223.0, 9863.0, 21279.0, 10037.0, 246.0])
    scores, p = np.linspace(0.0, 1.0, 5), counts / counts.sum()
    mean = p @ scores
    worse, better = expected_score(0.5), expected_score(2.5)
    near = counts.sum() * (better - worse) * (2.0 * mean - worse - better)
    near /= 2.0 * (p @ (scores - mean) ** 2)
    assert float(logistic_ratio(counts, 0.5, 2.5)) == pytest.approx(near, rel=0.001)


def test_ratios_of_many_samples_are_those_of_each() -> None:
    counts = np.array([[3.0, 10.0, 30.0, 12.0, 5.0], [0.0, 2.0, 9.0, 4.0, 1.0]])
    for ratio in (logistic_ratio, normalized_ratio):
        alone = [float(ratio(row, 0.0, 10.0)) for row in counts]
        assert ratio(counts, 0.0, 10.0) == pytest.approx(alone)


def test_swapping_the_sides_swaps_the_sign() -> None:
    counts = np.array([3.0, 10.0, 30.0, 14.0, 6.0])
    for ratio in (logistic_ratio, normalized_ratio):
        there, back = ratio(counts, -2.0, 7.0), ratio(counts[::-1], -7.0, 2.0)
        assert float(there) == pytest.approx(-float(back))


PAIRS = np.array([0.06, 0.22, 0.42, 0.23, 0.07])


def with_elo(elo: float) -> Floats:
    """Kinds of game pairs tilted so that the expected score is that of an Elo difference."""
    scores, low, high = np.linspace(0.0, 1.0, 5), -20.0, 20.0
    for _ in range(80):
        tilt = (low + high) / 2.0
        p = PAIRS * np.exp(tilt * scores)
        p /= p.sum()
        low, high = (tilt, high) if p @ scores < expected_score(elo) else (low, tilt)
    return np.asarray(p, dtype=np.float64)


def accepted(plan: Plan, p: Floats, tests: int) -> tuple[float, float]:
    """Share of simulated tests that accept, and their mean length."""
    random = np.random.default_rng(7)
    results = [judge_pairs(plan, random.choice(5, 800, p=p).tolist()) for _ in range(tests)]
    assert all(result.state in {"accepted", "rejected"} for result in results)
    share = np.mean([result.state == "accepted" for result in results])
    return float(share), float(np.mean([result.sets for result in results]))


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_errors_of_pair_tests_are_as_promised(model: Model) -> None:
    """5 % wrong of 200 tests are 10 with a standard deviation of 3.1: 8 % can be luck."""
    elo, tests = 60.0, 200 if model == "logistic" else 120
    p = with_elo(elo)
    scores = np.linspace(0.0, 1.0, 5)
    deviation = np.sqrt(p @ scores**2 - (p @ scores) ** 2)
    better = elo
    if model == "normalized":
        better = (p @ scores - 0.5) / deviation * 800.0 / np.log(10.0) / np.sqrt(2.0)
    plan = Plan(model, 0.0, float(better))
    wrong, _ = accepted(plan, PAIRS[[0, 1, 2, 1, 0]] / PAIRS[[0, 1, 2, 1, 0]].sum(), tests)
    power, sets = accepted(plan, p, tests)
    assert wrong <= 0.08
    assert power >= 0.92
    foreseen, chance = expected_sets(plan, float(p @ scores), float(deviation))
    assert sets == pytest.approx(foreseen, rel=0.25)
    assert chance == pytest.approx(0.95, abs=0.005)


def test_errors_of_margin_tests_are_as_promised_and_sets_are_saved() -> None:
    plan = Plan("margin", 0.0, 0.2)
    random = np.random.default_rng(5)
    wrong = [judge_margins(plan, random.normal(0.0, 1.5, 4000).tolist()) for _ in range(600)]
    right = [judge_margins(plan, random.normal(0.2, 1.5, 4000).tolist()) for _ in range(600)]
    assert np.mean([result.state == "accepted" for result in wrong]) <= 0.07
    assert np.mean([result.state == "accepted" for result in right]) >= 0.93
    fixed = 609  # sets that a test of fixed length needs for the same errors
    assert np.mean([result.sets for result in right]) < 0.65 * fixed


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_skewed_margins_decide_later_and_keep_what_is_promised(sign: float) -> None:
    """Margins of skewness 2: without the wait one in nine decisions is wrong, not one in twenty."""
    plan, random, wrong = Plan("margin", 0.0, 0.2), np.random.default_rng(3), 0
    for _ in range(400):
        truth = 0.0 if sign < 0 else 0.2
        margins = truth + sign * 1.5 * (random.exponential(size=2500) - 1.0)
        result = judge_margins(plan, margins.tolist())
        wrong += result.state == ("accepted" if sign < 0 else "rejected")
        assert result.sets > 64
    assert wrong / 400 <= 0.075


def test_a_test_that_waits_for_skewed_margins_says_how_long() -> None:
    plan = Plan("margin", 0.0, 0.2)
    result = judge_margins(plan, [9.0] + [1.0] * 69)
    assert result.state == "running"
    assert result.llr >= plan.upper
    assert result.expected_left is not None
    assert result.expected_left > 1000
    assert result.chance == 1.0


def test_a_test_stops_at_the_set_that_decides() -> None:
    plan = Plan("logistic", 0.0, 60.0)
    outcomes = [4, 3, 3, 2, 4, 1] * 100
    result = judge_pairs(plan, outcomes)
    assert result.state == "accepted"
    assert result.sets < 600
    assert result.llr >= plan.upper > result.curve[-2]
    assert len(result.curve) == result.sets - result.curve_from + 1
    again = judge_pairs(plan, outcomes[: result.sets])
    assert (again.state, again.sets) == (result.state, result.sets)
    assert again.curve == pytest.approx(result.curve)
    assert judge_pairs(plan, outcomes[: result.sets - 1]).state == "running"
    lost = judge_pairs(plan, [4 - kind for kind in outcomes])
    assert (lost.state, lost.chance, lost.expected_left) == ("rejected", None, None)


def test_a_running_test_says_how_long_it_will_take() -> None:
    plan = Plan("logistic", 0.0, 20.0)
    result = judge_pairs(plan, [1, 3, 2, 3] * 20)
    assert result.state == "running"
    assert result.expected_left is not None
    assert result.chance is not None
    assert 10 < result.expected_left < 1000
    assert result.chance > 0.8
    assert json.dumps(result.to_json(), allow_nan=False)


def test_too_few_sets_decide_nothing() -> None:
    result = judge_pairs(Plan("logistic", 0.0, 100.0), [4] * 15)
    assert (result.state, result.curve, result.sets) == ("running", (), 15)
    assert judge_pairs(Plan("logistic", 0.0, 100.0), [4] * 16).state == "accepted"
    assert judge_pairs(Plan("logistic", 0.0, 10.0), []).sets == 0


def test_a_limit_ends_a_test_without_a_decision() -> None:
    plan = Plan("margin", 0.0, 0.2, limit=100)
    margins = [0.1 + (-1.0) ** n for n in range(150)]
    result = judge_margins(plan, margins)
    assert (result.state, result.sets) == ("undecided", 100)


def test_equal_margins_decide_and_stay_finite() -> None:
    """A copy of a deterministic bot gains nothing in any set."""
    result = judge_margins(Plan("margin", 0.0, 0.2), [0.0] * 64)
    assert result.state == "rejected"
    assert json.dumps(result.to_json(), allow_nan=False)


def test_only_the_contiguous_prefix_counts() -> None:
    assert contiguous({2: "c", 0: "a", 1: "b", 4: "e"}) == ["a", "b", "c"]
    assert contiguous({1: "b", 2: "c"}) == []
    assert contiguous({0: "a", 1: None, 2: "c"}) == ["a", "c"]
    with pytest.raises(RatingError, match="set -1"):
        contiguous({-1: "x"})


def test_kinds_of_pairs() -> None:
    kinds = [pair_outcome(*pair) for pair in [(-1, -2), (-1, 0), (3, -5), (0, 0), (1, 0), (2, 1)]]
    assert kinds == [0, 1, 2, 2, 3, 4]
    assert pair_counts(kinds) == (1, 1, 2, 1, 1)
    with pytest.raises(RatingError, match="not 5"):
        pair_counts([5])


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"h0": 5.0, "h1": 5.0}, "BAD_HYPOTHESES"),
        ({"h1": float("inf")}, "BAD_HYPOTHESES"),
        ({"alpha": 0.0}, "BAD_ERRORS"),
        ({"beta": 0.5}, "BAD_ERRORS"),
        ({"limit": 10}, "BAD_LIMIT"),
        ({"first": -1}, "BAD_LIMIT"),
    ],
)
def test_impossible_plans_are_refused(values: dict[str, float], reason: str) -> None:
    with pytest.raises(RatingError) as caught:
        Plan(**{"model": "logistic", "h0": 0.0, "h1": 5.0, **values})  # type: ignore[arg-type]
    assert caught.value.reason == reason


def test_a_plan_judges_only_what_it_is_about() -> None:
    with pytest.raises(RatingError, match="margins"):
        judge_pairs(Plan("margin", 0.0, 1.0), [2])
    with pytest.raises(RatingError, match="logistic"):
        judge_margins(Plan("logistic", 0.0, 1.0), [0.5])
