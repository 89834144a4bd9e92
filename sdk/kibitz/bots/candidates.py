"""Which choices are worth trying: one of several equal cards, and calls that make sense."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.bots.judges import JUDGES
from kibitz.cards import BIT

if TYPE_CHECKING:
    from kibitz.actions import Action
    from kibitz.view import View

ONLY_TRICKS = frozenset(
    {"german_whist", "whist", "solo_whist", "three_handed_whist", "whiskey", "whos_who"}
)
"""Games in which only who takes how many tricks counts, so that neighbours are equal."""


def candidates(view: View) -> list[Action]:
    """Return the legal actions that are worth trying."""
    legal = list(view.legal)
    if not legal[0].is_card:
        judge = JUDGES.get(view.game.name)
        return legal if judge is None else judge.sensible(view)
    return _distinct(view, legal) if view.game.name in ONLY_TRICKS else legal


def _distinct(view: View, legal: list[Action]) -> list[Action]:
    """Of cards that no card of anybody else lies between, keep the lowest."""
    fold = view.fold
    others = fold.unseen
    for place, shown in enumerate(fold.shown):
        if place != view.place:
            others |= shown
    if view.place != view.seat:
        others |= fold.hand
    for _, card in fold.trick:
        others |= BIT[card]
    for card in fold.turned:
        others |= BIT[card]
    kept: list[Action] = []
    last: Action | None = None
    for card in sorted(legal, key=lambda each: (each.suit or "", each.strength)):
        if last is None or last.suit != card.suit or _between(view, last, card) & others:
            kept.append(card)
        last = card
    return kept


def _between(view: View, low: Action, high: Action) -> int:
    pack = view.game.cards
    mask = 0
    for card, strength in enumerate(pack.strength):
        if low.strength < strength < high.strength and pack.same_suit[card] == pack.same_suit[low]:
            mask |= BIT[card]
    return mask
