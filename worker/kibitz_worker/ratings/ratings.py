"""The published result: rows, covariance, crosstable, all of it plain JSON on demand."""

import math
from dataclasses import asdict, dataclass, field
from statistics import NormalDist
from typing import Any

from kibitz_worker.ratings.crosstable import Crosstable, from_columns, to_columns
from kibitz_worker.ratings.errors import RatingError

FORMAT = "kibitz-ratings/1"


@dataclass(frozen=True, slots=True)
class Row:
    """One player's line of the leaderboard.

    Intervals hold 95 %. `rank` goes by `elo_low`, established players before provisional ones (the
    anchor, which has no interval, by that of its distance to the pool's mean), within the `pool` (0
    is the main one). The true rank lies between `rank_low` and `rank_high`, None in ratings of
    older versions of Kibitz. `margin` is the mean over deals of score minus table mean; its bounds
    are None after a single set. `adjusted` is the same allowing for who the opponents were: points
    a deal above the average of the pool. `provisional`: fewer than 30 sets. `inherited`: what its
    parent lets expect is part of the elo.
    """

    player: str
    rank: int
    pool: int
    elo: float
    elo_low: float
    elo_high: float
    margin: float
    margin_low: float | None
    margin_high: float | None
    adjusted: float
    adjusted_low: float | None
    adjusted_high: float | None
    sets: int
    deals: int
    provisional: bool
    rank_low: int | None = None
    rank_high: int | None = None
    inherited: bool = False


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings of a pool of players; `fit` makes them.

    `anchored` says whether the anchor was among the players (its elo is then exact by definition);
    otherwise the mean of each pool is `anchor_elo`. `covariance` is that of the elos, in the order
    of `rows`. `pools` are the groups of players that never met one another, the main one first:
    elos of different pools cannot be compared. `notes` say such things in words.
    """

    anchor: str
    anchor_elo: float
    anchored: bool
    sets: int
    rows: tuple[Row, ...]
    covariance: tuple[tuple[float, ...], ...]
    crosstable: Crosstable
    pools: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    _numbers: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbers = {row.player: n for n, row in enumerate(self.rows)}
        object.__setattr__(self, "_numbers", numbers)

    def row(self, player: str) -> Row:
        """The player's row; RatingError `UNKNOWN_PLAYER` if there is none."""
        return self.rows[self._index(player)]

    def _index(self, player: str) -> int:
        try:
            return self._numbers[player]
        except KeyError:
            text = f"no rated player is called {player!r}"
            raise RatingError("UNKNOWN_PLAYER", text) from None

    def difference(self, a: str, b: str) -> tuple[float, float] | None:
        """Elo of a minus elo of b and its standard error; None between pools.

        The variance of the difference is V_aa + V_bb - 2 V_ab.
        """
        i, j = self._index(a), self._index(b)
        if self.rows[i].pool != self.rows[j].pool:
            return None
        v = self.covariance
        variance = v[i][i] + v[j][j] - 2.0 * v[i][j]
        return self.rows[i].elo - self.rows[j].elo, math.sqrt(max(0.0, variance))

    def los(self, a: str, b: str) -> float | None:
        """Likelihood that a is stronger than b: Phi(difference / error); None between pools."""
        difference = self.difference(a, b)
        if difference is None:
            return None
        mean, error = difference
        return NormalDist().cdf(mean / error) if error > 0 else 0.5

    def to_json(self) -> dict[str, Any]:
        """Plain lists, texts and numbers, ready for `json.dumps`."""
        return {
            "format": FORMAT,
            "anchor": self.anchor,
            "anchor_elo": self.anchor_elo,
            "anchored": self.anchored,
            "sets": self.sets,
            "rows": [asdict(row) for row in self.rows],
            "covariance": [list(row) for row in self.covariance],
            "crosstable": to_columns(self.crosstable),
            "pools": [list(pool) for pool in self.pools],
            "notes": list(self.notes),
        }

    @classmethod
    def from_json(cls, payload: dict[str, Any]) -> "Ratings":
        """The inverse of `to_json`, also after a round through JSON text."""
        if payload.get("format") != FORMAT:
            raise RatingError("BAD_FORMAT", f"format is {payload.get('format')!r}, not {FORMAT!r}")
        return cls(
            anchor=payload["anchor"],
            anchor_elo=payload["anchor_elo"],
            anchored=payload["anchored"],
            sets=payload["sets"],
            rows=tuple(Row(**row) for row in payload["rows"]),
            covariance=tuple(tuple(row) for row in payload["covariance"]),
            crosstable=from_columns(payload["crosstable"]),
            pools=tuple(tuple(pool) for pool in payload["pools"]),
            notes=tuple(payload["notes"]),
        )
