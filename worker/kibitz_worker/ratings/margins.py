"""Mean margin per deal and how well it is known.

The margin of a deal is a player's score minus the table's mean. Its mean is a ratio of sums over
clusters, with the linearised variance C / (C - 1) * sum of (m - R d)^2 / D^2 over the C clusters
(W. G. Cochran, Sampling Techniques, 3rd edition, 1977, section 9A.4: clusters of unequal size).
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kibitz_worker.ratings.results import Floats, Ints, Log


@dataclass(frozen=True, slots=True)
class Means:
    """Per owner: mean per deal and its standard error, nan for fewer than two units; counts."""

    mean: Floats
    error: Floats
    sets: Ints
    units: Ints
    deals: Floats


def _clustered(owners: Ints, units: Ints, amounts: Floats, deals: Floats, count: int) -> Means:
    """Mean of the amounts per deal for each owner, with the units as clusters."""
    cells, place = np.unique(owners * (units.max(initial=0) + 1) + units, return_inverse=True)
    owner = cells // (units.max(initial=0) + 1)
    amount = np.bincount(place, amounts, len(cells))
    played = np.bincount(place, deals, len(cells))
    clusters = np.bincount(owner, minlength=count)
    total = np.bincount(owner, played, count).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(owner, amount, count) / total
        squares = np.bincount(owner, (amount - mean[owner] * played) ** 2, count)
        error = np.sqrt(clusters / (clusters - 1.0) * squares) / total
    error[clusters < 2] = np.nan
    return Means(mean, error, np.bincount(owners, minlength=count), clusters, total)


def player_margins(log: Log) -> Means:
    """Each player's mean margin per deal."""
    widths = [block.players.shape[1] for block in log.blocks]
    pairs = list(zip(log.blocks, widths, strict=True))
    return _clustered(
        np.concatenate([b.players.ravel() for b in log.blocks]),
        np.concatenate([np.repeat(b.units, width) for b, width in pairs]),
        np.concatenate([b.margins.ravel() for b in log.blocks]),
        np.concatenate([np.repeat(b.deals, width) for b, width in pairs]),
        log.size,
    )


def pair_margins(log: Log) -> Means:
    """For each pair (index row * size + column, row < column): row's score minus column's."""
    owners, units, amounts, deals = [], [], [], []
    for block in log.blocks:
        for left, right in combinations(range(block.players.shape[1]), 2):
            a, b = block.players[:, left], block.players[:, right]
            sign = np.where(a < b, 1.0, -1.0)
            owners.append(np.minimum(a, b) * log.size + np.maximum(a, b))
            units.append(block.units)
            amounts.append(sign * (block.margins[:, left] - block.margins[:, right]))
            deals.append(block.deals)
    return _clustered(
        np.concatenate(owners),
        np.concatenate(units),
        np.concatenate(amounts),
        np.concatenate(deals),
        log.size**2,
    )
