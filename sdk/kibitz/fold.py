"""What a row of events comes to: the situation as one seat knows it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from kibitz.cards import BIT
from kibitz.events import STOCK, Event, What

if TYPE_CHECKING:
    from kibitz.game import Game


class Fold:
    """The situation after some events, in masks and numbers.

    ``hand``: own cards. ``shown``: what everybody knows each place to hold. ``held``: how many
    cards each place holds. ``played``, ``gone``: cards played, and cards laid away as far as known.
    ``unseen``: cards of the deck whose place is unknown. ``turned``: face-up cards of the stock.
    """

    __slots__ = (
        "calls",
        "contract",
        "count",
        "cut",
        "dealt",
        "declarer",
        "first_deal",
        "game",
        "gone",
        "hand",
        "held",
        "partner",
        "played",
        "seat",
        "shown",
        "stock",
        "taken",
        "trick",
        "tricks",
        "trump",
        "turned",
        "unseen",
    )

    def __init__(self, game: "Game", seat: int) -> None:
        self.game, self.seat, self.count = game, seat, 0
        self.hand = self.played = self.gone = 0
        self.unseen = game.deck_mask
        self.shown, self.held = [0] * game.places, [0] * game.places
        self.taken = [0] * game.places
        self.stock, self.dealt = len(game.layouts[0].stock), 0
        self.first_deal = len(game.deck) - self.stock
        self.turned: list[int] = []
        self.trick: list[tuple[int, int]] = []
        self.tricks: list[tuple[int, list[tuple[int, int]]]] = []
        self.calls: list[tuple[int, int]] = []
        self.trump: int | None = None
        self.cut: int | None = None
        self.declarer: int | None = None
        self.contract: int | None = None
        self.partner: int | None = None

    def copy(self) -> "Fold":
        """Return a fold that can be carried on by itself."""
        twin = Fold(self.game, self.seat)
        twin.count, twin.dealt, twin.stock = self.count, self.dealt, self.stock
        twin.hand, twin.played, twin.gone = self.hand, self.played, self.gone
        twin.unseen, twin.turned = self.unseen, self.turned[:]
        twin.shown, twin.held, twin.taken = self.shown[:], self.held[:], self.taken[:]
        twin.trick, twin.tricks, twin.calls = self.trick[:], self.tricks[:], self.calls[:]
        twin.trump, twin.cut, twin.declarer = self.trump, self.cut, self.declarer
        twin.contract, twin.partner = self.contract, self.partner
        return twin

    def advance(self, events: Iterable[Event]) -> None:
        """Add what happened next."""
        for event in events:
            what, place, detail, _ = event
            step = _STEPS.get(what)
            if step is not None:
                step(self, place, detail)
            self.count += 1


def _played(fold: Fold, place: int, card: int) -> None:
    fold.trick.append((place, card))
    bit = BIT[card]
    fold.played |= bit
    fold.unseen &= ~bit
    fold.held[place] -= 1
    fold.shown[place] &= ~bit
    if place == fold.seat:
        fold.hand &= ~bit


def _won(fold: Fold, place: int, detail: int) -> None:
    fold.taken[place] += 1
    fold.tricks.append((place, fold.trick))
    fold.trick = []


def _dealt(fold: Fold, place: int, card: int) -> None:
    fold.held[place] += 1
    fold.dealt += 1
    if fold.dealt > fold.first_deal:
        fold.stock -= 1
    if card < 0:
        return
    bit = BIT[card]
    fold.unseen &= ~bit
    if place == fold.seat:
        fold.hand |= bit
    else:
        fold.shown[place] |= bit
    if card in fold.turned:
        fold.turned.remove(card)
        fold.shown[place] |= bit


def _turned(fold: Fold, place: int, card: int) -> None:
    fold.unseen &= ~BIT[card]
    if place == STOCK:
        fold.turned.append(card)
    else:
        fold.shown[place] |= BIT[card]


def _shown(fold: Fold, place: int, card: int) -> None:
    fold.unseen &= ~BIT[card]
    fold.shown[place] |= BIT[card]


def _revealed(fold: Fold, place: int, card: int) -> None:
    fold.unseen &= ~BIT[card]


def _given(fold: Fold, place: int, card: int) -> None:
    # What is handed over has been played before, or has been laid away.
    bit = BIT[card]
    fold.unseen &= ~bit
    if not fold.played & bit:
        fold.gone |= bit


def _discarded(fold: Fold, place: int, action: int) -> None:
    fold.held[place] -= 1
    if place == fold.seat:
        card = fold.game.actions[action].card
        if card is not None:
            fold.hand &= ~BIT[card]
            fold.shown[place] &= ~BIT[card]
            fold.gone |= BIT[card]
    else:
        # Which card went is unknown, so nothing is certain of this hand any more.
        fold.unseen |= fold.shown[place]
        fold.shown[place] = 0


def _called(fold: Fold, place: int, action: int) -> None:
    fold.calls.append((place, action))


def _cut(fold: Fold, place: int, card: int) -> None:
    fold.cut = card


def _trump(fold: Fold, place: int, suit: int) -> None:
    fold.trump = suit if suit >= 0 else None


def _contract(fold: Fold, place: int, action: int) -> None:
    fold.declarer = place
    fold.contract = action if action >= 0 else None


def _partner(fold: Fold, place: int, seat: int) -> None:
    fold.partner = place


_STEPS: Final = {
    What.DEALT: _dealt,
    What.TURNED: _turned,
    What.SHOWN: _shown,
    What.REVEALED: _revealed,
    What.DISCARDED: _discarded,
    What.PLAYED: _played,
    What.WON: _won,
    What.CALLED: _called,
    What.CHOSE: _called,
    What.DECLARED: _called,
    What.CUT: _cut,
    What.TRUMP: _trump,
    What.CONTRACT: _contract,
    What.PARTNER: _partner,
    What.GIVEN: _given,
}
