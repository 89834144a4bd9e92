"""Results of all kinds as one log of arrays, the form that everything else computes with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kibitz_worker.ratings.results import Bools, Floats, Ints, SetColumns, SetResult, gather


@dataclass(frozen=True, slots=True)
class Block:
    """Sets with the same number of players: rows are sets, columns are players.

    `units` is None where every set is a statistical unit of its own. With `partners` the first and
    third of four players are one side, the second and fourth the other.
    """

    players: Ints
    scores: Floats
    margins: Floats
    deals: Floats
    units: Ints | None
    partners: bool = False

    @property
    def size(self) -> int:
        """How many players a set has."""
        return int(self.players.shape[1])

    @property
    def clusters(self) -> Ints:
        """The unit of each set, numbered."""
        return np.arange(len(self.players)) if self.units is None else self.units

    def chosen(self, keep: Bools) -> Block:
        """These sets of the block alone."""
        units = None if self.units is None else self.units[keep]
        rows = (self.players[keep], self.scores[keep], self.margins[keep], self.deals[keep])
        return Block(*rows, units, self.partners)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """All pairs of columns that are opponents."""
        return (
            (left, right)
            for left, right in combinations(range(self.size), 2)
            if not self.partners or (right - left) % 2
        )


@dataclass(frozen=True, slots=True)
class Log:
    """Results as arrays; players are indices into the sorted names."""

    names: tuple[str, ...]
    blocks: tuple[Block, ...]

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def sets(self) -> int:
        return sum(len(block.players) for block in self.blocks)

    def having(self, *, partners: bool) -> Log:
        """The sets with changing partners alone, or those without; players keep their numbers."""
        return Log(self.names, tuple(b for b in self.blocks if b.partners is partners))


def _block(columns: SetColumns, number: Ints) -> Block:
    """Arrays with contiguous columns, since columns are what is read."""
    scores = np.asfortranarray(columns.scores, dtype=np.float64)
    margins = scores - scores.mean(axis=1, keepdims=True)
    units = columns.units
    if columns.margins is not None:
        margins = np.asfortranarray(columns.margins, dtype=np.float64)
    if units is not None and len(np.unique(units)) == len(units):
        units = None
    return Block(
        players=np.asfortranarray(number[columns.players]),
        scores=scores,
        margins=margins,
        deals=columns.deals.astype(np.float64),
        units=units,
        partners=columns.partners,
    )


def _playing(columns: SetColumns) -> Iterator[str]:
    times = np.bincount(columns.players.ravel(order="K"), minlength=len(columns.names))
    return (name for name, n in zip(columns.names, times.tolist(), strict=True) if n)


def read_log(results: Iterable[SetResult | SetColumns]) -> Log:
    """Bring sets and columns of sets into one log; the order of the sets does not matter.

    Raises RatingError `DUPLICATE_SET` if the id of a `SetResult` occurs twice: a set counts once.
    """
    single: list[SetResult] = []
    columns: list[SetColumns] = []
    for result in results:
        if isinstance(result, SetColumns):
            columns.append(result)
        else:
            single.append(result)
    columns = [c for c in (*columns, *gather(single)) if len(c)]
    names = tuple(sorted({name for c in columns for name in _playing(c)}))
    place = {name: n for n, name in enumerate(names)}
    numbers = (np.array([place.get(name, -1) for name in c.names]) for c in columns)
    return Log(names, tuple(_block(c, n) for c, n in zip(columns, numbers, strict=True)))
