"""Mean margin per deal and how well it is known.

The margin of a deal is a player's score minus the table's mean. Its mean is a ratio of sums over
clusters, with the linearised variance C / (C - 1) * sum of (m - R d)^2 / D^2 over the C clusters
(W. G. Cochran, Sampling Techniques, 3rd edition, 1977, section 9A.4: clusters of unequal size).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kibitz_worker.ratings.log import Block, Log
from kibitz_worker.ratings.results import Floats, Ints


@dataclass(frozen=True, slots=True)
class Means:
    """Per owner: mean per deal and its standard error, nan for fewer than two units; counts."""

    mean: Floats
    error: Floats
    sets: Ints
    units: Ints
    deals: Floats


class Column(NamedTuple):
    """One amount a set and owner (a player, or a pair of players)."""

    owners: Ints
    amounts: Floats
    deals: Floats


Read = Callable[[Block], Iterator[Column]]


def _merged(block: Block, columns: Iterator[Column]) -> Iterator[Column]:
    """Columns of one amount a unit and owner, where several sets make a unit."""
    parts = [*columns]
    owners = np.concatenate([part.owners for part in parts])
    amounts = np.concatenate([part.amounts for part in parts])
    deals = np.concatenate([part.deals for part in parts])
    units = np.tile(block.clusters, len(owners) // len(block.clusters))
    count = int(units.max()) + 1
    cells, place = np.unique(owners * count + units, return_inverse=True)
    amount = np.bincount(place, amounts, len(cells)).astype(np.float64)
    played = np.bincount(place, deals, len(cells)).astype(np.float64)
    yield Column(cells // count, amount, played)


def _units(log: Log, read: Read) -> Iterator[Column]:
    for block in log.blocks:
        yield from read(block) if block.units is None else _merged(block, read(block))


def _sets(log: Log, read: Read, units: Ints) -> Ints:
    if all(block.units is None for block in log.blocks):
        return units
    sets = np.zeros_like(units)
    for column in (column for block in log.blocks for column in read(block)):
        sets += np.bincount(column.owners, minlength=len(units))
    return sets


def clustered(log: Log, read: Read, count: int) -> Means:
    """Mean of the amounts per deal for each of `count` owners, with the units as clusters."""
    amount, deals, squares = np.zeros(count), np.zeros(count), np.zeros(count)
    units = np.zeros(count, dtype=np.int64)
    for column in _units(log, read):
        amount += np.bincount(column.owners, column.amounts, count)
        deals += np.bincount(column.owners, column.deals, count)
        units += np.bincount(column.owners, minlength=count)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = amount / deals
        for column in _units(log, read):
            surplus = column.amounts - mean[column.owners] * column.deals
            squares += np.bincount(column.owners, surplus * surplus, count)
        error = np.sqrt(units / (units - 1.0) * squares) / deals
    error[units < 2] = np.nan
    return Means(mean, error, _sets(log, read, units), units, deals)


def _by_player(block: Block) -> Iterator[Column]:
    for n in range(block.size):
        yield Column(block.players[:, n], block.margins[:, n], block.deals)


def player_margins(log: Log) -> Means:
    """Each player's mean margin per deal."""
    return clustered(log, _by_player, log.size)


def pair_margins(log: Log) -> Means:
    """For each pair (index row * size + column, row < column): row's score minus column's."""

    def by_pair(block: Block) -> Iterator[Column]:
        for left, right in block.pairs():
            a, b = block.players[:, left], block.players[:, right]
            lead = block.margins[:, left] - block.margins[:, right]
            owners = np.where(a < b, a * log.size + b, b * log.size + a)
            yield Column(owners, np.where(a < b, lead, -lead), block.deals)

    return clustered(log, by_pair, log.size**2)
