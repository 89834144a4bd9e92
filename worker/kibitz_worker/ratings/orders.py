"""Two other ways to put players in order by what they won from one another.

Both are those of the Annual Computer Poker Competition: *total bankroll*, the mean winnings over
all opponents, rewards exploiting weak players; *instant run-off* strikes out the player with the
smallest bankroll again and again, counting only results among those left, and so rewards holding
one's own among the best.
"""

from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.crosstable import Crosstable
from kibitz_worker.ratings.results import Bools, Floats


@dataclass(frozen=True, slots=True)
class Place:
    """A player's place in an order; `bankroll` is its mean margin a deal over its opponents.

    In a run-off the bankroll is that of the round in which the player was struck out. It is None if
    the player has met nobody (of those left).
    """

    player: str
    rank: int
    bankroll: float | None


def _margins(table: Crosstable) -> Floats:
    margins = np.full((len(table.names), len(table.names)), np.nan)
    margins[table.one, table.two] = table.margin
    margins[table.two, table.one] = -table.margin
    return margins


def _bankrolls(margins: Floats, left: Bools) -> Floats:
    """Mean margin of each player over those left whom it met; nan if there are none."""
    among = margins[:, left]
    met = ~np.isnan(among)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(met, among, 0.0).sum(axis=1) / met.sum(axis=1))


def _places(names: tuple[str, ...], order: list[int], bankrolls: list[float]) -> tuple[Place, ...]:
    pairs = zip(order, bankrolls, strict=True)
    return tuple(
        Place(names[player], rank, None if np.isnan(bankroll) else bankroll)
        for rank, (player, bankroll) in enumerate(pairs, 1)
    )


def by_bankroll(table: Crosstable) -> tuple[Place, ...]:
    """Players by total bankroll, best first; every opponent weighs the same."""
    bankrolls = _bankrolls(_margins(table), np.ones(len(table.names), dtype=np.bool_))
    order = sorted(range(len(bankrolls)), key=lambda n: (-bankrolls[n], table.names[n]))
    return _places(table.names, order, [float(bankrolls[n]) for n in order])


def by_run_off(table: Crosstable) -> tuple[Place, ...]:
    """Players by instant run-off, best first; of equal bankrolls the later name goes first."""
    margins = _margins(table)
    left = np.ones(len(table.names), dtype=np.bool_)
    struck: list[tuple[int, float]] = []
    while left.any():
        bankrolls = np.where(left, _bankrolls(margins, left), np.inf)
        alone = np.isnan(bankrolls)
        worst = np.flatnonzero(alone if alone.any() else bankrolls == bankrolls.min())[-1]
        struck.append((int(worst), float(bankrolls[worst])))
        left[worst] = False
    struck.reverse()
    last = [bankroll for _, bankroll in struck]
    return _places(table.names, [player for player, _ in struck], last)
