"""Judgement for Whiskey: how many tricks a hand and the dummy are good for, and what to call.

The estimates are a plain linear count of high cards (4 3 2 1 for A K Q J) and of trumps held
together; the weights were fitted to deals played by :mod:`kibitz.bots.thumbs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.cards import mask_of
from kibitz.games.whiskey import ANNOUNCEMENTS, BIDS, DOUBLE, DUMMY, PASS, REDOUBLE
from kibitz.phases import Auction

if TYPE_CHECKING:
    from kibitz.actions import Action
    from kibitz.deal import Deal
    from kibitz.view import View

TRICKS = 13
SUITS = tuple(0x1FFF << 13 * suit for suit in range(4))
HONOURS = tuple(mask_of(range(strength, 52, 13)) for strength in (9, 10, 11, 12))  # J Q K A
POINTS = 40  # in the pack
NOTRUMP_POINT = 0.33  # tricks for a point above an even share
SUIT_POINT = 0.26
SUIT_LENGTH = 0.78  # tricks for a trump above an even share


def estimates(hand: int, dummy: int, hidden: int) -> list[float]:
    """Return how many tricks a hand and the dummy take together with each trump suit, notrump last.

    Args:
        hand: the cards of the hand.
        dummy: the cards of the dummy that are open.
        hidden: how many of the dummy's cards are not; they count as average ones.
    """
    known = hand | dummy
    unknown = hidden / (52 - known.bit_count())
    points: float = sum(
        worth * (known & honour).bit_count() for worth, honour in enumerate(HONOURS, 1)
    )
    points += (POINTS - points) * unknown
    above = points - POINTS / 2
    tricks = []
    for suit in SUITS:
        length: float = (known & suit).bit_count()
        length += (13 - length) * unknown
        tricks.append(TRICKS / 2 + SUIT_POINT * above + SUIT_LENGTH * (length - 6.5))
    return [*tricks, TRICKS / 2 + NOTRUMP_POINT * above]


def highest(tricks: list[float]) -> int:
    """Return the highest number worth bidding: the most tricks to be won, or to be lost."""
    return max(1, min(TRICKS, round(max(*tricks, TRICKS - min(tricks)))))


def announcement(tricks: list[float], number: int) -> Action:
    """Return the announcement whose expected number of tricks is nearest to the number bid."""
    return min(
        ANNOUNCEMENTS,
        key=lambda each: abs(
            tricks[ANNOUNCEMENTS.index(each) % 5] - _target(each.code.partition(":")[0], number)
        ),
    )


def _target(aim: str, number: int) -> int:
    return number if aim == "win" else TRICKS - number


def _choose(legal: tuple[Action, ...], tricks: list[float], number: int) -> Action:
    """Bid as high as the cards are good for, once; announce what fits the number best."""
    if legal[0] >= ANNOUNCEMENTS[0]:
        return announcement(tricks, number)
    bid = BIDS[highest(tricks) - 1]
    return bid if bid in legal else PASS


# From what a seat knows.


def call(view: View) -> Action:
    """Return the call or announcement that the estimates suggest to a seat."""
    return _choose(view.legal, _estimates(view), _bid(view))


def _estimates(view: View) -> list[float]:
    dummy = view.fold.shown[DUMMY]
    return estimates(view.fold.hand, dummy, TRICKS - dummy.bit_count())


def _bid(view: View) -> int:
    contract = view.fold.contract
    return 0 if contract is None else BIDS.index(contract) + 1


def needs(view: View, taken: int) -> int:
    """Return how many tricks the declarer's side still needs, having taken some."""
    aim = view.calls[-1][1].code.partition(":")[0]
    return _target(aim, _bid(view)) - taken


def sensible(view: View) -> list[Action]:
    """Return the calls or announcements worth a closer look."""
    legal, tricks = view.legal, _estimates(view)
    if legal[0] >= ANNOUNCEMENTS[0]:
        number = _bid(view)
        return sorted(
            legal,
            key=lambda each: abs(
                tricks[ANNOUNCEMENTS.index(each) % 5] - _target(each.code.partition(":")[0], number)
            ),
        )[:6]
    top = highest(tricks)
    near = BIDS[max(0, top - 3) : top + 2]
    return [each for each in legal if each in (PASS, DOUBLE, REDOUBLE) or each in near]


# From all the cards, in imagined deals.


def call_of(deal: Deal) -> Action:
    """Return the call or announcement that the estimates suggest to whose turn it is."""
    legal = deal.legal()
    phase = deal.phase
    opened = min(TRICKS, 2 + len(phase.calls)) if isinstance(phase, Auction) else TRICKS
    dummy = mask_of(deal.deck[3 : 4 * opened : 4])
    tricks = estimates(deal.hands[deal.place], dummy, TRICKS - opened)
    return _choose(legal, tricks, deal.contract.bid)


def needs_of(deal: Deal, taken: int) -> int:
    """Return how many tricks the declarer's side still needs, having taken some."""
    return _target(deal.contract.name, deal.contract.bid) - taken
