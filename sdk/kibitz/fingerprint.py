"""A hash of what the rules do, by which records say under which rules they were played."""

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, TypedDict

from kibitz.match import whole
from kibitz.shuffle import Stream, cut_from_key, deck_from_key

if TYPE_CHECKING:
    from kibitz.deal import Deal
    from kibitz.game import Game

DEALS = 4


class Rules(TypedDict):
    """What a record says of its rules: the version of Kibitz, and their hash."""

    version: str
    hash: str


@lru_cache(maxsize=256)
def rules_hash(game: "Game") -> str:
    """Return a hash of the rules of a game with its options, in hexadecimal digits.

    It covers the names of cards and actions, and all events and scores of a few deals whose decks
    and actions are drawn from fixed keys. So it stays the same while the rules do the same,
    whatever becomes of the code, and rules that do otherwise in these deals have another one.
    """
    found = hashlib.sha256(repr((game.name, [*game.cards.codes], [*game.actions.names])).encode())
    for number in range(DEALS):
        deal = _play(game, number)
        found.update(repr((events_of(deal), whole(deal.scores or ()))).encode())
    return found.hexdigest()


def rules_of(game: "Game") -> Rules:
    """Return what a record says of its rules."""
    return Rules(version=_version(), hash=rules_hash(game))


def events_of(deal: "Deal") -> list[int]:
    """Return all that happened in a deal as wire codes, with the addressees of secrets."""
    return [event.code for event in deal.events]


@lru_cache(maxsize=1)
def _version() -> str:
    from importlib.metadata import version  # noqa: PLC0415 (slow to import, and no bot needs it)

    return version("kibitz")


def _play(game: "Game", number: int) -> "Deal":
    key, context = b"fingerprint", (game.name, str(number))
    deck, cut = deck_from_key(game, key, *context), cut_from_key(game, number, key, *context)
    deal = game.new_deal(deck, number % game.seats, number, cut)
    luck = Stream(key, "play", *context)
    while not deal.over:
        legal = deal.legal()
        deal.apply(legal[luck.below(len(legal))])
    return deal
