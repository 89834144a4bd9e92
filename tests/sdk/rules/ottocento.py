"""Deals and melds of Ottocento for the tests."""

from collections.abc import Iterator

import kibitz
from kibitz.cards import BIT, mask_of, members
from kibitz.games.ottocento.melds import is_meld, steps
from kibitz.games.ottocento.pack import PACK, TRUMPS, cards
from kibitz.games.ottocento.piles import Piles
from kibitz.games.ottocento.rules import Ottocento
from kibitz.phases import Declare, Trick

PLAIN = Ottocento()


def mask(codes: str) -> int:
    """Return the mask of some cards."""
    return mask_of(cards(*codes.split()))


def codes(cards_of: int) -> list[str]:
    """Return the codes of the cards of a mask."""
    return [PACK.codes[card] for card in members(cards_of)]


def melds(kind: str, held: int, shown: int = 0) -> Iterator[int]:
    """Yield all melds of a kind that can be shown from a hand, step by step."""
    if is_meld(kind, shown):
        yield shown
    for card in steps(kind, held, shown):
        yield from melds(kind, held, shown | BIT[card])


def solo(hands: list[str], *, stock: str = "", discards: str = "") -> kibitz.Deal:
    """Return a deal in which seat 0, Declarer, is to lead, with a few cards in each hand."""
    deal = PLAIN.new_deal(kibitz.shuffle(PLAIN, 1), dealer=2)
    deal.contract = deal.contract._replace(declarer=0, name="play" if discards else "solo")
    deal.hands = [mask(hand) for hand in hands]
    deal.notes = Piles(discards=mask(discards), stock=mask(stock))
    deal.phase = Trick.of((0, 1, 2), TRUMPS)
    deal.place = deal.turn = 0
    return deal


def declaring(hand: str) -> kibitz.Deal:
    """Return a deal in which seat 0 is to declare, from a hand."""
    deal = solo([hand, "", ""])
    deal.phase = Declare(0)
    return deal
