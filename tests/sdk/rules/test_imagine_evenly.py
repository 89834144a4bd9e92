"""Near the end of a deal every way the hidden cards can lie is imagined equally often."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import factorial, prod
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz import testing
from kibitz.cards import members
from kibitz.events import STOCK

EACH = 40
MOST, MOST_SPLITS = 24, 400
Hands = tuple[int, ...]


def ending(game: kibitz.Game, seed: int, choices: str, cards: int) -> kibitz.Deal | None:
    """Return a deal when somebody is to lead with so many cards left, after these choices."""
    deal, rng, wanted = testing.new_deal(game, seed), Random(seed), iter(choices.split())
    while not deal.over:
        legal = deal.legal()
        if legal[0].is_card and not deal.table and len(deal.hand(deal.turn or 0)) == cards:
            return deal
        free = legal[0].is_card or legal[0].code.startswith("discard:")
        code = None if free else next(wanted, None)
        if code is not None and code not in deal.codes():
            return None
        deal.play(rng.choice(legal) if code is None else code)
    return None


def heaps(deal: kibitz.Deal, seat: int) -> list[tuple[int, list[int]]]:
    """Return the cards that a seat does not see, with whose they are: in hand or laid away."""
    unseen = {int(card) for card in deal.view(seat).unseen}
    away: dict[int, list[int]] = {}
    for event in deal.events:
        if event.what is kibitz.What.DISCARDED:
            away.setdefault(event.place, []).append(deal.game.actions.card_of(event.detail))
    rows = [*enumerate(map(members, deal.hands)), (STOCK, [*deal.stock]), *away.items()]
    found = [(owner, [card for card in row if card in unseen]) for owner, row in rows]
    assert sorted(card for _, row in found for card in row) == sorted(unseen)
    return [(owner, row) for owner, row in found if row]


def splits(cards: list[int], sizes: list[int]) -> Iterator[list[list[int]]]:
    """Yield the ways to split cards into heaps of these sizes."""
    if not sizes:
        yield []
        return
    for some in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in some]
        yield from ([[*some], *others] for others in splits(rest, sizes[1:]))


def exchanges(before: list[list[int]], after: list[list[int]]) -> dict[int, int]:
    """Return which card takes whose place; what stays in its heap stays where it is."""
    swap: dict[int, int] = {}
    for old, new in zip(before, after, strict=True):
        left = [card for card in old if card not in new]
        swap |= zip(left, [card for card in new if card not in old], strict=True)
    return swap


def fitting(deal: kibitz.Deal, seat: int) -> Counter[Hands]:
    """Return all hands that a seat cannot exclude, with the number of ways to have them."""
    lie = heaps(deal, seat)
    cards = sorted(card for _, heap in lie for card in heap)
    found: Counter[Hands] = Counter()
    if factorial(len(cards)) // prod(factorial(len(heap)) for _, heap in lie) > MOST_SPLITS:
        return found
    before = [heap for _, heap in lie]
    for after in splits(cards, [len(heap) for heap in before]):
        swap = exchanges(before, after)
        # A card kept, and not laid away, may be one whose place in the deck all have seen.
        owned = exchanges(*(by_owner(lie, some) for some in (before, after)))
        for moved in (swap, owned):
            deck = [moved.get(card, card) for card in deal.deck]
            twin = testing.replayed(deal, deck, swap)
            if twin is not None and twin.seen(seat) == deal.seen(seat):
                found[tuple(twin.hands)] += 1
                break
    return found


def by_owner(lie: list[tuple[int, list[int]]], rows: list[list[int]]) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for (owner, _), row in zip(lie, rows, strict=True):
        found.setdefault(owner, []).extend(row)
    return [*found.values()]


CASES: list[tuple[str, dict[str, Any], str, int]] = [
    ("whist", {}, "", 2),
    ("solo_whist", {"play_out": "always"}, "solo pass pass pass", 2),
    ("solo_whist", {"play_out": "always"}, "prop cop pass pass", 2),
    ("solo_whist", {"play_out": "always"}, "ouverte pass pass pass", 2),
    ("solo_whist", {"play_out": "always"}, "abundance pass pass pass trump:H", 2),
    ("solo_whist", {"play_out": "always", "variant": "irish3"}, "bid:7H pass pass", 3),
    ("whiskey", {}, "bid:5 pass pass pass win:H", 3),
    ("whos_who", {}, "", 3),
    ("whos_who", {"pack": 54}, "", 2),
    ("three_handed_whist", {"cut": "bottom"}, "exchange:13", 3),
    ("three_handed_whist", {}, "exchange:2 exchange:11", 1),
    ("ottocento", {}, "solo", 1),
    ("ottocento", {"deal": "19+5"}, "play pass pass", 1),
    ("ottocento", {"deal": "19+5"}, "pass play pass", 1),
]


@pytest.mark.parametrize(("name", "options", "choices", "cards"), CASES, ids=str)
def test_every_way_that_fits_is_as_likely(
    name: str, options: dict[str, Any], choices: str, cards: int
) -> None:
    game, tried = kibitz.game(name, **options), 0
    for seed in range(80):
        deal = ending(game, seed, choices, cards)
        if deal is None:
            continue
        seat = deal.turn or 0
        ways = fitting(deal, seat)
        if 3 <= len(ways) <= MOST:
            tried += 1
            check_evenly(deal.view(seat), ways)
        if tried == 2:
            return
    assert tried


def check_evenly(view: kibitz.View, ways: Counter[Hands]) -> None:
    rng = Random(1)
    n = EACH * len(ways)
    found = Counter(tuple(kibitz.imagine(view, rng).hands) for _ in range(n))
    check_spread(found, ways)


def check_spread(found: Counter[Any], ways: Counter[Any]) -> None:
    """Check by chi-square that what was found is spread as the ways to have it."""
    n = found.total()
    assert set(found) <= set(ways)
    freedom = len(ways) - 1
    expected = {hands: n * count / ways.total() for hands, count in ways.items()}
    chi = sum((found[hands] - wanted) ** 2 / wanted for hands, wanted in expected.items())
    assert chi < freedom + 6 * (2 * freedom) ** 0.5 + 6, (len(ways), chi)
