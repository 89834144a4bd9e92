"""Pairwise Bradley-Terry strengths by maximum likelihood.

P(i beats j) = 1 / (1 + exp(theta_j - theta_i)): R. A. Bradley and M. E. Terry, "Rank Analysis of
Incomplete Block Designs", Biometrika 39 (1952). A draw is half a win for both (R. R. Davidson's and
Elo's convention). With more than two players in a set every pair counts (a composite likelihood: C.
Varin, N. Reid and D. Firth, Statistica Sinica 21, 2011); under the Plackett-Luce model each pair
obeys the same formula.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.log import Block, Log
from kibitz_worker.ratings.logistic import logistic
from kibitz_worker.ratings.results import Floats
from kibitz_worker.ratings.sides import Sides, count_sides

STEPS = 200
TOLERANCE = 1e-10


def shares(block: Block, left: int, right: int) -> Floats:
    """1, 1/2 or 0 for each set: did the player in column `left` beat that in column `right`?"""
    difference = block.scores[:, left] - block.scores[:, right]
    return np.asarray((np.sign(difference) + 1.0) / 2.0, dtype=np.float64)


def count_wins(log: Log) -> Floats:
    """Matrix of wins: row beat column, draws as a half; partners are no opponents."""
    wins, lost = np.zeros(log.size**2), np.zeros(log.size**2)
    for block in log.blocks:
        for left, right in block.pairs():
            share = shares(block, left, right)
            cell = block.players[:, left] * log.size + block.players[:, right]
            wins += np.bincount(cell, share, log.size**2)
            lost += np.bincount(cell, 1.0 - share, log.size**2)
    return wins.reshape(log.size, log.size) + lost.reshape(log.size, log.size).T


def tables_of_sides(log: Log) -> tuple[Sides, ...]:
    """The sets of sides whose partners change, counted by table."""
    blocks = log.having(partners=True).blocks
    return tuple(count_sides(block.players, shares(block, 0, 1)) for block in blocks)


def _likelihood(theta: Floats, wins: Floats, draws: float, sides: Sequence[Sides]) -> float:
    pairs = np.logaddexp(0.0, theta[None, :] - theta[:, None])
    virtual = np.logaddexp(0.0, theta) + np.logaddexp(0.0, -theta)
    of_sides = sum(each.likelihood(theta) for each in sides)
    return float(of_sides - (wins * pairs).sum() - 0.5 * draws * virtual.sum())


def slope(theta: Floats, wins: Floats, draws: float, sides: Sequence[Sides] = ()) -> Floats:
    """Gradient of the log-likelihood; `draws` virtual draws of each player against strength 0."""
    expected = (wins + wins.T) * logistic(theta[:, None] - theta[None, :])
    own = (wins - expected).sum(axis=1) + draws * (0.5 - logistic(theta))
    return np.asarray(sum((each.slope(theta) for each in sides), own), dtype=np.float64)


def information(theta: Floats, wins: Floats, draws: float, sides: Sequence[Sides] = ()) -> Floats:
    """Negative Hessian of the log-likelihood (observed and expected information are the same)."""
    share = logistic(theta[:, None] - theta[None, :])
    weights = (wins + wins.T) * share * (1.0 - share)
    own = logistic(theta)
    diagonal = weights.sum(axis=1) + draws * own * (1.0 - own)
    pairs = np.diag(diagonal) - weights
    return np.asarray(sum((each.information(theta) for each in sides), pairs), dtype=np.float64)


def _solve(matrix: Floats, vector: Floats, draws: float) -> Floats:
    if draws > 0:
        return np.asarray(np.linalg.solve(matrix, vector), dtype=np.float64)
    return np.asarray(np.linalg.pinv(matrix, hermitian=True) @ vector, dtype=np.float64)


def maximise(
    wins: Floats,
    draws: float = 1.0,
    start: Floats | None = None,
    sides: Sequence[Sides] = (),
) -> Floats:
    """Strengths theta (natural logarithms) with the greatest likelihood, by Newton's method.

    `sides` are sets whose partners change, which `wins` leaves out (`tables_of_sides`).

    `draws` virtual draws of each player against the pool's centre (strength 0) keep a bot that
    always wins finite and make the maximum unique. With `draws=0` the strengths add up to 0, and a
    pool in which somebody only wins has no maximum: RatingError `NO_MAXIMUM`.
    """
    theta = np.zeros(len(wins)) if start is None else start.copy()
    value = _likelihood(theta, wins, draws, sides)
    for _ in range(STEPS):
        hessian = information(theta, wins, draws, sides)
        step = _solve(hessian, slope(theta, wins, draws, sides), draws)
        while (after := _likelihood(theta + step, wins, draws, sides)) < value - 1e-9 * abs(value):
            step /= 2.0
        theta, value = theta + step, after
        if np.abs(step).max(initial=0.0) < TOLERANCE:
            return theta
    raise RatingError("NO_MAXIMUM", "the likelihood has no maximum: somebody only wins or loses")
