"""Judgement for Three-Handed Whist: which cards to exchange, and which suit to name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.cards import FRENCH, members
from kibitz.games.three_handed_whist import EXCHANGES, TRUMPS, round_of

if TYPE_CHECKING:
    from kibitz.actions import Action
    from kibitz.deal import Deal
    from kibitz.view import View

MEAN = 6  # strength of an average card, an eight
TRUMP = 6  # how much stronger a trump counts
LENGTH = 4  # what a card of a suit is worth besides its strength when trumps are named
NEAR = 2  # numbers of cards tried beside the one suggested


def worth(card: int, trump: int | None, *, nullo: bool) -> int:
    """Return how much a card is worth above an average one that may be drawn instead."""
    above = FRENCH.strength[card] - MEAN
    if nullo:
        return -above
    return above + (TRUMP if FRENCH.suit[card] == trump else 0)


def _choose(legal: tuple[Action, ...], hand: int, trump: int | None, number: int) -> Action:
    nullo = round_of(number) == 4
    first = legal[0]
    if first in TRUMPS:
        return max(legal, key=lambda each: _length(hand, TRUMPS.index(each)))
    if first in EXCHANGES:
        poor = sum(worth(card, trump, nullo=nullo) < 0 for card in members(hand))
        return legal[min(poor, len(legal) - 1)]
    return min(legal, key=lambda each: worth(each.card or 0, trump, nullo=nullo))


def _length(hand: int, suit: int) -> int:
    return sum(LENGTH + FRENCH.strength[card] for card in members(hand & FRENCH.suit_masks[suit]))


def call(view: View) -> Action:
    """Return the choice or discard that the estimates suggest to a seat."""
    return _choose(view.legal, view.fold.hand, view.fold.trump, view.number)


def call_of(deal: Deal) -> Action:
    """Return the choice or discard that the estimates suggest to whose turn it is."""
    return _choose(deal.legal(), deal.hands[deal.place], deal.trump, deal.number)


def sensible(view: View) -> list[Action]:
    """Return the choices worth a closer look: all suits, some numbers, the poorest card."""
    suggested = call(view)
    if suggested in TRUMPS:
        return list(view.legal)
    if suggested in EXCHANGES:
        return [each for each in view.legal if abs(each - suggested) <= NEAR]
    return [suggested]
