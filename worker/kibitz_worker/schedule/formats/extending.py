"""Formats made longer while they are played."""

from __future__ import annotations

from dataclasses import replace

from kibitz_worker.schedule.formats.ladder import Ladder
from kibitz_worker.schedule.formats.shape import Format, FormatError
from kibitz_worker.schedule.formats.swiss import Swiss
from kibitz_worker.schedule.formats.versus import Versus


def can_be_extended(chosen: Format) -> bool:
    """Say whether a format can be made longer while it is played."""
    return chosen.looks == "never" or isinstance(chosen, Swiss | Ladder | Versus)


def extended(chosen: Format, entrants: int, players: int, by: int) -> Format:
    """Return the format with `by` more: rounds of a Swiss, sets of a ladder, the limit of a test.

    A format that plans everything at once stays as it is: its tables get more sets. Raises
    FormatError (FORMAT_CANNOT_EXTEND, and what its `check` raises).
    """
    longer = chosen
    if isinstance(chosen, Swiss):
        longer = replace(chosen, rounds=chosen.planned(entrants, players) + by)
    elif isinstance(chosen, Ladder):
        longer = replace(chosen, sets_each=chosen.sets_each + by) if chosen.sets_each else chosen
    elif isinstance(chosen, Versus):
        longer = replace(chosen, limit=chosen.limit + by)
    elif not can_be_extended(chosen):
        raise FormatError(
            f"a {chosen.title.lower()} has no more rounds than it takes to find a winner",
            reason="FORMAT_CANNOT_EXTEND",
        )
    longer.check(entrants, players)
    return longer
