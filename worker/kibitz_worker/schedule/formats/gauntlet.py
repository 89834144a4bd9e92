"""Gauntlet: newcomers against the field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import ClassVar

from kibitz_worker.schedule.formats.shape import (
    FormatError,
    Looks,
    Over,
    Play,
    Situation,
    Size,
    Step,
    Table,
    enough,
)
from kibitz_worker.schedule.tables import COMPLETE_LIMIT, round_robin


@dataclass(frozen=True)
class Gauntlet:
    """The first `challengers` entrants each meet all the others; those do not meet without them.

    At tables of three and four a challenger sits with every company of the field, or with balanced
    ones when these are too many.
    """

    challengers: int = 1

    name: ClassVar[str] = "gauntlet"
    title: ClassVar[str] = "Gauntlet"
    about: ClassVar[str] = "The first bots named meet all the others, who do not meet each other."
    looks: ClassVar[Looks] = "never"

    def check(self, entrants: int, players: int) -> None:
        """Refuse what cannot be played. Raises FormatError."""
        if self.challengers < 1:
            raise FormatError(
                f"a gauntlet has {self.challengers} challengers; at least 1",
                reason="FORMAT_OPTION",
                option="challengers",
            )
        enough(entrants, self.challengers + players - 1, "this gauntlet")

    def size(self, entrants: int, players: int, sets: int) -> Size:
        """Return how much there will be to play."""
        all_sets = sets * sum(1 for _ in self._tables(entrants, players))
        return Size(1, all_sets, all_sets)

    def step(self, now: Situation) -> Step:
        """Return all tables at once."""
        if now.meetings:
            return Over("every challenger has met the field")
        tables = tuple(
            Table(0, table, now.sets) for table in self._tables(now.entrants, now.players)
        )
        return Play(tables, f"{len(tables)} tables planned")

    def _tables(self, entrants: int, players: int) -> Iterator[tuple[int, ...]]:
        for company in companies(entrants - self.challengers, players - 1):
            for challenger in range(self.challengers):
                yield (challenger, *(self.challengers + number for number in company))


def companies(field: int, size: int) -> list[tuple[int, ...]]:
    """Return companies of `size` out of a field, in which everybody sits equally often."""
    if size == 1:
        return [(number,) for number in range(field)]
    if comb(field, size) <= COMPLETE_LIMIT:
        return list(combinations(range(field), size))
    return round_robin(field, size)
