"""The tables of a round robin and the order in which their sets are played."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from kibitz_worker.schedule.blocks import balanced_blocks

COMPLETE_LIMIT = 250
"""Up to so many tables everybody meets everybody in every company; beyond, balanced blocks."""


def round_robin(entrants: int, players: int) -> list[tuple[int, ...]]:
    """Return the tables of `players` among entrants 0, 1, ...: each a rising tuple.

    Two at a table: everybody meets everybody, in rounds by the circle method. Three and more: all
    possible tables while these are at most COMPLETE_LIMIT, else balanced blocks, in which
    any two meet equally often within one.

    Raises ValueError when there are fewer entrants than players.
    """
    if players < 2 or entrants < players:
        raise ValueError(f"cannot seat tables of {players} among {entrants}")
    if players == 2:
        return list(_circle(entrants))
    if math.comb(entrants, players) <= COMPLETE_LIMIT:
        return list(combinations(range(entrants), players))
    return [tuple(sorted(table)) for table in balanced_blocks(entrants, players)]


def _circle(entrants: int) -> Iterator[tuple[int, int]]:
    # Berger's circle: one stays, the others turn; with an odd number the one who stays is a bye.
    size = entrants + entrants % 2
    ring = list(range(1, size))
    for _ in range(size - 1):
        row = [0, *ring]
        for one, other in zip(row[: size // 2], reversed(row[size // 2 :]), strict=True):
            if max(one, other) < entrants:
                yield min(one, other), max(one, other)
        ring = [ring[-1], *ring[:-1]]


class PlannedSet(NamedTuple):
    """A set to play: table `pairing` for the `repeat`-th time, `number` in the tournament."""

    number: int
    pairing: int
    repeat: int


def plan_sets(tables: Sequence[tuple[int, ...]], sets_per_pairing: int) -> list[PlannedSet]:
    """Return all sets in the order of play: every table once, then every table again.

    So the standings are balanced at any time, and a tournament that is cut short is one with
    fewer sets for everybody.
    """
    return [
        PlannedSet(repeat * len(tables) + pairing, pairing, repeat)
        for repeat in range(sets_per_pairing)
        for pairing in range(len(tables))
    ]
