"""From what one seat has seen, imagine a whole deal that it cannot tell from the real one.

The unknown cards are put into the unknown positions of the deck so that all that was seen fits,
then shuffled by exchanges that keep it so, and the deal is played again. Where nothing
restricts the cards, every deal that fits is exactly as likely as every other; otherwise the
exchanges (a Markov chain with the uniform distribution as its limit) make it nearly so.
"""

from random import Random
from typing import TYPE_CHECKING, Final

from kibitz.cards import mask_of
from kibitz.deal import Deal
from kibitz.errors import ImagineError
from kibitz.events import Event, What
from kibitz.hidden import Hidden, decisions
from kibitz.laid_away import batches, choose, exchange_roles, with_departures
from kibitz.placement import Placement

if TYPE_CHECKING:
    from kibitz.view import View

TRIES: Final = 200
_TELLING: Final = (What.PLAYED, What.DISCARDED)
"""What somebody does with his cards says what he cannot have held, or might have laid away."""


def imagine(view: "View", rng: Random, tries: int = TRIES) -> Deal:
    """Return a whole deal that fits a view: the seat would have seen just the same.

    The deal is made from the view alone. Cards that others laid away unseen are guessed too.

    Raises:
        ImagineError: none was found in so many tries; the view may contradict the rules.
    """
    puzzle = _puzzle(view)
    for _ in range(tries):
        deal = puzzle.deal(rng)
        if deal is not None:
            return deal
    raise ImagineError(
        f"no deal of {view.game.name} that fits the view of seat {view.seat} was found"
        f" in {tries} tries"
    )


def _puzzle(view: "View") -> "Puzzle":
    log = view._log
    count = len(view.events)
    cached = log.imagining
    if isinstance(cached, Puzzle) and cached.count == count:
        return cached
    puzzle = Puzzle(view, count)
    log.imagining = puzzle
    return puzzle


class Puzzle:
    """All that is worked out once for a view, however many deals are imagined from it."""

    def __init__(self, view: "View", count: int) -> None:
        self.count = count
        self.game, self.seat, self.dealer = view.game, view.seat, view.dealer
        self.number, self.totals, self.points = view.number, view.totals, view.points
        self.events = view.events
        self.cut = view.fold.cut
        self.hidden = Hidden.of(view)
        self.steps = decisions(self.events)
        self.discards = batches(self.events, self.seat)
        self.placement: Placement | None = None
        self._learn()

    def _learn(self) -> None:
        # A first deal that fits but for the rules of following shows what those rules exclude.
        veiled = {slot.place for slot in self.hidden.slots}
        telling = [
            number
            for number, (_, event) in enumerate(self.steps, 1)
            if event.what in _TELLING and event.place in veiled
        ]
        rng = Random(0)  # noqa: S311  # any deal will do here
        found = self._place(rng, mixed=False) if telling else None
        if found is None:
            return
        deck, away = found
        deal = self._new_deal(deck)
        hidden = self.hidden
        unknown = mask_of(hidden.cards)
        if self.discards:
            unknown |= mask_of(card for _, card in hidden.open)
        before = hidden.layable.copy()
        for when, event in self.steps[: telling[-1]]:
            if event.what is What.PLAYED and event.place in veiled:
                hidden.bar(deal, event.place, when, event.detail, unknown)
            elif event.what is What.DISCARDED and event.place in veiled:
                hidden.layable[event.place] &= self.game.may_discard(deal, unknown)
            deal.apply(self._action(event, away) if event.detail < 0 else event.detail)
        if hidden.barred or hidden.layable != before:
            self.placement = None

    def deal(self, rng: Random) -> Deal | None:
        """Return a deal that fits, or ``None`` if this attempt failed."""
        found = self._place(rng)
        if found is None:
            return None
        deck, away = found
        deal = self._new_deal(deck)
        for _, event in self.steps:
            action = self._action(event, away) if event.detail < 0 else event.detail
            if event.place != deal.place or not self._legal(deal, event, action):
                return None
            deal.apply(action)
        return deal if deal.seen(self.seat) == self.events else None

    def _legal(self, deal: Deal, event: Event, action: int) -> bool:
        if event.what is What.PLAYED:
            hand = deal.hands[event.place]
            return bool(hand >> action & 1 and self.game.may_play(deal, hand) >> action & 1)
        return action in deal.legal()

    def _new_deal(self, deck: list[int]) -> Deal:
        return Deal(
            self.game, tuple(deck), self.dealer, self.number, self.cut, self.totals, self.points
        ).deal_out(bytes(deck))

    def _action(self, event: Event, away: dict[int, list[int]]) -> int:
        # Somebody's discard that the seat did not see.
        return self.game.actions.discards(1 << away[event.place].pop(0))[0]

    def _place(
        self, rng: Random, *, mixed: bool = True
    ) -> tuple[list[int], dict[int, list[int]]] | None:
        hidden, until = self.hidden, None
        placement = self.placement
        if self.discards:
            until = choose(hidden, self.discards, rng)
            if until is None:
                return None
            placement = Placement(hidden, with_departures(hidden.slots, until, self.discards))
        elif placement is None:
            placement = self.placement = Placement(hidden, hidden.slots)
        placed = placement.sample(rng, mixed=mixed)
        if placed is None:
            return None
        if until and hidden.open and mixed:
            exchange_roles(hidden, placed, until, self.discards, rng)
        deck = [-1] * len(self.game.deck)
        for position, card in (*hidden.known.items(), *placed.items()):
            deck[position] = card
        away: dict[int, list[int]] = {}
        left = {when: deck[position] for position, when in (until or {}).items()}
        for place, times in self.discards:
            away.setdefault(place, []).extend(left[when] for when in times)
        return deck, away
