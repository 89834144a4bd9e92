"""Round robin: everybody meets everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kibitz_worker.schedule.formats.shape import (
    Looks,
    Over,
    Play,
    Situation,
    Size,
    Step,
    Table,
    enough,
)
from kibitz_worker.schedule.tables import round_robin


@dataclass(frozen=True)
class RoundRobin:
    """Everybody meets everybody, in every company or in balanced blocks when the field is large."""

    name: ClassVar[str] = "round_robin"
    title: ClassVar[str] = "Round robin"
    about: ClassVar[str] = "Everybody meets everybody."
    looks: ClassVar[Looks] = "never"

    def check(self, entrants: int, players: int) -> None:
        """Refuse what cannot be played. Raises FormatError."""
        enough(entrants, players, "a round robin")

    def size(self, entrants: int, players: int, sets: int) -> Size:
        """Return how much there will be to play."""
        all_sets = sets * len(round_robin(entrants, players))
        return Size(1, all_sets, all_sets)

    def step(self, now: Situation) -> Step:
        """Return all tables at once."""
        if now.meetings:
            return Over("everybody has met everybody")
        tables = round_robin(now.entrants, now.players)
        return Play(
            tuple(Table(0, table, now.sets) for table in tables), f"{len(tables)} tables planned"
        )
