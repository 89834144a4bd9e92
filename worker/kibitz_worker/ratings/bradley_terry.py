"""Pairwise Bradley-Terry strengths by maximum likelihood.

P(i beats j) = 1 / (1 + exp(theta_j - theta_i)): R. A. Bradley and M. E. Terry, "Rank Analysis of
Incomplete Block Designs", Biometrika 39 (1952). A draw is half a win for both (R. R. Davidson's and
Elo's convention). With more than two players in a set every pair counts (a composite likelihood: C.
Varin, N. Reid and D. Firth, Statistica Sinica 21, 2011); under the Plackett-Luce model each pair
obeys the same formula.
"""

import numpy as np

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.log import Block, Log
from kibitz_worker.ratings.results import Floats

STEPS = 200
TOLERANCE = 1e-10


def logistic(x: Floats) -> Floats:
    """1 / (1 + e^-x), without overflow for any x."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * x)), dtype=np.float64)


def shares(block: Block, left: int, right: int) -> Floats:
    """1, 1/2 or 0 for each set: did the player in column `left` beat that in column `right`?"""
    difference = block.scores[:, left] - block.scores[:, right]
    return np.asarray((np.sign(difference) + 1.0) / 2.0, dtype=np.float64)


def count_wins(log: Log) -> Floats:
    """Matrix of wins: row beat column, draws as a half."""
    wins, lost = np.zeros(log.size**2), np.zeros(log.size**2)
    for block in log.blocks:
        for left, right in block.pairs():
            share = shares(block, left, right)
            cell = block.players[:, left] * log.size + block.players[:, right]
            wins += np.bincount(cell, share, log.size**2)
            lost += np.bincount(cell, 1.0 - share, log.size**2)
    return wins.reshape(log.size, log.size) + lost.reshape(log.size, log.size).T


def _likelihood(theta: Floats, wins: Floats, draws: float) -> float:
    pairs = np.logaddexp(0.0, theta[None, :] - theta[:, None])
    virtual = np.logaddexp(0.0, theta) + np.logaddexp(0.0, -theta)
    return float(-(wins * pairs).sum() - 0.5 * draws * virtual.sum())


def slope(theta: Floats, wins: Floats, draws: float) -> Floats:
    """Gradient of the log-likelihood; `draws` virtual draws of each player against strength 0."""
    expected = (wins + wins.T) * logistic(theta[:, None] - theta[None, :])
    return np.asarray(
        (wins - expected).sum(axis=1) + draws * (0.5 - logistic(theta)), dtype=np.float64
    )


def information(theta: Floats, wins: Floats, draws: float) -> Floats:
    """Negative Hessian of the log-likelihood (observed and expected information are the same)."""
    share = logistic(theta[:, None] - theta[None, :])
    weights = (wins + wins.T) * share * (1.0 - share)
    own = logistic(theta)
    diagonal = weights.sum(axis=1) + draws * own * (1.0 - own)
    return np.asarray(np.diag(diagonal) - weights, dtype=np.float64)


def _solve(matrix: Floats, vector: Floats, draws: float) -> Floats:
    if draws > 0:
        return np.asarray(np.linalg.solve(matrix, vector), dtype=np.float64)
    return np.asarray(np.linalg.pinv(matrix, hermitian=True) @ vector, dtype=np.float64)


def maximise(wins: Floats, draws: float = 1.0, start: Floats | None = None) -> Floats:
    """Strengths theta (natural logarithms) with the greatest likelihood, by Newton's method.

    `draws` virtual draws of each player against the pool's centre (strength 0) keep a bot that
    always wins finite and make the maximum unique. With `draws=0` the strengths add up to 0, and a
    pool in which somebody only wins has no maximum: RatingError `NO_MAXIMUM`.
    """
    theta = np.zeros(len(wins)) if start is None else start.copy()
    value = _likelihood(theta, wins, draws)
    for _ in range(STEPS):
        step = _solve(information(theta, wins, draws), slope(theta, wins, draws), draws)
        while (after := _likelihood(theta + step, wins, draws)) < value - 1e-9 * abs(value):
            step /= 2.0
        theta, value = theta + step, after
        if np.abs(step).max(initial=0.0) < TOLERANCE:
            return theta
    raise RatingError("NO_MAXIMUM", "the likelihood has no maximum: somebody only wins or loses")
