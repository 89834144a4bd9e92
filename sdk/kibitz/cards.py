"""Packs of cards: their codes, suits and ranks, and hands as bit masks.

A card is a number: its place in the pack's own order, which is also its action number.
A set of cards is an integer with a bit for each card.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from kibitz.errors import CardError

BIT: Final = tuple(1 << card for card in range(64))
"""``BIT[card]`` is the mask of one card."""


def mask_of(cards: Iterable[int]) -> int:
    """Return the mask of some cards."""
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def members(mask: int) -> list[int]:
    """Return the cards of a mask, in rising order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


class Pack:
    """All the cards that a game can use, whatever its options.

    ``codes``, ``suit``, ``rank`` and ``strength`` are looked up by card. ``suit`` is an index into
    ``suits``; a card of no suit has the index ``len(suits)``. ``strength`` orders the cards of one
    suit. ``suit_masks[suit]`` holds all cards of a suit, those of no suit last; ``same_suit[card]``
    is the mask of its suit.
    """

    def __init__(
        self,
        codes: Sequence[str],
        suits: Sequence[str],
        suit: Sequence[int],
        rank: Sequence[str],
        strength: Sequence[int],
    ) -> None:
        self.codes, self.suits = tuple(codes), tuple(suits)
        self.suit, self.rank, self.strength = tuple(suit), tuple(rank), tuple(strength)
        self.number = {code: card for card, code in enumerate(self.codes)}
        self.suit_masks = tuple(
            mask_of(card for card, its in enumerate(self.suit) if its == suit)
            for suit in range(len(self.suits) + 1)
        )
        self.same_suit = tuple(self.suit_masks[suit] for suit in self.suit)

    def card(self, code: object) -> int:
        """Return the number of a card given as code or number.

        Raises:
            CardError: there is no such card in the pack.
        """
        if isinstance(code, str) and code in self.number:
            return self.number[code]
        if isinstance(code, int) and not isinstance(code, bool) and 0 <= code < len(self.codes):
            return int(code)
        raise CardError(f"{code!r:.40} is not a card of this game; cards are {self.example}")

    @property
    def example(self) -> str:
        """A few codes, to show in messages what cards look like."""
        return f"{self.codes[0]}, {self.codes[1]} ... {self.codes[-1]}"


def french(*jokers: str) -> Pack:
    """Return the 52 cards ``2C 3C ... KS AS``, then any Jokers, the strongest last."""
    suits, ranks = "CDHS", "23456789TJQKA"
    plain = [(rank, suit) for suit in suits for rank in ranks]
    return Pack(
        codes=(*(rank + suit for rank, suit in plain), *jokers),
        suits=tuple(suits),
        suit=(*(suits.index(suit) for _, suit in plain), *(4 for _ in jokers)),
        rank=(*(rank for rank, _ in plain), *jokers),
        strength=(*(ranks.index(rank) for rank, _ in plain), *range(13, 13 + len(jokers))),
    )


FRENCH: Final = french()
