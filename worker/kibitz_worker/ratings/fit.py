"""From finished sets to published ratings."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.adjusted import Levels, adjusted_margins
from kibitz_worker.ratings.crosstable import EMPTY, crosstable
from kibitz_worker.ratings.lineage import Line, inherit, newest_of
from kibitz_worker.ratings.log import Log, read_log
from kibitz_worker.ratings.margins import Means, player_margins
from kibitz_worker.ratings.ranks import rank_intervals
from kibitz_worker.ratings.ratings import Ratings, Row
from kibitz_worker.ratings.results import Floats, SetColumns, SetResult
from kibitz_worker.ratings.strength import NORMAL_95, Estimate, estimate
from kibitz_worker.ratings.student import quantile

PROVISIONAL_SETS = 30


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known of everybody, by number; the last of `line` have not played yet."""

    log: Log
    line: Line
    low: Floats
    high: Floats
    means: Means
    levels: Levels
    ranks: dict[int, tuple[int, int]]

    def sets(self, player: int) -> int:
        """How many sets a player has."""
        return int(self.means.sets[player]) if player < self.log.size else 0

    def order(self, player: int) -> tuple[bool, float, str]:
        """Established players first, then by the lower end of the interval: luck leads no list."""
        new = self.sets(player) < PROVISIONAL_SETS
        return new, -self.proven(player), self.line.names[player]

    def proven(self, player: int) -> float:
        """The lower end; where it is fixed by definition, that of the distance to the pool's mean.

        Otherwise the anchor would stand before equals for having no interval.
        """
        if self.low[player] < self.high[player]:
            return float(self.low[player])
        pool = next(pool for pool in self.line.pools if player in pool)
        error = math.sqrt(max(0.0, float(self.line.covariance[np.ix_(pool, pool)].mean())))
        return float(self.low[player]) - NORMAL_95 * error


def _around(value: float, error: float, units: int) -> tuple[float, float | None, float | None]:
    """A value with its 95 % bounds by Student's t; none for fewer than two units."""
    if units < 2:
        return value, None, None
    half = quantile(units - 1) * error
    return value, value - half, value + half


def _row(found: _Found, player: int, pool: int, rank: int) -> Row:
    sets = found.sets(player)
    nothing = (0.0, None, None)
    plain, adjusted = _margins(found, player) if sets else (nothing, nothing)
    return Row(
        player=found.line.names[player],
        rank=rank,
        pool=pool,
        elo=float(found.line.elo[player]),
        elo_low=float(found.low[player]),
        elo_high=float(found.high[player]),
        margin=plain[0],
        margin_low=plain[1],
        margin_high=plain[2],
        adjusted=adjusted[0],
        adjusted_low=adjusted[1],
        adjusted_high=adjusted[2],
        sets=sets,
        deals=round(found.means.deals[player]) if sets else 0,
        provisional=sets < PROVISIONAL_SETS,
        rank_low=found.ranks[player][0],
        rank_high=found.ranks[player][1],
        inherited=bool(found.line.heirs[player]),
    )


Bounded = tuple[float, float | None, float | None]


def _margins(found: _Found, player: int) -> tuple[Bounded, Bounded]:
    means, levels = found.means, found.levels
    units = int(means.units[player])
    plain = _around(float(means.mean[player]), float(means.error[player]), units)
    error = math.sqrt(max(0.0, float(levels.covariance[player, player])))
    return plain, _around(float(levels.level[player]), error, units)


def _notes(log: Log, pools: list[list[int]], anchor: str, level: float) -> tuple[str, ...]:
    notes = []
    if anchor not in log.names:
        notes.append(f"the anchor {anchor!r} has not played: the mean is {level:g}")
    if any(block.partners for block in log.blocks):
        notes.append("partners change: a side counts as the mean of its two players")
    if len(pools) > 1:
        sizes = ", ".join(str(len(pool)) for pool in pools)
        notes.append(
            f"{len(pools)} pools of {sizes} players never met one another: "
            f"their elos cannot be compared; without the anchor a pool's mean is {level:g}"
        )
    return tuple(notes)


def _bounds(found: Estimate, line: Line) -> tuple[Floats, Floats]:
    """Intervals as estimated; those of versions with a parent from their combined error."""
    half = NORMAL_95 * np.sqrt(np.clip(np.diag(line.covariance), 0.0, None))
    low, high = line.elo - half, line.elo + half
    own = ~line.heirs[: len(found.low)]
    low[: len(found.low)][own], high[: len(found.high)][own] = found.low[own], found.high[own]
    return low, high


def fit(
    results: Iterable[SetResult | SetColumns],
    anchor: str = "careful",
    anchor_elo: float = 1500.0,
    virtual_draws: float = 1.0,
    parents: Mapping[str, str] | None = None,
) -> Ratings:
    """Rate everybody who occurs in the results.

    Elo by maximum likelihood (`bradley_terry`), intervals from the cluster-robust covariance
    (`covariance`), for players with fewer than 30 sets widened to the bootstrap's (`bootstrap`).
    An anchor without a version is its newest one.
    `parents` names the earlier version that a version starts from (`lineage`), also of versions
    that have not played yet. Ranks go by the lower end of the interval, established players before
    provisional ones. The order of the results does not matter, only complete sets belong in them,
    one by one or as columns. Raises RatingError `DUPLICATE_SET`, and `NO_MAXIMUM` (only with
    `virtual_draws=0`).
    """
    log = read_log(results)
    if not log.size:
        return Ratings(anchor, anchor_elo, False, 0, (), (), EMPTY, (), ("no set is finished yet",))
    means = player_margins(log)
    anchor = anchor if anchor in log.names else newest_of(anchor, log.names) or anchor
    number = log.names.index(anchor) if anchor in log.names else None
    found = estimate(log, number, means.sets < PROVISIONAL_SETS, virtual_draws)
    found.elo[:] += anchor_elo
    found.low[:] += anchor_elo
    found.high[:] += anchor_elo
    line = inherit(log.names, found.elo, found.covariance, found.pools, parents or {}, anchor)
    low, high = _bounds(found, line)
    ranks = rank_intervals(line.elo, line.covariance, line.pools)
    whole = _Found(log, line, low, high, means, adjusted_margins(log), ranks)
    ranked = [sorted(pool, key=whole.order) for pool in line.pools]
    places = {n: (p, rank) for p, pool in enumerate(ranked) for rank, n in enumerate(pool, 1)}
    return Ratings(
        anchor=anchor,
        anchor_elo=anchor_elo,
        anchored=number is not None,
        sets=log.sets,
        rows=tuple(_row(whole, n, *place) for n, place in places.items()),
        covariance=tuple(map(tuple, line.covariance[np.ix_([*places], [*places])].tolist())),
        crosstable=crosstable(log, found.wins),
        pools=tuple(tuple(line.names[n] for n in pool) for pool in ranked),
        notes=_notes(log, found.pools, anchor, anchor_elo),
    )
