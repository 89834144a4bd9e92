"""Which sets may count while others are still being played.

Short sets come in first, and how long a set takes can depend on how it goes: looking at whatever
has arrived would favour one side. So a test sees the sets in the order in which they were planned,
up to the first that is still open.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from kibitz_worker.ratings.errors import RatingError

T = TypeVar("T")


def contiguous(finished: Mapping[int, T | None]) -> list[T]:
    """Results of sets 0, 1, 2, ... up to the first that is missing.

    None stands for a set that was given up for good: it is passed over without ending the row.
    Raises RatingError `BAD_NUMBER` for a number below 0.
    """
    if finished and min(finished) < 0:
        raise RatingError("BAD_NUMBER", f"set {min(finished)}: sets are numbered from 0")
    row = []
    for number in range(len(finished)):
        if number not in finished:
            break
        result = finished[number]
        if result is not None:
            row.append(result)
    return row


def pair_outcome(first: float, second: float) -> int:
    """Kind of a game pair, 0 (both lost) to 4 (both won), from the candidate's two returns."""
    return sum(2 if value > 0 else 1 if value == 0 else 0 for value in (first, second))


def pair_counts(outcomes: Sequence[int]) -> tuple[int, int, int, int, int]:
    """How often each kind of game pair occurred; RatingError `BAD_OUTCOME` for another kind."""
    counts = [0] * 5
    for outcome in outcomes:
        if not 0 <= outcome < 5:
            raise RatingError("BAD_OUTCOME", f"a game pair is of kind 0 to 4, not {outcome}")
        counts[outcome] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]
