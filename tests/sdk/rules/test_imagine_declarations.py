"""What declarations of Ottocento tell of hidden cards, and no more, is imagined evenly."""

from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import kibitz
import pytest
from kibitz import testing
from kibitz.cards import members

from tests.sdk.rules.ottocento import PLAIN, mask
from tests.sdk.rules.situations import stacked
from tests.sdk.rules.test_imagine_evenly import check_spread

DECLARER, VIEWER = 1, 0
SAMPLES = 300
KINGS, QUEENS = "SK BK CK DK", "SQ BQ CQ DQ"
THREE = "show:SK show:BK show:DK"
SPADES = "BAG MAT SK SQ SN SJ SA"
TRUMPS = "ANG MON SOL LUN BAG MAT"
LOW = [f"{suit}{rank}" for suit in "SB" for rank in ("10", "9", "8", "7", "6")]
LOW += [f"T{n}" for n in range(5, 13)]
"""Cards of few melds: the hand of the seat that imagines."""


def declared(hand: str, steps: str) -> kibitz.Deal:
    """Return a deal in which eldest, with these cards, has bid Solo and has declared so far."""
    deck = stacked(PLAIN, 0, {DECLARER: hand, VIEWER: " ".join(LOW)})
    deal = PLAIN.new_deal(deck, dealer=0)
    for step in ("solo", *steps.split()):
        deal.play(step)
    return deal


def ways(deal: kibitz.Deal, among: str) -> Counter[frozenset[int]]:
    """Return how many placements give Declarer which of some hidden cards, so that all fits.

    For each choice of these cards one placement is played again; as nothing else was told, the
    others, with any of the other hidden cards, fit where this one does.
    """
    layout = PLAIN.layouts[deal.dealer]
    shown = set(members(deal.view(VIEWER).fold.shown[DECLARER]))
    hidden = set(map(int, deal.view(VIEWER).unseen))
    asked = [card for card in members(mask(among)) if card in hidden]
    rest = sorted(hidden - set(asked))
    own = next(positions for place, positions in layout.hands if place == DECLARER)
    veiled = [position for position in own if deal.deck[position] not in shown]
    others = [p for p, card in enumerate(deal.deck) if card in hidden and p not in veiled]
    found: Counter[frozenset[int]] = Counter()
    for count in range(len(asked) + 1):
        for some in combinations(asked, count):
            missing = [card for card in asked if card not in some]
            row = [*some, *rest, *missing]
            deck = list(deal.deck)
            for position, card in zip([*veiled, *others], row, strict=True):
                deck[position] = card
            twin = testing.replayed(deal, deck)
            if twin is not None and twin.seen(VIEWER) == deal.seen(VIEWER):
                found[frozenset(some)] = comb(len(rest), len(veiled) - count)
    return found


CASES = [
    (KINGS, "SK BK DK", "declare:kings", 5),  # some three kings, or all four
    (KINGS, "SK BK DK", "declare:kings show:SK", 4),  # at least two of those after it
    (KINGS, "BK CK DK", "declare:kings show:BK", 2),  # those after it, perhaps the one before
    (KINGS, "SK BK DK", f"declare:kings {THREE} done", 2),  # perhaps the fourth
    (KINGS, "SK BK CK DK", "done", 16),  # nobody has to declare what he has
    (f"CK {QUEENS}", f"SK BK DK {QUEENS}", f"declare:kings {THREE} done declare:queens", 10),
    (SPADES, "SK SQ SN", "declare:S show:SK", 32),  # two courts, as counters come before the king
    (SPADES, "MAT SK SQ", "declare:S show:MAT", 28),  # the king and a court
    (TRUMPS, "ANG MON SOL", "declare:trumps", 25),  # two of three, or one and a counter
]


@pytest.mark.parametrize(("among", "hand", "steps", "count"), CASES)
def test_declarations_tell_what_they_tell(among: str, hand: str, steps: str, count: int) -> None:
    deal = declared(hand, steps)
    expected = ways(deal, among)
    assert len(expected) == count
    view, rng = deal.view(VIEWER), Random(1)
    asked = mask(among) & view.fold.unseen
    found = Counter(
        frozenset(members(kibitz.imagine(view, rng).hands[DECLARER] & asked))
        for _ in range(SAMPLES)
    )
    check_spread(found, expected)
