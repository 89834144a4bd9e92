"""Intervals for bots with few sets: draw the sets again with replacement and fit again.

B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13 (percentile
intervals). The seed is fixed, so the same results always give the same interval. Bots with many
sets stay at their fitted strength meanwhile.
"""

from itertools import combinations

import numpy as np

from kibitz_worker.ratings.bradley_terry import logistic, shares
from kibitz_worker.ratings.results import Bools, Floats, Ints, Log

DRAWS = 400
SEED = 20240229
NEWTON_STEPS = 30


def _pairs(log: Log, free: Bools) -> tuple[Ints, Ints, Ints, Floats]:
    """Unit, winner-side player, other player and share of all pairs with a free player in them."""
    rows = []
    for block in log.blocks:
        for left, right in combinations(range(block.players.shape[1]), 2):
            a, b = block.players[:, left], block.players[:, right]
            keep = free[a] | free[b]
            rows.append((block.units[keep], a[keep], b[keep], shares(block, left, right)[keep]))
    unit, a, b, share = (np.concatenate(column) for column in zip(*rows, strict=True))
    return unit, a, b, share


def _refit(wins: Floats, theta: Floats, free: Bools, draws: float) -> Floats:
    """Newton's method for the free strengths alone, step length limited instead of searched."""
    theta = theta.copy()
    games = (wins + wins.T)[free]
    for _ in range(NEWTON_STEPS):
        share = logistic(theta[free][:, None] - theta[None, :])
        weight = games * share * (1.0 - share)
        own = logistic(theta[free])
        gradient = (wins[free] - games * share).sum(axis=1) + draws * (0.5 - own)
        matrix = np.diag(weight.sum(axis=1) + draws * own * (1.0 - own)) - weight[:, free]
        step = np.clip(np.linalg.solve(matrix, gradient), -1.0, 1.0)
        theta[free] += step
        if np.abs(step).max() < 1e-6:
            break
    return theta


def resample(log: Log, theta: Floats, free: Bools, draws: float) -> Floats:
    """Strengths of `DRAWS` resampled leagues, one a row; only the players marked `free` move."""
    unit, a, b, share = _pairs(log, free)
    ids, unit = np.unique(unit, return_inverse=True)
    random = np.random.default_rng(SEED)
    size = log.size
    rows = []
    for _ in range(DRAWS):
        times = np.bincount(random.integers(len(ids), size=len(ids)), minlength=len(ids))[unit]
        won = np.bincount(a * size + b, times * share, size**2)
        lost = np.bincount(b * size + a, times * (1.0 - share), size**2)
        wins = np.asarray((won + lost).reshape(size, size), dtype=np.float64)
        rows.append(_refit(wins, theta, free, draws))
    return np.array(rows)
