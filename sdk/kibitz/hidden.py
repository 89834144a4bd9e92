"""What a view leaves open: which cards may lie at which positions of the deck.

Every card that a seat cannot place lies in some *slot*: a position of the deck, with the place it
was dealt to and when, and when it was laid away. What has been seen says which slots a card may be
in: a card played by somebody was dealt to them before, and a card that would have had to be played
instead was not in that hand at the time.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from kibitz.cards import BIT, mask_of, members
from kibitz.events import ACTIONS, STOCK, Event, What

if TYPE_CHECKING:
    from kibitz.deal import Deal
    from kibitz.game import Game
    from kibitz.view import View

ALWAYS: Final = 1 << 30


class Slot(NamedTuple):
    """A position whose card is unknown: who holds it, from and until which event."""

    position: int
    place: int
    since: int
    until: int = ALWAYS


@dataclass
class Sighting:
    """A card of unknown position that a place has been seen to hold, and when it left the hand."""

    place: int
    first: int
    until: int = ALWAYS


@dataclass
class Hidden:
    """What a seat's events say about the deck."""

    game: "Game"
    dealer: int
    known: dict[int, int] = field(default_factory=dict)  # position -> card
    slots: list[Slot] = field(default_factory=list)
    seen: dict[int, Sighting] = field(default_factory=dict)  # card -> where it was
    open: list[tuple[Slot, int]] = field(default_factory=list)  # others' cards that all have seen
    last: dict[int, int] = field(default_factory=dict)  # card -> when it was last seen in a hand
    given: dict[int, int] = field(default_factory=dict)  # card -> whose pile it came from
    cards: list[int] = field(default_factory=list)  # those of unknown position
    loose: int = 0  # those of them that may have been anywhere, as a mask
    tied: dict[int, list[int]] = field(default_factory=dict)  # the others, by place
    barred: list[tuple[int, int, int]] = field(default_factory=list)  # place, when, mask
    layable: dict[int, int] = field(default_factory=dict)  # place -> what it might discard

    @classmethod
    def of(cls, view: "View") -> "Hidden":
        """Work out what a view knows of the deck."""
        hidden = cls(view.game, view.dealer)
        events = view.events
        places = hidden._positions(events)
        for position, (place, since) in places.items():
            if position not in hidden.known:
                hidden.slots.append(Slot(position, place, since))
            elif place not in {STOCK, view.seat}:
                hidden.open.append((Slot(position, place, since), hidden.known[position]))
        can = view.game.actions.discardable & ~view.game.kept(view)
        hidden.layable = dict.fromkeys(range(view.game.places), can)
        known = set(hidden.known.values())
        hidden.cards = [card for card in hidden.game.deck if card not in known]
        hidden._sightings(events, known)
        placed = {**hidden.given, **{card: its.place for card, its in hidden.seen.items()}}
        hidden.loose = mask_of(card for card in hidden.cards if card not in placed)
        for card in hidden.cards:
            if card in placed:
                hidden.tied.setdefault(placed[card], []).append(card)
        return hidden

    def _positions(self, events: list[Event]) -> dict[int, tuple[int, int]]:
        # The first events deal the layout in its order; later ones come from the stock.
        layout = self.game.layouts[self.dealer]
        dealt = layout.dealt()
        places = dict.fromkeys(layout.stock, (STOCK, -1))
        own = {place: iter(positions) for place, positions in layout.hands}
        count = drawn = turned = 0
        for when, (what, place, detail, _) in enumerate(events):
            if what is What.DEALT:
                if count < len(dealt):
                    position, since = dealt[count][1], -1
                else:
                    position, since = layout.stock[drawn], when
                    drawn, turned = drawn + 1, max(0, turned - 1)
                count += 1
                places[position] = (place, since)
                if detail >= 0:
                    self.known[position] = detail
            elif what is What.TURNED:
                if place == STOCK:
                    position, turned = layout.stock[drawn + turned], turned + 1
                else:
                    position = next(own[place])
                self.known[position] = detail
        return places

    def _sightings(self, events: list[Event], known: set[int]) -> None:
        for when, (what, place, detail, _) in enumerate(events):
            if what is What.PLAYED or what is What.SHOWN:
                self.last[detail] = when
                if detail not in known:
                    sighting = self.seen.setdefault(detail, Sighting(place, when))
                    if what is What.PLAYED:
                        sighting.until = when
            elif what is What.GIVEN and detail not in self.last:
                self.given[detail] = place

    def fits(self, card: int, slot: Slot) -> bool:
        """Return whether a card may lie in a slot, by all that has been seen."""
        seen = self.seen.get(card)
        until = slot.until
        if seen is not None:
            if slot.place != seen.place or slot.since > seen.first or slot.until < seen.until:
                return False
            until = min(until, seen.until)
        elif card in self.given and (slot.place != self.given[card] or slot.until == ALWAYS):
            return False
        bit = BIT[card]
        if slot.until < ALWAYS and not self.layable.get(slot.place, bit) & bit:
            return False
        for place, when, mask in self.barred:
            if mask & bit and place == slot.place and slot.since < when < until:
                return False
        return True

    def fitting(self, slot: Slot) -> int:
        """Return the mask of the cards of unknown position that may lie in a slot."""
        mask = self.loose
        if slot.until < ALWAYS:
            mask &= self.layable.get(slot.place, mask)
        for place, when, barred in self.barred:
            if place == slot.place and slot.since < when < slot.until:
                mask &= ~barred
        for card in self.tied.get(slot.place, ()):
            if self.fits(card, slot):
                mask |= BIT[card]
        return mask

    def may_leave(self, slot: Slot, card: int, when: int) -> bool:
        """Return whether a card that all have seen may have been laid away at some time."""
        bit = BIT[card]
        return self.last.get(card, -1) < when and bool(self.layable.get(slot.place, bit) & bit)

    def bar(self, deal: "Deal", place: int, when: int, card: int, suspects: int) -> None:
        """Note which cards cannot have been in a hand that played ``card`` just now.

        Whether a card may be played is asked for pairs of cards: rules say that a card may not be
        played while certain others are held.
        """
        game, bit = deal.game, BIT[card]
        if game.may_play(deal, suspects | bit) & bit:
            return
        mask = 0
        for group in game.cards.suit_masks:
            some = suspects & group & ~bit
            if some and not game.may_play(deal, some | bit) & bit:
                for other in members(some):
                    if not game.may_play(deal, BIT[other] | bit) & bit:
                        mask |= BIT[other]
        if mask:
            self.barred.append((place, when, mask))


_ACTIONS: Final = tuple(ACTIONS)  # a short tuple is searched sooner than an enumeration is hashed


def decisions(events: list[Event]) -> list[tuple[int, Event]]:
    """Return the events that were somebody's action, with their number."""
    return [(when, event) for when, event in enumerate(events) if event[0] in _ACTIONS]
