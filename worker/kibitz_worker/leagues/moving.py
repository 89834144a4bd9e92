"""Who goes up and down, and who takes free places: pure functions on lists of members.

A table is a list of members, the best first. Divisions are lists of such tables, the highest
first. Nobody is in two of them, and what comes out holds everybody who went in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple


@dataclass(frozen=True)
class Ended:
    """A division at the end of a season.

    `order` holds the `ranked` members, the best first, then those that did not play. When it was
    not played at all, `ranked` is 0 and nobody moves.
    """

    order: tuple[int, ...]
    ranked: int


class Entry(NamedTuple):
    """A member that takes a free place of a division, from a lower one or (None) as a newcomer."""

    member: int
    division: int
    source: int | None


def settle(ended: Sequence[Ended], movers: Sequence[int], gone: Collection[int]) -> list[list[int]]:
    """Return the divisions after a season: the best go up, the last go down, `gone` are dropped.

    Between a division and the one below it, up to `movers` of those that stay in the league go up,
    and as many go down, less the places of the upper one that have become free: a bot that is gone
    counts as one that goes down. In the new order come first those that came down, then those that
    stayed, then those that came up, each in the order of their last table.
    """
    left = [[member for member in each.order if member not in gone] for each in ended]
    up: list[int] = []
    down: list[int] = []
    for upper, lower in zip(range(len(ended)), range(1, len(ended)), strict=False):
        here = up[-1] if up else 0
        climbers = sum(m not in gone for m in ended[lower].order[: ended[lower].ranked])
        rise = min(movers[upper], climbers) if ended[upper].ranked else 0
        free = len(ended[upper].order) - len(left[upper])
        up.append(rise)
        down.append(min(max(0, rise - free), max(0, len(left[upper]) - here)))
    return [_moved(left, up, down, number) for number in range(len(ended))]


def _moved(left: list[list[int]], up: list[int], down: list[int], number: int) -> list[int]:
    table = left[number]
    rises = up[number - 1] if number else 0
    falls = down[number] if number < len(down) else 0
    came_down = left[number - 1][len(left[number - 1]) - down[number - 1] :] if number else []
    came_up = left[number + 1][: up[number]] if number < len(up) else []
    return [*came_down, *table[rises : len(table) - falls], *came_up]


def fill(
    divisions: Sequence[Sequence[int]],
    sizes: Sequence[int],
    waiting: Sequence[int],
    ratings: Mapping[int, float] | None = None,
) -> tuple[list[list[int]], list[Entry]]:
    """Return the divisions with free places taken, from the highest division down, and by whom.

    A free place goes to the first of the next division that has anybody; when there is none, to
    the first on the waiting list. With `ratings`, newcomers that have one come before those that
    have none, the best first, and take a free place of any division for which they are rated higher
    than the bot that would move up; nobody has to make room for them.
    """
    tables = [list(table) for table in divisions]
    rated = ratings or {}
    queue = sorted(waiting, key=lambda member: -rated.get(member, float("-inf")))
    entries: list[Entry] = []
    for number, size in enumerate(sizes):
        while len(tables[number]) < size:
            below = next(((n, t[0]) for n, t in enumerate(tables) if n > number and t), None)
            if queue and (below is None or _better(rated, queue[0], below[1])):
                entries.append(Entry(queue[0], number, None))
                tables[number].append(queue.pop(0))
            elif below is not None:
                entries.append(Entry(below[1], number, below[0]))
                tables[number].append(tables[below[0]].pop(0))
            else:
                return tables, entries
    return tables, entries


def _better(ratings: Mapping[int, float], newcomer: int, settled: int) -> bool:
    return newcomer in ratings and ratings[newcomer] > ratings.get(settled, float("-inf"))


def everybody(divisions: Sequence[Sequence[int]]) -> list[int]:
    """Return all members of divisions, the highest first."""
    return list(chain.from_iterable(divisions))
