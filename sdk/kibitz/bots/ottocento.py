"""Judgement for Ottocento: when to play, what to discard; every combination is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.cards import members
from kibitz.games.ottocento.melds import pile_points
from kibitz.games.ottocento.pack import PACK, TRUMPS, VALUES
from kibitz.games.ottocento.rules import PASS, PLAY

if TYPE_CHECKING:
    from kibitz.actions import Action
    from kibitz.deal import Deal
    from kibitz.view import View

TRUMP_CARDS = PACK.suit_masks[TRUMPS]
STRONG = 9  # trumps from the Wheel up win tricks
TO_PLAY = 15.0
MELD = 12  # points declared that are worth as much as a strong card


def strength(hand: int) -> float:
    """Return how good a hand is for a player alone: high trumps, kings and combinations."""
    total = 0.0
    for card in members(hand):
        if TRUMP_CARDS >> card & 1:
            total += 2 if PACK.strength[card] >= STRONG else 0.7
        else:
            total += (VALUES[card] - 1) / 4
    return total + pile_points(hand) / MELD


def keep(card: int, hand: int) -> float:
    """Return how sorry one is to discard a card: trumps, then court cards, last of long suits."""
    if TRUMP_CARDS >> card & 1:
        return 50 + PACK.strength[card]
    length = (hand & PACK.same_suit[card]).bit_count()
    return 4 * VALUES[card] + length


def _choose(legal: tuple[Action, ...], hand: int) -> Action:
    first = legal[0]
    if first == PASS:
        return PLAY if PLAY in legal and strength(hand) >= TO_PLAY else PASS
    if first.code.startswith("discard:"):
        return min(legal, key=lambda each: keep(each.card or 0, hand))
    return first  # the next kind or card, as long as there is one


def call(view: View) -> Action:
    """Return the call, discard or step of a declaration that is suggested to a seat."""
    return _choose(view.legal, view.fold.hand)


def call_of(deal: Deal) -> Action:
    """Return the call, discard or step of a declaration suggested to whose turn it is."""
    return _choose(deal.legal(), deal.hands[deal.place])


def sensible(view: View) -> list[Action]:
    """Return the calls worth a closer look; discards and declarations go by the rules of thumb."""
    return list(view.legal) if view.legal[0] == PASS else [call(view)]
