"""Margins per deal that allow for who the opponents were.

Least squares: a player's margin in a deal is its own level minus the mean level of its table, plus
luck; sets weigh by their deals. With full rotation and equal opponents this is the plain mean. The
covariance is the cluster-robust one for linear models (K.-Y. Liang and S. L. Zeger, Biometrika 73,
1986) with the factor C / (C - 1) for C units.
"""

from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.covariance import invert, outer_sum, sandwich
from kibitz_worker.ratings.log import Block, Log
from kibitz_worker.ratings.pools import connected
from kibitz_worker.ratings.results import Floats
from kibitz_worker.ratings.sides import PARTS, lead


@dataclass(frozen=True, slots=True)
class Levels:
    """Points a deal above the average of the player's pool, and their covariance."""

    level: Floats
    covariance: Floats


def _centred(values: Floats) -> Floats:
    return np.asarray(values - values.mean(axis=1, keepdims=True), dtype=np.float64)


def _weights(block: Block, size: int) -> Floats:
    """Sum over the sets of deals * (identity - 1 / k) at the places of the set's players."""
    cells, diagonal = np.zeros(size * size), np.zeros(size)
    if block.partners:
        return _weights_of_sides(block, size)
    for left, right in block.pairs():
        cell = block.players[:, left] * size + block.players[:, right]
        cells += np.bincount(cell, block.deals / block.size, size * size)
    half = cells.reshape(size, size)
    for n in range(block.size):
        diagonal += np.bincount(block.players[:, n], block.deals * (1.0 - 1.0 / block.size), size)
    return np.asarray(np.diag(diagonal) - half - half.T, dtype=np.float64)


def _weights_of_sides(block: Block, size: int) -> Floats:
    """The same where a side's level is the mean of its players': all four rows hold one margin."""
    cells = block.players[:, :, None] * size + block.players[:, None, :]
    amounts = block.deals[:, None, None] * np.outer(PARTS, PARTS)
    total = np.bincount(cells.ravel(), amounts.ravel(), size * size)
    return np.asarray(total.reshape(size, size), dtype=np.float64)


def expected_margins(block: Block, level: Floats) -> Floats:
    """Margins that the levels let expect, added over the deals."""
    if block.partners:
        lead_of_first = lead(level, block.players) / 2.0
        return np.asarray(np.outer(lead_of_first * block.deals, np.sign(PARTS)), dtype=np.float64)
    return _centred(level[block.players]) * block.deals[:, None]


def _inverse(weights: Floats) -> Floats:
    """Moore-Penrose inverse; the weights leave only a common shift of each pool undetermined."""
    shifts = np.zeros_like(weights)
    for pool in connected(-np.minimum(weights, 0.0)):
        shifts[np.ix_(pool, pool)] = 1.0 / len(pool)
    scale = max(1.0, float(np.trace(weights)) / len(weights))
    filled = np.linalg.inv(weights / scale + shifts)
    return np.asarray((filled - shifts) / scale, dtype=np.float64)


def adjusted_margins(log: Log) -> Levels:
    """Fit everybody's level; within each pool of players that met they add up to 0."""
    weights, amounts = np.zeros((log.size, log.size)), np.zeros(log.size)
    for block in log.blocks:
        weights += _weights(block, log.size)
        margins = _centred(block.margins)
        for n in range(block.size):
            amounts += np.bincount(block.players[:, n], margins[:, n], log.size)
    changing = any(block.partners for block in log.blocks)
    # Not all levels can be told before everybody has had several partners.
    inverse = invert(weights, 0.0) if changing else _inverse(weights)
    level = inverse @ amounts
    filling, units = np.zeros_like(weights), 0
    for block in log.blocks:
        surplus = _centred(block.margins) - expected_margins(block, level)
        filling += outer_sum(block, surplus, log.size)
        units += len(block.players) if block.units is None else len(np.unique(block.units))
    covariance = sandwich(inverse, filling) * (units / max(1, units - 1))
    return Levels(level, covariance)
