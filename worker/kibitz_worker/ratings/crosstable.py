"""Everybody against everybody: sets, share of points, margin per deal, significance."""

from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.margins import Means, pair_margins
from kibitz_worker.ratings.results import Floats, Log
from kibitz_worker.ratings.student import two_sided


@dataclass(frozen=True, slots=True)
class Cell:
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


def p_value(mean: float, error: float, units: int) -> float | None:
    """Two-sided p-value of a mean over independent units, None for fewer than two.

    Student's t; where all units are equal (no scatter) the sign test, 2 / 2^units.
    """
    if units < 2:
        return None
    if error > 1e-12 * max(1.0, abs(mean)):
        return two_sided(mean / error, units - 1)
    return 1.0 if mean == 0 else 2.0 ** (1 - units)


def _cells(log: Log, wins: Floats, means: Means, flat: int) -> tuple[Cell, Cell]:
    a, b = divmod(flat, log.size)
    sets, deals, margin = int(means.sets[flat]), round(means.deals[flat]), float(means.mean[flat])
    chance = p_value(margin, float(means.error[flat]), int(means.units[flat]))
    one, two = log.names[a], log.names[b]
    return (
        Cell(one, two, sets, deals, float(wins[a, b]) / sets, margin, chance),
        Cell(two, one, sets, deals, float(wins[b, a]) / sets, 0.0 - margin, chance),
    )


def crosstable(log: Log, wins: Floats) -> tuple[Cell, ...]:
    """A cell for each ordered pair that met, in order of names."""
    means = pair_margins(log)
    pairs = (_cells(log, wins, means, int(flat)) for flat in np.flatnonzero(means.sets))
    return tuple(sorted((c for pair in pairs for c in pair), key=lambda c: (c.player, c.opponent)))
