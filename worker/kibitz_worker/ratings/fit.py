"""From finished sets to published ratings."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.adjusted import Levels, adjusted_margins
from kibitz_worker.ratings.crosstable import EMPTY, crosstable
from kibitz_worker.ratings.log import Log, read_log
from kibitz_worker.ratings.margins import Means, player_margins
from kibitz_worker.ratings.ratings import Ratings, Row
from kibitz_worker.ratings.results import SetColumns, SetResult
from kibitz_worker.ratings.strength import Estimate, estimate
from kibitz_worker.ratings.student import quantile

PROVISIONAL_SETS = 30


def _order(log: Log, found: Estimate, means: Means, player: int) -> tuple[bool, float, str]:
    """Established players first: a lucky newcomer does not lead the list after two sets."""
    new = bool(means.sets[player] < PROVISIONAL_SETS)
    return new, -float(found.elo[player]), log.names[player]


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known of everybody, by number."""

    log: Log
    strength: Estimate
    means: Means
    levels: Levels


def _around(value: float, error: float, units: int) -> tuple[float, float | None, float | None]:
    """A value with its 95 % bounds by Student's t; none for fewer than two units."""
    if units < 2:
        return value, None, None
    half = quantile(units - 1) * error
    return value, value - half, value + half


def _row(found: _Found, player: int, pool: int, rank: int) -> Row:
    strength, means, levels = found.strength, found.means, found.levels
    units, sets = int(means.units[player]), int(means.sets[player])
    plain = _around(float(means.mean[player]), float(means.error[player]), units)
    error = math.sqrt(max(0.0, float(levels.covariance[player, player])))
    adjusted = _around(float(levels.level[player]), error, units)
    return Row(
        player=found.log.names[player],
        rank=rank,
        pool=pool,
        elo=float(strength.elo[player]),
        elo_low=float(strength.low[player]),
        elo_high=float(strength.high[player]),
        margin=plain[0],
        margin_low=plain[1],
        margin_high=plain[2],
        adjusted=adjusted[0],
        adjusted_low=adjusted[1],
        adjusted_high=adjusted[2],
        sets=sets,
        deals=round(means.deals[player]),
        provisional=sets < PROVISIONAL_SETS,
    )


def _notes(log: Log, pools: list[list[int]], anchor: str, level: float) -> tuple[str, ...]:
    notes = []
    if anchor not in log.names:
        notes.append(f"the anchor {anchor!r} has not played: the mean is {level:g}")
    if len(pools) > 1:
        sizes = ", ".join(str(len(pool)) for pool in pools)
        notes.append(
            f"{len(pools)} pools of {sizes} players never met one another: "
            f"their elos cannot be compared; without the anchor a pool's mean is {level:g}"
        )
    return tuple(notes)


def fit(
    results: Iterable[SetResult | SetColumns],
    anchor: str = "careful",
    anchor_elo: float = 1500.0,
    virtual_draws: float = 1.0,
) -> Ratings:
    """Rate everybody who occurs in the results.

    Elo by maximum likelihood (`bradley_terry`), intervals from the cluster-robust covariance
    (`covariance`), for players with fewer than 30 sets widened to the bootstrap's (`bootstrap`).
    The order of the results does not matter, only complete sets belong in them, one by one or as
    columns. Raises RatingError `DUPLICATE_SET`, and `NO_MAXIMUM` (only with `virtual_draws=0`).
    """
    log = read_log(results)
    if not log.size:
        return Ratings(anchor, anchor_elo, False, 0, (), (), EMPTY, (), ("no set is finished yet",))
    means = player_margins(log)
    number = log.names.index(anchor) if anchor in log.names else None
    found = estimate(log, number, means.sets < PROVISIONAL_SETS, virtual_draws)
    found.elo[:] += anchor_elo
    found.low[:] += anchor_elo
    found.high[:] += anchor_elo
    ranked = [sorted(pool, key=lambda n: _order(log, found, means, n)) for pool in found.pools]
    whole = _Found(log, found, means, adjusted_margins(log))
    places = {n: (p, rank) for p, pool in enumerate(ranked) for rank, n in enumerate(pool, 1)}
    return Ratings(
        anchor=anchor,
        anchor_elo=anchor_elo,
        anchored=number is not None,
        sets=log.sets,
        rows=tuple(_row(whole, n, *place) for n, place in places.items()),
        covariance=tuple(map(tuple, found.covariance[np.ix_([*places], [*places])].tolist())),
        crosstable=crosstable(log, found.wins),
        pools=tuple(tuple(log.names[n] for n in pool) for pool in ranked),
        notes=_notes(log, found.pools, anchor, anchor_elo),
    )
