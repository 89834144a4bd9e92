"""Decks of cards, shuffled so that anybody can check them.

Version 1: an unbiased Fisher-Yates shuffle over a stream of bytes, block i of which is
HMAC-SHA256(key, context || i). The numbers are drawn by rejection, so no order is likelier than
another. The algorithm is fixed for good by test vectors; a change gets a new version.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

from kibitz.game import Game

VERSION = 1
_Item = TypeVar("_Item")


class Stream:
    """Unbiased random numbers from a key and a context (a list of texts).

    The context is written with the length of each text in front, so that no two contexts give the
    same bytes.
    """

    def __init__(self, key: bytes, *context: str) -> None:
        parts = [part.encode() for part in ("kibitz-shuffle", str(VERSION), *context)]
        self._context = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        self._key = key
        self._words = self._generate()

    def _generate(self) -> Iterator[int]:
        block = 0
        while True:
            counter = block.to_bytes(8, "big")
            digest = hmac.digest(self._key, self._context + counter, hashlib.sha256)
            for start in range(0, 32, 4):
                yield int.from_bytes(digest[start : start + 4], "big")
            block += 1

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, each as likely as the other."""
        limit = (1 << 32) - (1 << 32) % n
        return next(word for word in self._words if word < limit) % n

    def shuffled(self, items: Sequence[_Item]) -> list[_Item]:
        """Return the items in random order."""
        cards = list(items)
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards


def shuffle(game: Game, seed: int | str | bytes) -> list[str]:
    """Return a shuffled deck of a game as card codes; the same seed gives the same deck.

    Raises:
        TypeError: the seed is no int, str or bytes.
    """
    return deck_from_key(game, key_of(seed), "seed")


def deck_from_key(game: Game, key: bytes, *context: str) -> list[str]:
    """Return the deck that a secret key gives for a context (tournament, set, deal ...)."""
    cards = Stream(key, "deck", *context).shuffled(game.deck)
    return [game.cards.codes[card] for card in cards]


def cut_from_key(game: Game, number: int, key: bytes, *context: str) -> str | None:
    """Return the separate cut card of a deal, uniform over 52, or ``None`` if it has none."""
    if not game.needs_cut(number):
        return None
    return game.cards.codes[Stream(key, "cut", *context).below(52)]


def cut(game: Game, number: int, seed: int | str | bytes) -> str | None:
    """Return a random cut card for a deal of that number, or ``None`` if it has none."""
    return cut_from_key(game, number, key_of(seed), "seed")


def key_of(seed: int | str | bytes) -> bytes:
    """Return the key that a seed stands for.

    Raises:
        TypeError: the seed is no int, str or bytes.
    """
    if isinstance(seed, bytes):
        return b"bytes:" + seed
    if isinstance(seed, str):
        return b"str:" + seed.encode()
    if isinstance(seed, int):
        return b"int:" + str(int(seed)).encode()
    raise TypeError(f"a seed is an int, str or bytes, not {type(seed).__name__}")
