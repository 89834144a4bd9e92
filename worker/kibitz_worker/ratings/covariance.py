"""Error bars that allow for what happens inside one set being dependent.

The cluster-robust ("sandwich") covariance V = A B A with A the inverse information and B the sum
over the clusters of u u', u being the cluster's gradient: P. J. Huber (1967), H. White
(Econometrica 50, 1982), K.-Y. Liang and S. L. Zeger (Biometrika 73, 1986). The cluster is the
duplicate set: its pairs, seatings and decks are dependent, different sets are not.
"""

from itertools import combinations

import numpy as np

from kibitz_worker.ratings.bradley_terry import shares
from kibitz_worker.ratings.log import Block, Log
from kibitz_worker.ratings.logistic import logistic
from kibitz_worker.ratings.results import Bools, Floats, Ints
from kibitz_worker.ratings.sides import PARTS, lead


def residuals(block: Block, theta: Floats) -> Floats:
    """Won minus expected of each player (columns) in each set (rows), of its side half each."""
    if block.partners:
        surplus = shares(block, 0, 1) - logistic(lead(theta, block.players))
        return np.asarray(surplus[:, None] * PARTS, dtype=np.float64)
    total = np.zeros_like(block.scores)
    for left, right in block.pairs():
        difference = theta[block.players[:, left]] - theta[block.players[:, right]]
        surplus = shares(block, left, right) - logistic(difference)
        total[:, left] += surplus
        total[:, right] -= surplus
    return total


def outer_sum(block: Block, values: Floats, size: int) -> Floats:
    """Sum of u u' over the units of a block, u having the given values at the block's players."""
    if block.units is not None:
        return _outer_shared(block.units, block.players, values, size)
    diagonal = np.zeros(size)
    for n in range(block.size):
        diagonal += np.bincount(block.players[:, n], values[:, n] ** 2, size)
    upper = np.zeros(size * size)
    for left, right in combinations(range(block.size), 2):
        cell = block.players[:, left] * size + block.players[:, right]
        upper += np.bincount(cell, values[:, left] * values[:, right], size * size)
    half = upper.reshape(size, size)
    return np.asarray(half + half.T + np.diag(diagonal), dtype=np.float64)


def _outer_shared(units: Ints, players: Ints, values: Floats, size: int) -> Floats:
    """The same where several rows may belong to one unit: their values are added first."""
    labels = np.broadcast_to(units[:, None], players.shape)
    cells, place = np.unique((labels * size + players).ravel(), return_inverse=True)
    sums = np.bincount(place, values.ravel(), len(cells))
    unit, player = np.divmod(cells, size)
    starts = np.flatnonzero(np.r_[True, unit[1:] != unit[:-1]])
    lengths = np.diff(np.r_[starts, len(unit)])
    total = np.zeros(size * size)
    for length in np.unique(lengths):
        rows = starts[lengths == length][:, None] + np.arange(length)
        flat = player[rows][:, :, None] * size + player[rows][:, None, :]
        products = sums[rows][:, :, None] * sums[rows][:, None, :]
        total += np.bincount(flat.ravel(), products.ravel(), size * size)
    return total.reshape(size, size)


def scatter(log: Log, theta: Floats, draws: float) -> Floats:
    """The filling of the sandwich: sum over units of u u', each virtual draw a unit of its own."""
    virtual = np.diag(draws * (0.5 - logistic(theta)) ** 2)
    parts = (outer_sum(block, residuals(block, theta), log.size) for block in log.blocks)
    return np.asarray(sum(parts, virtual), dtype=np.float64)


def invert(matrix: Floats, draws: float) -> Floats:
    """Inverse of the information, the Moore-Penrose one where no virtual draw fixes the level."""
    inverse = np.linalg.inv(matrix) if draws > 0 else np.linalg.pinv(matrix, hermitian=True)
    return np.asarray(inverse, dtype=np.float64)


def sandwich(inverse: Floats, filling: Floats) -> Floats:
    """V = A B A for the inverse information A and the filling B."""
    return np.asarray(inverse @ filling @ inverse, dtype=np.float64)


def widen(robust: Floats, model: Floats, thin: Bools) -> Floats:
    """Give players whose results prove little at least the variance that the model itself has.

    A player that has won all of a few sets shows hardly any scatter, which the sandwich mistakes
    for knowledge; the model's own covariance (the inverse information) does not. Both matrices must
    already be relative to the same reference.
    """
    lacking = np.clip(np.diag(model) - np.diag(robust), 0.0, None)
    return np.asarray(robust + np.diag(np.where(thin, lacking, 0.0)), dtype=np.float64)
