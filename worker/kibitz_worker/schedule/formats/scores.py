"""What entrants have made of their tables, as formats need it to rank them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kibitz_worker.schedule.formats.shape import Meeting


def totals(meeting: Meeting) -> list[tuple[float, float]]:
    """Return what each place has over the finished sets of a table: returns, margins."""
    done = meeting.done
    return [
        (sum(s.scores[place] for s in done), sum(s.margins[place] for s in done))
        for place in range(len(meeting.entrants))
    ]


def share(values: Sequence[float], place: int) -> float:
    """Return which part of the others at a table a place has beaten, a draw being half."""
    own, others = values[place], [*values[:place], *values[place + 1 :]]
    return sum((own > other) + (own == other) / 2 for other in others) / len(others)


@dataclass
class Score:
    """What one entrant has: `points` is a sum of shares, one a table."""

    points: float = 0.0
    margin: float = 0.0
    deals: int = 0
    tables: int = 0

    @property
    def order(self) -> tuple[float, float]:
        """Sorts the best first."""
        return -self.points, -(self.margin / self.deals if self.deals else 0.0)


def scores(entrants: Iterable[int], meetings: Iterable[Meeting]) -> dict[int, Score]:
    """Add up finished tables: for each the share beaten by returns; then margins and deals."""
    found = {number: Score() for number in entrants}
    for meeting in meetings:
        if not meeting.done:
            continue
        sums = totals(meeting)
        for place, number in enumerate(meeting.entrants):
            if number in found:
                score = found[number]
                score.points += share([returns for returns, _ in sums], place)
                score.margin += sums[place][1]
                score.deals += sum(result.deals for result in meeting.done)
                score.tables += 1
    return found


def ranking(entrants: Iterable[int], meetings: Iterable[Meeting]) -> list[int]:
    """Return entrants, the best first: mean share of the sets, then margin, then lower number."""
    numbers = list(entrants)
    found = scores(numbers, meetings)
    mean = {n: s.points / s.tables if s.tables else 0.0 for n, s in found.items()}
    return sorted(numbers, key=lambda n: (-mean[n], found[n].order[1], n))
