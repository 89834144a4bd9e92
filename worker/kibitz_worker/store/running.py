"""How a tournament is run: its share of the workers, and how long it waits for absent bots."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz_worker.errors import InvalidError

ABSENCES = ("wait", "void", "forfeit")
"""They wait for as long as it takes, are not played, or count as lost by whoever is away."""

LONGEST_WAIT = 30 * 24 * 3600
PRIORITIES = range(-5, 6)


@dataclass(frozen=True)
class Running:
    """Each step of `priority` doubles the share of the workers.

    `absence` says what becomes of sets whose self-hosted bot does not come in `wait_seconds`.
    """

    priority: int = 0
    absence: str = "wait"
    wait_seconds: int = 0

    def checked(self) -> Running:
        """Return it when it can be. Raises InvalidError (PRIORITY_INVALID, ABSENCE_INVALID)."""
        if self.priority not in PRIORITIES:
            raise InvalidError(
                f"priority is {self.priority}, it must be {PRIORITIES[0]} to {PRIORITIES[-1]}",
                reason="PRIORITY_INVALID",
            )
        if self.absence not in ABSENCES:
            raise InvalidError(
                f"there is no {self.absence[:40]!r} for absent bots; there are "
                f"{', '.join(ABSENCES)}",
                reason="ABSENCE_INVALID",
            )
        if not 0 <= self.wait_seconds <= LONGEST_WAIT:
            raise InvalidError(
                f"waiting for absent bots takes 0 to {LONGEST_WAIT} seconds, not "
                f"{self.wait_seconds}",
                reason="ABSENCE_INVALID",
            )
        return self
