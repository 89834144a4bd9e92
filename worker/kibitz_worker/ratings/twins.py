"""One bot entered under two names: does the platform treat both alike?

Whatever favours an entrant (a seat, an order round the table, a slow machine) shows as a difference
between two copies of the same bot. The check runs for ever, so that chance alone raises an alarm
now and then at any level: it asks for three and a third standard errors, once in a thousand.
"""

from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

from kibitz_worker.ratings.errors import RatingError
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
