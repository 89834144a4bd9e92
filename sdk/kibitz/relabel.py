"""Exchanging the suits of a deal, where the rules treat them alike.

A bot that runs on its owner's machine meets each deck of a set once in every seat. With other
suits each time the cards do not look the same, and the game is the same game: the same hands up
to the names of suits, the same possible tricks and scores. Which exchanges a game allows is
:meth:`kibitz.Game.relabellings`.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.game import Game

Relabelling = tuple[int, ...]
"""For each suit the suit that takes its place, as indices into the pack's suits."""


def exchanges(suits: int, kept: Sequence[int] = ()) -> tuple[Relabelling, ...]:
    """Return every way to exchange suits that leaves some where they are; the first changes none.

    Args:
        suits: how many suits the pack has.
        kept: indices of suits that stay, such as a fixed trump suit.
    """
    return tuple(
        order for order in permutations(range(suits)) if all(order[suit] == suit for suit in kept)
    )


def card_map(game: "Game", relabelling: Relabelling) -> tuple[int, ...]:
    """Return for each card of the pack the card that takes its place; Jokers stay."""
    pack = game.cards
    cards = [*zip(pack.suit, pack.rank, strict=True)]
    places = {card: number for number, card in enumerate(cards)}
    new = (*relabelling, len(pack.suits))
    return tuple(places[new[suit], rank] for suit, rank in cards)


def relabelled(game: "Game", codes: Sequence[str], relabelling: Relabelling) -> list[str]:
    """Return cards, given as codes, with their suits exchanged."""
    pack, cards = game.cards, card_map(game, relabelling)
    return [pack.codes[cards[pack.number[code]]] for code in codes]
