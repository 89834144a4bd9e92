"""Individual movement: partners change from table to table."""

from __future__ import annotations

from dataclasses import dataclass
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
from kibitz_worker.schedule.whist import prime_design, whist_tables

MOST = 50
"""Up to so many a movement is found within seconds."""


@dataclass(frozen=True)
class Individual:
    """Every two bots are partners equally often and opponents equally often (within one).

    For games of two sides with two seats each: four bots at a table, the first and third against
    the second and fourth. A bot has what its side has.
    """

    name: ClassVar[str] = "individual"
    title: ClassVar[str] = "Individual movement"
    about: ClassVar[str] = "Four bots at a table of two sides; partners change from table to table."
    looks: ClassVar[Looks] = "never"

    def check(self, entrants: int, players: int) -> None:
        """Refuse what cannot be played. Raises FormatError."""
        if players != 4:
            raise FormatError(
                "an individual movement is for games of two sides with two seats each",
                reason="FORMAT_GAME",
            )
        enough(entrants, 4, "an individual movement")
        if entrants > MOST and not prime_design(entrants):
            raise FormatError(
                f"an individual movement of {entrants} bots is too large to be levelled; "
                f"at most {MOST}, or a prime number that is one more than a multiple of four",
                reason="TOO_MANY_ENTRANTS",
            )

    def size(self, entrants: int, players: int, sets: int) -> Size:
        """Return how much there will be to play."""
        all_sets = sets * len(whist_tables(entrants))
        return Size(1, all_sets, all_sets)

    def step(self, now: Situation) -> Step:
        """Return all tables at once."""
        if now.meetings:
            return Over("everybody has been everybody's partner")
        tables = tuple(Table(0, table, now.sets) for table in whist_tables(now.entrants))
        return Play(tables, f"{len(tables)} tables planned")
