"""Lanes: which process sits in which chair.

A duplicate set shows the same decks to the same bot several times. So each bot runs one process a
lane (the seating within a half of the set) and, where it holds two seats at a table, one a seat: no
process meets a deck twice, and none sees two hands of one deal. Sets have decks of their own,
so the lanes of a job serve all its sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kibitz_worker.work.plan import PlannedMatch, SetPlan


class Lane(NamedTuple):
    """A process of a version: for one lane of the sets, and its first or second seat at a table."""

    version: int
    lane: int
    seat: int


def chairs(players: Sequence[int], match: PlannedMatch) -> tuple[Lane, ...]:
    """Return who sits in each seat of a match; `players` are the versions of the set."""
    taken: dict[int, int] = {}
    found = []
    for player in match.seating:
        seat = taken.get(player, 0)
        taken[player] = seat + 1
        found.append(Lane(players[player], match.lane, seat))
    return tuple(found)


def lanes_of(plans: Iterable[SetPlan]) -> list[Lane]:
    """Return all lanes that these sets need, in a fixed order."""
    return sorted(
        {lane for plan in plans for match in plan.matches for lane in chairs(plan.players, match)}
    )
