"""From finished sets to published ratings."""

from collections.abc import Iterable

import numpy as np

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


def _row(log: Log, found: Estimate, means: Means, player: int, place: tuple[int, int]) -> Row:
    margin, error = float(means.mean[player]), float(means.error[player])
    units, sets = int(means.units[player]), int(means.sets[player])
    half = quantile(units - 1) * error if units > 1 else None
    return Row(
        player=log.names[player],
        rank=place[1],
        pool=place[0],
        elo=float(found.elo[player]),
        elo_low=float(found.low[player]),
        elo_high=float(found.high[player]),
        margin=margin,
        margin_low=None if half is None else margin - half,
        margin_high=None if half is None else margin + half,
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
    places = {n: (p, rank) for p, pool in enumerate(ranked) for rank, n in enumerate(pool, 1)}
    return Ratings(
        anchor=anchor,
        anchor_elo=anchor_elo,
        anchored=number is not None,
        sets=log.sets,
        rows=tuple(_row(log, found, means, n, place) for n, place in places.items()),
        covariance=tuple(map(tuple, found.covariance[np.ix_([*places], [*places])].tolist())),
        crosstable=crosstable(log, found.wins),
        pools=tuple(tuple(log.names[n] for n in pool) for pool in ranked),
        notes=_notes(log, found.pools, anchor, anchor_elo),
    )
