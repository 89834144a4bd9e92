"""Intervals for bots with few sets: draw the sets again with replacement and fit again.

B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13 (percentile
intervals). The seed is fixed, so the same results always give the same interval. Bots with many
sets stay at their fitted strength meanwhile.
"""

from collections.abc import Iterator

import numpy as np

from kibitz_worker.ratings.bradley_terry import count_wins, maximise, shares
from kibitz_worker.ratings.log import Log
from kibitz_worker.ratings.logistic import logistic
from kibitz_worker.ratings.results import Bools, Floats, Ints
from kibitz_worker.ratings.sides import count_sides

DRAWS = 400
SEED = 20240229
NEWTON_STEPS = 30
CELLS = 1_000_000
"""Counts held at a time, to bound the memory."""


def _pairs(log: Log, free: Bools) -> tuple[Ints, Ints, Ints, Floats]:
    """Unit, free player, opponent and share of points, a row for each free player of a pair."""
    rows, first = [], 0
    for block in log.blocks:
        for left, right in block.pairs():
            a, b = block.players[:, left], block.players[:, right]
            share = shares(block, left, right)
            for mine, other, won in ((a, b, share), (b, a, 1.0 - share)):
                keep = free[mine]
                rows.append((block.clusters[keep] + first, mine[keep], other[keep], won[keep]))
        first += int(block.clusters.max(initial=-1)) + 1
    unit, mine, other, won = (np.concatenate(column) for column in zip(*rows, strict=True))
    return unit, mine, other, won


def _refit(won: Floats, games: Floats, theta: Floats, free: Bools, draws: float) -> Floats:
    """Newton's method for the free strengths of many leagues at once, steps limited in length.

    `won` has the shape (leagues, free players), `games` (leagues, free players, players); returns
    (leagues, players).
    """
    strengths = np.tile(theta, (len(won), 1))
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
    if any(block.partners for block in log.blocks):
        return _resample_sides(log, theta, free, draws)
    unit, mine, other, share = _pairs(log, free)
    mine = (np.cumsum(free) - 1)[mine]
    ids, unit = np.unique(unit, return_inverse=True)
    random = np.random.default_rng(SEED)
    players = int(free.sum())
    cells = players * log.size
    rows = []
    for batch in _batches(DRAWS, max(1, CELLS // cells)):
        won, games = np.zeros((batch, players)), np.zeros((batch, cells))
        for n in range(batch):
            times = np.bincount(random.integers(len(ids), size=len(ids)), minlength=len(ids))[unit]
            won[n] = np.bincount(mine, times * share, players)
            games[n] = np.bincount(mine * log.size + other, times, cells)
        table = games.reshape(batch, players, log.size)
        rows.append(_refit(won, table, theta, free, draws))
    return np.concatenate(rows)


def _resample_sides(log: Log, theta: Floats, free: Bools, draws: float) -> Floats:
    """The same for leagues with changing partners, which are small: whole fits one by one."""
    random = np.random.default_rng(SEED)
    fixed = log.having(partners=False)
    rows = np.tile(theta, (DRAWS, 1))
    for n in range(DRAWS):
        sides = []
        for block in log.having(partners=True).blocks:
            count = int(block.clusters.max()) + 1
            times = np.bincount(random.integers(count, size=count), minlength=count)
            weight = times[block.clusters].astype(np.float64)
            sides.append(count_sides(block.players, shares(block, 0, 1), weight))
        rows[n, free] = maximise(count_wins(fixed), draws, theta, sides)[free]
    return rows


def _batches(total: int, most: int) -> Iterator[int]:
    """Split a number into parts of at most `most`."""
    while total > 0:
        yield min(total, most)
        total -= most
