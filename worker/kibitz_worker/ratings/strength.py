"""Estimates on the Elo scale: values, intervals, covariance."""

import math
from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.bootstrap import resample
from kibitz_worker.ratings.bradley_terry import (
    count_wins,
    information,
    maximise,
    tables_of_sides,
)
from kibitz_worker.ratings.covariance import invert, sandwich, scatter, widen
from kibitz_worker.ratings.log import Log
from kibitz_worker.ratings.pools import connected, gauge
from kibitz_worker.ratings.results import Bools, Floats

SCALE = 400.0 / math.log(10.0)
"""Elo points per unit of theta: P = 1 / (1 + 10^(-difference / 400)).

A. E. Elo, The Rating of Chessplayers, Past and Present (1978).
"""

NORMAL_95 = 1.959963984540054
FEW_POINTS = 5.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """Elo above the pool's reference (anchor or mean) with 95 % bounds, per player."""

    elo: Floats
    low: Floats
    high: Floats
    covariance: Floats
    wins: Floats
    pools: list[list[int]]


def _main_first(groups: list[list[int]], anchor: int | None) -> list[list[int]]:
    return sorted(groups, key=lambda group: anchor not in group)


def _one_sided(wins: Floats) -> Bools:
    """Who has lost, or won, fewer than `FEW_POINTS`?"""
    return np.asarray(np.minimum(wins.sum(axis=0), wins.sum(axis=1)) < FEW_POINTS, dtype=np.bool_)


def estimate(log: Log, anchor: int | None, provisional: Bools, draws: float) -> Estimate:
    """Fit the log; the anchor's elo is 0, or where a pool has no anchor the pool's mean."""
    wins = count_wins(log)
    sides = tables_of_sides(log)
    pairs = count_wins(log.having(partners=False)) if sides else wins
    theta = maximise(pairs, draws, sides=sides)
    groups = _main_first(connected(wins), anchor)
    shift = gauge(log.size, groups, anchor)
    inverse = invert(information(theta, pairs, draws, sides), draws)
    robust = sandwich(inverse, scatter(log, theta, draws))
    thin = provisional | _one_sided(wins)
    covariance = SCALE**2 * widen(shift @ robust @ shift.T, shift @ inverse @ shift.T, thin)
    elo = SCALE * shift @ theta
    half = NORMAL_95 * np.sqrt(np.clip(np.diag(covariance), 0.0, None))
    low, high = elo - half, elo + half
    if provisional.any():
        again = SCALE * resample(log, theta, provisional, draws) @ shift.T
        below, above = np.quantile(again, (0.025, 0.975), axis=0)
        low = np.where(provisional, np.minimum(low, below), low)
        high = np.where(provisional, np.maximum(high, above), high)
    return Estimate(elo, low, high, covariance, wins, groups)
