"""One bot entered under two names: does the platform treat both alike?

Whatever favours an entrant (a seat, an order round the table, a slow machine) shows as a difference
between two copies of the same bot. The check runs for ever, so that chance alone raises an alarm
now and then at any level: it asks for three and a third standard errors, once in a thousand.
"""

from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.log import Block, Log
from kibitz_worker.ratings.ratings import Ratings

ALARM = 0.001


@dataclass(frozen=True, slots=True)
class TwinCheck:
    """Difference of the copies in elo with its standard error, and the chance of so much or more.

    `alarm`: no longer to be explained by luck. `margin` is points a deal where they met one
    another, else None, with its own two-sided chance.
    """

    one: str
    two: str
    elo: float
    error: float
    p_value: float
    margin: float | None
    margin_p_value: float | None
    alarm: bool

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return asdict(self)


def check_twins(ratings: Ratings, one: str, two: str) -> TwinCheck:
    """Compare two copies of one bot.

    Raises RatingError `UNKNOWN_PLAYER`, `NOT_CONNECTED` if nothing links them.
    """
    difference = ratings.difference(one, two)
    if difference is None:
        raise RatingError("NOT_CONNECTED", f"{one!r} and {two!r} met nobody in common")
    elo, error = difference
    chance = 2.0 * NormalDist().cdf(-abs(elo) / error) if error > 0.0 else float(elo == 0.0)
    cell = next((cell for cell in ratings.crosstable.of(one) if cell.opponent == two), None)
    chances = [chance, *([cell.p_value] if cell and cell.p_value is not None else [])]
    return TwinCheck(
        one=one,
        two=two,
        elo=elo,
        error=error,
        p_value=chance,
        margin=cell.margin if cell else None,
        margin_p_value=cell.p_value if cell else None,
        alarm=min(chances) < ALARM / len(chances),
    )


FEW_SETS = 20
"""With fewer sets on either side a company says too little for the normal distribution."""


@dataclass(frozen=True, slots=True)
class Company:
    """The copies at tables with the same third (and fourth) bots, each without the other.

    `difference` is the first's margin a deal less the second's, `error` its standard error from the
    scatter between sets.
    """

    others: tuple[str, ...]
    sets_one: int
    sets_two: int
    difference: float
    error: float
    p_value: float
    alarm: bool


def check_company(log: Log, one: str, two: str) -> list[Company]:
    """Compare two copies of one bot by whom they sat with; the alarm allows for how many looks.

    Only companies that both have met in at least `FEW_SETS` sets are looked at.
    """
    if one not in log.names or two not in log.names:
        return []
    numbers = log.names.index(one), log.names.index(two)
    mine, theirs = (_margins_by_company(log, n, numbers) for n in numbers)
    shared = sorted(
        others
        for others in mine.keys() & theirs.keys()
        if min(len(mine[others]), len(theirs[others])) >= FEW_SETS
    )
    return [_company(log, each, mine[each], theirs[each], len(shared)) for each in shared]


def _margins_by_company(
    log: Log, player: int, both: tuple[int, int]
) -> dict[tuple[int, ...], list[float]]:
    found: dict[tuple[int, ...], list[float]] = {}
    for block in log.having(partners=False).blocks:
        here = (block.players == player).any(axis=1)
        here &= np.isin(block.players, both).sum(axis=1) == 1
        for row in np.flatnonzero(here).tolist():
            _add_row(found, block, row, player)
    return found


def _add_row(
    found: dict[tuple[int, ...], list[float]], block: Block, row: int, player: int
) -> None:
    players = block.players[row].tolist()
    margin = float(block.margins[row, players.index(player)]) / float(block.deals[row])
    others = tuple(sorted(other for other in players if other != player))
    found.setdefault(others, []).append(margin)


def _company(
    log: Log, others: tuple[int, ...], mine: list[float], theirs: list[float], looks: int
) -> Company:
    difference = float(np.mean(mine) - np.mean(theirs))
    error = float(np.hypot(*(np.std(x, ddof=1) / np.sqrt(len(x)) for x in (mine, theirs))))
    chance = 2.0 * NormalDist().cdf(-abs(difference) / error) if error > 0.0 else 1.0
    return Company(
        others=tuple(log.names[n] for n in others),
        sets_one=len(mine),
        sets_two=len(theirs),
        difference=difference,
        error=error,
        p_value=chance,
        alarm=chance < ALARM / looks,
    )
