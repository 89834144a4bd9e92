"""Strengths from whole orders of finish: a check beside the pairwise fit.

P(order) is a product over the places: each goes to one of those still without a place with the
chance e^theta / sum of e^theta over them. R. L. Plackett, Applied Statistics 24 (1975); R. D. Luce,
Individual Choice Behavior (1959). Equal scores count as all their orders, each with the same part
of a set's weight, so that two players give the Bradley-Terry model with draws as halves.

The model wants more of the data than pairs do: that who wins does not tell who comes second. If it
holds, both fits agree within their errors; the pairwise one stays right if it does not.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, permutations, product

import numpy as np

from kibitz_worker.ratings.covariance import invert, outer_sum, sandwich
from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.log import Block, Log
from kibitz_worker.ratings.logistic import logistic
from kibitz_worker.ratings.results import Floats, Ints

STEPS = 100
MOST_PLAYERS = 6
"""More could share one place than there is time to write down their orders."""


@dataclass(frozen=True, slots=True)
class Orders:
    """Rows of a block put in order, best first, with the weight that each order has."""

    rows: Ints
    columns: Ints
    players: Ints
    weight: float


def _orders_of(tied: tuple[bool, ...]) -> list[tuple[int, ...]]:
    """All orders of places if place n + 1 is tied with place n where `tied` says so."""
    group = [0]
    for same in tied:
        group.append(group[-1] + (not same))
    parts = [[*places] for _, places in groupby(range(len(group)), key=group.__getitem__)]
    return [sum(parts, ()) for parts in product(*(permutations(part) for part in parts))]


def orders(block: Block) -> Iterator[Orders]:
    """Every set of a block as its orders of finish, sets alike in their ties together."""
    columns = np.argsort(-block.scores, axis=1, kind="stable")
    sorted_scores = np.take_along_axis(block.scores, columns, axis=1)
    ties = sorted_scores[:, 1:] == sorted_scores[:, :-1]
    for tied in product((False, True), repeat=block.size - 1):
        rows = np.flatnonzero((ties == np.array(tied)).all(axis=1))
        ways = _orders_of(tied) if len(rows) else []
        for way in ways:
            chosen = columns[rows][:, list(way)]
            players = np.take_along_axis(block.players[rows], chosen, axis=1)
            yield Orders(rows, chosen, players, 1.0 / len(ways))


@dataclass(slots=True)
class _Sums:
    value: float
    slope: Floats
    information: Floats


def _add(sums: _Sums, players: Ints, weight: float, theta: Floats) -> Floats:
    """Add the orders' likelihood, gradient and information; return each order's gradient."""
    size, powers = len(theta), np.exp(theta[players])
    gradient = np.zeros(players.shape)
    for place in range(players.shape[1] - 1):
        left = powers[:, place:]
        total = left.sum(axis=1, keepdims=True)
        chance = left / total
        gradient[:, place] += 1.0
        gradient[:, place:] -= chance
        sums.value += weight * float((theta[players[:, place]] - np.log(total[:, 0])).sum())
        for a in range(place, players.shape[1]):
            for b in range(a + 1, players.shape[1]):
                both = chance[:, a - place] * chance[:, b - place]
                cells = players[:, a] * size + players[:, b]
                sums.information -= weight * np.bincount(cells, both, size * size)
    sums.slope += weight * np.bincount(players.ravel(), gradient.ravel(), size)
    return gradient


def _sums(log: Log, theta: Floats, draws: float) -> _Sums:
    """Likelihood, gradient and information, the virtual draws of `bradley_terry` included."""
    own = logistic(theta)
    virtual = -0.5 * draws * (np.logaddexp(0.0, theta) + np.logaddexp(0.0, -theta)).sum()
    sums = _Sums(float(virtual), draws * (0.5 - own), np.zeros(log.size**2))
    for block in log.blocks:
        for each in orders(block):
            _add(sums, each.players, each.weight, theta)
    half = sums.information.reshape(log.size, log.size)
    matrix = half + half.T
    sums.information = matrix + np.diag(draws * own * (1.0 - own) - matrix.sum(axis=1))
    return sums


def maximise_orders(log: Log, draws: float = 1.0) -> tuple[Floats, Floats]:
    """Strengths with the greatest likelihood, and the information there, by Newton's method.

    Raises RatingError `NO_MAXIMUM` as `bradley_terry.maximise` does, `TOO_MANY_PLAYERS` for sets of
    more than `MOST_PLAYERS`.
    """
    if any(block.size > MOST_PLAYERS for block in log.blocks):
        raise RatingError("TOO_MANY_PLAYERS", f"sets may have {MOST_PLAYERS} players at most here")
    theta = np.zeros(log.size)
    sums = _sums(log, theta, draws)
    for _ in range(STEPS):
        step = invert(sums.information, draws) @ sums.slope
        after = _sums(log, theta + step, draws)
        while after.value < sums.value - 1e-9 * abs(sums.value):
            step /= 2.0
            after = _sums(log, theta + step, draws)
        theta, sums = theta + step, after
        if np.abs(step).max(initial=0.0) < 1e-10:
            return theta, sums.information
    raise RatingError("NO_MAXIMUM", "the likelihood has no maximum: somebody only wins or loses")


def orders_covariance(log: Log, theta: Floats, information: Floats, draws: float) -> Floats:
    """Cluster-robust covariance of the strengths, as in `covariance`."""
    filling = np.diag(draws * (0.5 - logistic(theta)) ** 2)
    for block in log.blocks:
        values = np.zeros(block.players.shape)
        for each in orders(block):
            scrap = _Sums(0.0, np.zeros(log.size), np.zeros(log.size**2))
            gradient = each.weight * _add(scrap, each.players, each.weight, theta)
            values[each.rows[:, None], each.columns] += gradient
        filling = filling + outer_sum(block, values, log.size)
    return sandwich(invert(information, draws), filling)
