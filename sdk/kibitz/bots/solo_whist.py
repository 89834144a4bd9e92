"""Judgement for Solo Whist: how many tricks a hand takes by itself, and what to call on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from kibitz.cards import FRENCH, members
from kibitz.games.solo_whist.bidding import BIDS, COP, MISERE, PASS, PROP, TRUMPS, denomination
from kibitz.games.solo_whist.contracts import irish
from kibitz.games.solo_whist.rules import DUMMY, SoloWhist

if TYPE_CHECKING:
    from kibitz.actions import Action
    from kibitz.deal import Deal
    from kibitz.view import View

PLAIN = {12: 1.0, 11: 0.6, 10: 0.25}  # tricks for ace, king and queen of a suit, by strength
TRUMP = {12: 1.0, 11: 0.8, 10: 0.5, 9: 0.25}
LONG = 0.85  # tricks for each trump beyond three
NEEDED = {"prop": 3.4, "cop": 3.0, "solo": 4.7, "abundance": 8.7, "royal": 8.7, "petit": 11.5}
ALL = 12.5  # of thirteen
SAFE = 2  # how far above the lowest cards those of a misere may be, summed over the hand
HELP = 2.0  # tricks of an open dummy's average hand, in Irish for three


def tricks(hand: int, trump: int | None) -> float:
    """Return how many tricks a hand takes against three others."""
    total = 0.0
    for suit in range(4):
        cards = hand & FRENCH.suit_masks[suit]
        worth = TRUMP if suit == trump else PLAIN
        total += sum(worth.get(FRENCH.strength[card], 0) for card in members(cards))
        if suit == trump:
            total += LONG * max(0, cards.bit_count() - 3)
    return total


def danger(hand: int) -> int:
    """Return how far the cards of a hand lie above the lowest ones it could hold."""
    total = 0
    for suit in FRENCH.suit_masks[:4]:
        for place, card in enumerate(members(hand & suit)):
            total += max(0, FRENCH.strength[card] - 2 * place - 1)
    return total


def _best(hand: int) -> tuple[float, int]:
    return max((tricks(hand, suit), suit) for suit in range(4))


def _good(call: Action, hand: int, turned: int | None) -> bool:
    code = call.code
    if code == "misere":
        return danger(hand) <= SAFE
    if code == "ouverte":
        return danger(hand) == 0
    if code in {"declared", "grand"}:
        return tricks(hand, None) >= ALL
    mine = _best(hand)[0] if code in {"abundance", "petit"} else tricks(hand, turned)
    return mine >= NEEDED[code]


def _irish_good(call: Action, hand: int, dummy: int) -> bool:
    if call == MISERE:
        return danger(hand) <= SAFE
    trump = denomination(call)
    mine = tricks(hand, trump) + (tricks(dummy, trump) if dummy else 0)
    return mine >= irish(call).need - 0.3


def _choose(legal: tuple[Action, ...], hand: int, turned: int | None, dummy: int) -> Action:
    """Bid the least that the cards are good for; name the best suit."""
    if legal[0] in TRUMPS:
        return TRUMPS[_best(hand)[1]]
    irish_calls = legal[-1] in BIDS
    good = [
        each
        for each in legal[1:]
        if (_irish_good(each, hand, dummy) if irish_calls else _good(each, hand, turned))
    ]
    if not good:
        return PASS
    high = [each for each in good if each not in {PROP, COP}]
    return high[0] if high else good[0]


def call(view: View) -> Action:
    """Return the call or trump suit that the estimates suggest to a seat."""
    turned, fold = view.state("turned"), view.fold
    suit = FRENCH.suits.index(turned) if isinstance(turned, str) else None
    dummy = fold.shown[DUMMY] if view.game.seats == DUMMY else 0
    return _choose(view.legal, fold.hand, suit, dummy)


def call_of(deal: Deal) -> Action:
    """Return the call or trump suit that the estimates suggest to whose turn it is."""
    game = cast("SoloWhist", deal.game)
    turned = game.turned(deal) if game.standard else None
    dummy = deal.hands[DUMMY] if game.seats == DUMMY else 0
    return _choose(deal.legal(), deal.hands[deal.place], turned, dummy)


def sensible(view: View) -> list[Action]:
    """Return the calls worth a closer look: all contracts, or the lowest bids in each suit."""
    suggested = call(view)
    bids = [each for each in view.legal if each in BIDS]
    if not bids:
        return list(view.legal)
    return [each for each in view.legal if each not in bids[5:] or each == suggested]
