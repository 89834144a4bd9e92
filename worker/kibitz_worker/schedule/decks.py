"""The cards of a set, drawn from the tournament's secret so that anybody can deal them again.

Before entries are locked the SHA-256 of the secret is published, afterwards the secret itself;
between the two nobody can change a deck without being seen. The shuffle is
`kibitz.shuffle.deck_from_key` with the context (tournament id, set number, half, deal number),
a separate cut card `kibitz.shuffle.cut_from_key` with the same.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from itertools import count
from typing import TypedDict

from kibitz.game import Game
from kibitz.sets import halves
from kibitz.shuffle import cut_from_key, deck_from_key

SECRET_BYTES = 32


class Luck(TypedDict):
    """What chance gives a deal: the deck, dealt from its front, and the cut card or None."""

    deck: list[str]
    cut: str | None


def new_secret() -> bytes:
    """Return 256 random bits."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """Return what is published before play: the SHA-256 of the secret in hexadecimal digits."""
    return hashlib.sha256(secret).hexdigest()


def bot_seed(secret: bytes, version: int) -> str:
    """Return the seed of a version's own chance in a tournament.

    It is the same at every attempt, so that a set played again ends the same, and tells a bot
    nothing of the decks or of the chance of others.
    """
    return hmac.new(secret, f"bot {version}".encode(), hashlib.sha256).hexdigest()


def deals_in_match(game: Game) -> int:
    """Return how many deals a match of a game that can be duplicated has."""
    if not game.duplicable:
        raise ValueError(f"{game.name} with end={game.goal[0]} has no fixed number of deals")
    return next(n for n in count(1) if game.finished([game.worst(0)] * n))


def set_decks(game: Game, secret: bytes, tournament: str, number: int) -> list[list[Luck]]:
    """Return the decks of set `number`: for each half, for each deal."""
    deals = range(deals_in_match(game))
    return [
        [_luck(game, secret, (tournament, str(number), str(half)), deal) for deal in deals]
        for half in range(halves(game))
    ]


def _luck(game: Game, secret: bytes, place: tuple[str, ...], deal: int) -> Luck:
    context = (*place, str(deal))
    return Luck(
        deck=deck_from_key(game, secret, *context),
        cut=cut_from_key(game, deal, secret, *context),
    )
