"""Judgement for Who's Who: whom a trick should go to, so that one's own side scores.

Tricks to come are taken to go to each player alike. From that follows what every division of
the tricks so far is worth to a seat, for each seat that may be the soloist.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, cast

from kibitz.games.whos_who import AWARDS, JOKER_CARDS, JOKERS, WhosWho

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from kibitz.actions import Action
    from kibitz.deal import Deal
    from kibitz.view import View

Chances = tuple[tuple[int, float], ...]
"""The seats that may be the soloist, and how likely."""

ALONE = 196 / 378  # a player without Jokers is the soloist
SOME = 6  # unseen cards that stand for all, where two are still to be played


@lru_cache(maxsize=100_000)
def worth(game: WhosWho, taken: tuple[int, ...], left: int, soloist: int) -> tuple[float, ...]:
    """Return what seats may expect to score above the table's mean, with some tricks to come."""
    if left:
        ways = [
            worth(game, (*taken[:s], taken[s] + 1, *taken[s + 1 :]), left - 1, soloist)
            for s in range(3)
        ]
        return tuple(sum(way[seat] for way in ways) / 3 for seat in range(3))
    low, high = sorted(taken[seat] for seat in range(3) if seat != soloist)
    own = taken[soloist]
    value = 10 + own
    made = game.succeeds(own, low, high)
    scores = [value if (seat == soloist) == made else 0 for seat in range(3)]
    return tuple(score - sum(scores) / 3 for score in scores)


class Table:
    """What a seat looks at: tricks taken, tricks left after this one, and who may be soloist."""

    def __init__(self, game: WhosWho, seat: int, taken: Sequence[int], chances: Chances) -> None:
        self.seat = seat
        left = (14 if game.pack == 42 else 18) - sum(taken) - 1
        self.of_taker = [
            sum(p * worth(game, _one_more(taken, to), left, who)[seat] for who, p in chances)
            for to in range(3)
        ]

    def taker(self, trick: Sequence[tuple[int, int]], game: WhosWho) -> float:
        """Return what a whole trick of (seat, card) is worth; Jokers' tricks go to the best."""
        jokers = [seat for seat, card in trick if card in JOKERS]
        if self.seat in jokers:
            return max(self.of_taker)
        if jokers:
            return sum(self.of_taker) / 3
        return self.of_taker[trick[game.wins([card for _, card in trick], None)][0]]


def _one_more(taken: Sequence[int], seat: int) -> tuple[int, ...]:
    return tuple(count + (place == seat) for place, count in enumerate(taken))


def chances(view: View) -> Chances:
    """Return who may be the soloist, as a seat can tell from the Jokers."""
    soloist = view.state("soloist")
    if isinstance(soloist, int):
        return ((soloist, 1.0),)
    others = [seat for seat in range(3) if seat != view.seat]
    if view.state("role") == "partner":
        return tuple((seat, 0.5) for seat in others)
    return ((view.seat, ALONE), *((seat, (1 - ALONE) / 2) for seat in others))


def call(view: View) -> Action:
    """Return the award that is worth most to a seat."""
    game = cast("WhosWho", view.game)
    table = Table(game, view.seat, view.fold.taken, chances(view))
    return max(view.legal, key=lambda each: table.of_taker[AWARDS.index(each)])


def card(view: View) -> Action:
    """Return the card that is worth most, whatever of the unseen cards the others may add."""
    game, trick = cast("WhosWho", view.game), view.fold.trick
    table = Table(game, view.seat, view.fold.taken, chances(view))
    missing = [(view.seat + i) % 3 for i in range(1, 3 - len(trick))]
    led = trick[0][1] if trick else None

    def expected(choice: Action) -> float:
        suit = game.cards.same_suit[choice if led is None else led]
        unseen = [*game.actions.cards(view.fold.unseen & suit & ~JOKER_CARDS)]
        if len(missing) == 2:
            unseen = unseen[:: max(1, len(unseen) // SOME)]
        rows = [
            table.taker([*trick, (view.seat, choice), *zip(missing, added, strict=True)], game)
            for added in product(unseen, repeat=len(missing))
            if len(set(added)) == len(added)
        ]
        alone = table.of_taker[view.seat if led is None else trick[0][0]]
        return sum(rows) / len(rows) if rows else alone

    return max(view.legal, key=lambda each: (expected(each), -each.strength))


def call_of(deal: Deal) -> Action:
    """Return the award that is worth most to whose turn it is; all know the soloist."""
    table = _table_of(deal)
    return max(deal.legal(), key=lambda each: table.of_taker[AWARDS.index(each)])


def card_of(deal: Deal, rng: Random) -> Action:
    """Return the best card of the last to play to a trick, any card of the others."""
    legal = deal.legal()
    if len(deal.table) < 2 or len(legal) == 1:
        return legal[int(rng.random() * len(legal))]
    game, table, place = cast("WhosWho", deal.game), _table_of(deal), deal.place
    trick = [((place + 1) % 3, deal.table[0]), ((place + 2) % 3, deal.table[1])]
    return max(legal, key=lambda each: table.taker([*trick, (place, each)], game))


def _table_of(deal: Deal) -> Table:
    game = cast("WhosWho", deal.game)
    return Table(game, deal.place, deal.taken, ((deal.contract.declarer, 1.0),))


def sensible(view: View) -> list[Action]:
    """Return all awards."""
    return list(view.legal)
