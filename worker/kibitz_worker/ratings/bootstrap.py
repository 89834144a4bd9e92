"""Intervals for bots with few sets: draw the sets again with replacement and fit again.

B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13 (percentile
intervals). The seed is fixed, so the same results always give the same interval. Bots with many
sets stay at their fitted strength meanwhile.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from kibitz_worker.ratings.bradley_terry import logistic, shares
from kibitz_worker.ratings.results import Bools, Floats, Ints, Log

DRAWS = 400
SEED = 20240229
NEWTON_STEPS = 30
CELLS = 1_000_000
"""Counts held at a time, to bound the memory."""


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
    """Newton's method for the free strengths of many leagues at once, steps limited in length.

    `wins` has the shape (leagues, players, players); returns (leagues, players).
    """
    strengths = np.tile(theta, (len(wins), 1))
    won = wins[:, free].sum(axis=2)
    games = (wins + wins.transpose(0, 2, 1))[:, free]
    diagonal = np.eye(int(free.sum()))
    for _ in range(NEWTON_STEPS):
        mine = strengths[:, free]
        share = logistic(mine[:, :, None] - strengths[:, None, :])
        own = logistic(mine)
        gradient = won - (games * share).sum(axis=2) + draws * (0.5 - own)
        weight = games * share * (1.0 - share)
        total = weight.sum(axis=2) + draws * own * (1.0 - own)
        matrix = diagonal * total[:, :, None] - weight[:, :, free]
        step = np.clip(np.linalg.solve(matrix, gradient[:, :, None])[:, :, 0], -1.0, 1.0)
        strengths[:, free] += step
        if np.abs(step).max() < 1e-6:
            break
    return strengths


def resample(log: Log, theta: Floats, free: Bools, draws: float) -> Floats:
    """Strengths of `DRAWS` resampled leagues, one a row; only the players marked `free` move."""
    unit, a, b, share = _pairs(log, free)
    ids, unit = np.unique(unit, return_inverse=True)
    random = np.random.default_rng(SEED)
    cells = log.size**2
    rows = []
    for batch in _batches(DRAWS, max(1, CELLS // cells)):
        wins = np.zeros((batch, cells))
        for n in range(batch):
            times = np.bincount(random.integers(len(ids), size=len(ids)), minlength=len(ids))[unit]
            wins[n] += np.bincount(a * log.size + b, times * share, cells)
            wins[n] += np.bincount(b * log.size + a, times * (1.0 - share), cells)
        rows.append(_refit(wins.reshape(batch, log.size, log.size), theta, free, draws))
    return np.concatenate(rows)


def _batches(total: int, most: int) -> Iterator[int]:
    """Split a number into parts of at most `most`."""
    while total > 0:
        yield min(total, most)
        total -= most
