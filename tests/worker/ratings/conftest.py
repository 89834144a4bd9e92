"""Leagues with known strengths, for checking what the fit makes of them."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from kibitz_worker.ratings import SetResult
from kibitz_worker.ratings.results import Floats


def play_league(
    strengths: Floats, seats: int, sets: int, seed: int, *, coarse: float = 0.0
) -> list[SetResult]:
    """Play sets of all combinations of `seats` players in turn; places follow Plackett-Luce.

    `coarse` above 0 rounds the scores to multiples of it, so that draws become common.
    """
    random = np.random.default_rng(seed)
    tables = list(combinations(range(len(strengths)), seats))
    results = []
    for n in range(sets):
        table = tables[n % len(tables)]
        scores = strengths[list(table)] + random.gumbel(size=seats)
        if coarse:
            scores = np.round(scores / coarse)
        names = tuple(f"p{player}" for player in table)
        results.append(SetResult(f"s{n}", names, tuple(scores.tolist()), deals=4))
    return results


@pytest.fixture
def league() -> Callable[..., list[SetResult]]:
    return play_league
