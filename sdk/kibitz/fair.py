"""The decks of a tournament, drawn from a secret so that anybody can deal them again.

The SHA-256 of the secret is published while bots still enter; then their owners add nonces of
their own, entries are locked, and play begins. The secret is published when the tournament is
over. The operator cannot choose decks, since the nonces came after the hash; owners cannot, since
they do not know the secret.

The deck of a deal is ``kibitz.shuffle.deck_from_key`` with the context (tournament id, set number,
half, deal number, and the nonces of the set's players in their order); a separate cut card is
``cut_from_key`` with the same. Nonces are left out of the context where none of the players has
one.
"""

import hashlib
import re
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, TypedDict

from kibitz.relabel import Relabelling, relabelled
from kibitz.sets import Seating, halves
from kibitz.shuffle import Stream, cut_from_key, deck_from_key

if TYPE_CHECKING:
    from kibitz.game import Game

SECRET_BYTES = 32
NONCE = re.compile(r"[0-9A-Za-z_.-]{1,64}")
"""What a nonce looks like: up to 64 letters, digits, ``_``, ``.`` and ``-``."""


class Luck(TypedDict):
    """What chance gives a deal: the deck, dealt from its front, and the cut card or None."""

    deck: list[str]
    cut: str | None


def commitment(secret: bytes) -> str:
    """Return what is published before play: the SHA-256 of the secret in hexadecimal digits."""
    return hashlib.sha256(secret).hexdigest()


def deals_in_match(game: "Game") -> int:
    """Return how many deals a match of a game that can be duplicated has.

    Raises:
        ValueError: the game's matches have no fixed number of deals.
    """
    if not game.duplicable:
        raise ValueError(f"{game.name} with end={game.goal[0]} has no fixed number of deals")
    kind, number = game.goal
    if kind in {"deals", "hands"}:
        return number
    return next(n for n in count(1) if game.finished([game.worst(0)] * n))


class Draw:
    """The luck of one set: its decks as drawn, and as they lie in each of its seatings."""

    def __init__(
        self,
        game: "Game",
        secret: bytes,
        tournament: str,
        number: int,
        nonces: Sequence[str | None] = (),
    ) -> None:
        """Prepare to draw set ``number``; ``nonces`` are its players', in their order."""
        self._game, self._secret = game, secret
        self._place = (tournament, str(number))
        self._nonces = tuple(nonce or "" for nonce in nonces) if any(nonces) else ()
        self._deals = range(deals_in_match(game))
        self._halves: dict[int, list[Luck]] = {}

    def decks(self) -> list[list[Luck]]:
        """Return the decks of the set: for each half, for each deal."""
        return [self.half(half) for half in range(halves(self._game))]

    def half(self, half: int) -> list[Luck]:
        """Return the decks that the seatings of a half share, one a deal."""
        if half not in self._halves:
            self._halves[half] = self._drawn(half)
        return self._halves[half]

    def _drawn(self, half: int) -> list[Luck]:
        game, key = self._game, self._secret
        found = []
        for deal in self._deals:
            context = self._context(half, deal)
            cut = cut_from_key(game, deal, key, *context)
            found.append(Luck(deck=deck_from_key(game, key, *context), cut=cut))
        return found

    def seated(self, seating: Seating, relabel: bool, *, again: bool = False) -> list[Luck]:
        """Return the decks of a seating; with ``relabel`` the suits of every lane are others.

        ``again`` says that another set has played these decks, in as many lanes.
        """
        decks = self.half(seating.half)
        if not relabel:
            return decks
        if again:
            seating = seating._replace(lane=seating.lane + self._game.players)
        return [
            self._relabelled(luck, self.relabelling(seating, deal))
            for deal, luck in enumerate(decks)
        ]

    def relabelling(self, seating: Seating, deal: int) -> Relabelling:
        """Return how suits are exchanged in a deal of a seating: in lane 0 not at all.

        The other lanes take the other relabellings of the game in an order drawn from the secret.
        """
        same, *others = self._game.relabellings(deal)
        if not seating.lane or not others:
            return same
        drawn = Stream(self._secret, "relabel", *self._context(seating.half, deal)).shuffled(others)
        return drawn[(seating.lane - 1) % len(drawn)]

    def _context(self, half: int, deal: int) -> tuple[str, ...]:
        return (*self._place, str(half), str(deal), *self._nonces)

    def _relabelled(self, luck: Luck, relabelling: Relabelling) -> Luck:
        deck = relabelled(self._game, luck["deck"], relabelling)
        cut = luck["cut"]
        shown = None if cut is None else relabelled(self._game, [cut], relabelling)[0]
        return Luck(deck=deck, cut=shown)
