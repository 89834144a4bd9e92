"""Everybody against everybody: sets, share of points, margin per deal, significance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np

from kibitz_worker.ratings.log import Log
from kibitz_worker.ratings.margins import Means, pair_margins
from kibitz_worker.ratings.results import Floats, Ints
from kibitz_worker.ratings.student import two_sided_all


class Cell(NamedTuple):
    """How `player` did against `opponent` in the sets that both played.

    `share` is wins plus half the draws, divided by the sets; `margin` is player's score minus
    opponent's, per deal. `p_value` is two-sided for "no difference in margin", None for a single
    set.
    """

    player: str
    opponent: str
    sets: int
    deals: int
    share: float
    margin: float
    p_value: float | None

    @property
    def significant(self) -> bool:
        """Is the margin different from 0 at the level of 5 %?"""
        return self.p_value is not None and self.p_value < 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Crosstable(Sequence[Cell]):
    """The cells of all ordered pairs that met, held as one row of numbers a pair.

    `names` are sorted; `one` and `two` are indices into them, `one` the smaller, in rising order.
    """

    names: tuple[str, ...]
    one: Ints
    two: Ints
    sets: Ints
    deals: Ints
    won: Floats
    margin: Floats
    p_value: Floats

    def _columns(self) -> tuple[Floats | Ints, ...]:
        return (self.one, self.two, self.sets, self.deals, self.won, self.margin, self.p_value)

    def __len__(self) -> int:
        return 2 * len(self.one)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Crosstable) or self.names != other.names:
            return NotImplemented if not isinstance(other, Crosstable) else False
        both = zip(self._columns(), other._columns(), strict=True)
        return all(np.array_equal(a, b, equal_nan=True) for a, b in both)

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def _cell(self, row: int, mirrored: bool) -> Cell:
        names = self.names[int(self.one[row])], self.names[int(self.two[row])]
        sets, won, chance = int(self.sets[row]), float(self.won[row]), float(self.p_value[row])
        return Cell(
            *(names[::-1] if mirrored else names),
            sets=sets,
            deals=int(self.deals[row]),
            share=(sets - won if mirrored else won) / sets,
            margin=0.0 - float(self.margin[row]) if mirrored else float(self.margin[row]),
            p_value=None if np.isnan(chance) else chance,
        )

    @overload
    def __getitem__(self, index: int) -> Cell: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Cell, ...]: ...
    def __getitem__(self, index: int | slice) -> Cell | tuple[Cell, ...]:
        if isinstance(index, slice):
            return tuple(self[n] for n in range(*index.indices(len(self))))
        row, side = divmod(range(len(self))[index], 2)
        return self._cell(row, bool(side))

    def of(self, player: str) -> Iterator[Cell]:
        """The cells of one player, against everybody it met, in order of names."""
        number = self.names.index(player) if player in self.names else -1
        for row in np.flatnonzero(self.two == number).tolist():
            yield self._cell(row, True)
        for row in np.flatnonzero(self.one == number).tolist():
            yield self._cell(row, False)


def p_values(means: Means) -> Floats:
    """Two-sided p-values of means over independent units, nan for fewer than two.

    Student's t; where all units are equal (no scatter) the sign test, 2 / 2^units.
    """
    units, mean, error = means.units, means.mean, means.error
    chances = np.where(mean == 0.0, 1.0, np.exp2(np.minimum(1.0 - units, 0.0)))
    scattered = error > 1e-12 * np.maximum(1.0, np.abs(mean))
    chances[scattered] = two_sided_all((mean / error)[scattered], units[scattered] - 1)
    chances[units < 2] = np.nan
    return chances


def crosstable(log: Log, wins: Floats) -> Crosstable:
    """Everybody against everybody they met."""
    means = pair_margins(log)
    met = np.flatnonzero(means.sets)
    one, two = np.divmod(met, log.size)
    chosen = Means(
        means.mean[met], means.error[met], means.sets[met], means.units[met], means.deals[met]
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        chances = p_values(chosen)
    return Crosstable(
        names=log.names,
        one=one,
        two=two,
        sets=chosen.sets,
        deals=np.rint(chosen.deals).astype(np.int64),
        won=wins[one, two],
        margin=chosen.mean,
        p_value=chances,
    )


def to_columns(table: Crosstable) -> dict[str, list[Any]]:
    """Plain lists with each pair once, which is small as JSON."""
    return {
        "names": list(table.names),
        "one": table.one.tolist(),
        "two": table.two.tolist(),
        "sets": table.sets.tolist(),
        "deals": table.deals.tolist(),
        "won": table.won.tolist(),
        "margin": table.margin.tolist(),
        "p_value": [None if np.isnan(p) else p for p in table.p_value.tolist()],
    }


def from_columns(columns: dict[str, Any]) -> Crosstable:
    """The inverse of `to_columns`."""
    return Crosstable(
        names=tuple(columns["names"]),
        one=np.array(columns["one"], np.int64),
        two=np.array(columns["two"], np.int64),
        sets=np.array(columns["sets"], np.int64),
        deals=np.array(columns["deals"], np.int64),
        won=np.array(columns["won"], np.float64),
        margin=np.array(columns["margin"], np.float64),
        p_value=np.array(columns["p_value"], np.float64),  # None becomes nan
    )


EMPTY = from_columns(
    {key: [] for key in ("names", "one", "two", "sets", "deals", "won", "margin", "p_value")}
)
