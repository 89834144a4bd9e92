"""Scores added up: of matches to sets, and of sets to the standings of a tournament."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kibitz.match import whole


def margins(results: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return for each seat the sum over the deals of its score minus the mean of the table."""
    means = [sum(scores) / len(scores) for scores in results]
    return tuple(
        sum(scores[seat] - mean for scores, mean in zip(results, means, strict=True))
        for seat in range(len(results[0]) if results else 0)
    )


def by_player(seatings: Sequence[Sequence[int]], values: Sequence[Sequence[float]]) -> list[float]:
    """Add up values by seat over matches, for each player; partners' seats count as one.

    Both seats of a side hold the side's value, so a player with two seats gets their mean.

    Args:
        seatings: for each match which player (or side) sits in each seat.
        values: for each match a value by seat.
    """
    players = 1 + max(player for seating in seatings for player in seating)
    sums = [0.0] * players
    for seating, row in zip(seatings, values, strict=True):
        seats = len(seating) // players
        for player, value in zip(seating, row, strict=True):
            sums[player] += value / seats
    return whole(sums)


@dataclass
class Total:
    """What an entrant has done in finished sets.

    ``beaten`` counts opponents with a lower score in a set, those with the same as a half;
    ``points`` are returns, ``margin`` is the score minus the table's mean, both added up.
    """

    sets: int = 0
    deals: int = 0
    beaten: float = 0.0
    opponents: int = 0
    points: float = 0.0
    margin: float = 0.0
    forfeits: int = 0

    def add(
        self,
        place: int,
        scores: Sequence[float],
        margins: Sequence[float],
        deals: int,
        *,
        partners: bool = False,
    ) -> None:
        """Count one set, in which the entrant is the player at this place.

        With ``partners`` every other place is of the entrant's own side, and nobody to beat.
        """
        own = scores[place]
        if partners:
            others = list(scores[1 - place % 2 :: 2])
        else:
            others = [*scores[:place], *scores[place + 1 :]]
        self.sets += 1
        self.deals += deals
        self.beaten += sum((own > other) + (own == other) / 2 for other in others)
        self.opponents += len(others)
        self.points += own
        self.margin += margins[place]

    @property
    def share(self) -> float | None:
        """The share of opponents beaten, or ``None`` before the first set."""
        return self.beaten / self.opponents if self.opponents else None

    @property
    def mean_margin(self) -> float | None:
        """The margin per deal, or ``None`` before the first."""
        return self.margin / self.deals if self.deals else None


def ranked(totals: Iterable[tuple[str, Total]]) -> list[tuple[str, Total]]:
    """Return names with their totals, those with the greatest share of opponents beaten first."""

    def merit(entry: tuple[str, Total]) -> tuple[float, float, str]:
        name, total = entry
        share = total.share
        return (-(share if share is not None else -1), -total.points, name)

    return sorted(totals, key=merit)
