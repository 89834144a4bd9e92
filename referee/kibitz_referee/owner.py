"""An owner: whoever's bots may tell each other what cards they see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


class Owner:
    """Bots that count as one where it matters which decks are in play.

    Attributes:
        name: what it is called; empty for a bot that speaks with no other.
        decks: how many tables with bots of this owner play a deck, by the deck's hash.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.decks: Counter[int] = Counter()

    def takes_up(self, decks: Iterable[int]) -> None:
        """Note that a table plays these decks, however many of the owner's bots sit there."""
        self.decks.update(decks)

    def put_away(self, decks: Iterable[int]) -> list[int]:
        """Note that a table with these decks is over; return those that none plays any longer."""
        gone = []
        for deck in decks:
            self.decks[deck] -= 1
            if not self.decks[deck]:
                del self.decks[deck]
                gone.append(deck)
        return gone
