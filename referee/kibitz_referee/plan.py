"""A plan: who plays a match, and with which decks."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from kibitz_referee.table import Luck


@dataclass(frozen=True, eq=False)
class Plan:
    """A match that is to be played: who sits where, and with which decks."""

    id: str
    tokens: tuple[str, ...]
    names: tuple[str, ...]
    decks: tuple[Luck, ...]
    decks_name: str = ""
    taped: frozenset[int] = frozenset()

    @cached_property
    def deck_hashes(self) -> frozenset[int]:
        """What tells its decks from others: the cards, and the name that some share."""
        named = [hash(self.decks_name)] if self.decks_name else []
        return frozenset([*named, *(hash(deck) for deck, _ in self.decks)])


def table_name(set_id: str, match_id: str) -> str:
    """Return what the bots hear as the name of the table.

    It tells them nothing, and a match that is played again has it again: a bot whose luck depends
    on the name repeats its decisions.
    """
    return hashlib.sha256(f"{set_id}/{match_id}".encode()).hexdigest()[:12]
