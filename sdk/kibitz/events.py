"""What happens at a table, and who may know it.

Everything that a deal does is told as an :class:`Event`. Its ``to`` says who may see the detail:
``None`` means everybody, a number the one place whose player sees it. What a seat knows is the
list of events as it saw them; the same events are the protocol's messages and a replay's steps.

A deal keeps its events as integers, which are also the wire form (:attr:`Event.code`): one log of
what everybody sees, and for each place what only its player sees instead.
"""

from enum import IntEnum
from typing import NamedTuple

HIDDEN = -1
"""The detail of an event that one may not see, or that has none."""

STOCK = 15
"""The place of the stock, the talon or the pile that is drawn from."""


class What(IntEnum):
    """Kinds of events. The number is part of the wire form: the list only grows."""

    DEALT = 1  # a card comes to a place, from the deal or the stock
    TURNED = 2  # the next card of the stock, or of a dummy in dealt order, is turned face up
    SHOWN = 3  # a place shows that it holds a card
    CUT = 4  # a card that is not part of the deck decides something
    CALLED = 5  # a call of an auction
    CHOSE = 6  # any other choice: an announcement, a trump suit, an award
    DISCARDED = 7  # a card is laid away; the detail is the action's number
    DECLARED = 8  # a step of a declaration
    PLAYED = 9  # a card is played to the trick
    WON = 10  # a place takes the trick
    TRUMP = 11  # the trump suit of the deal is known: an index into the suits, or none
    CONTRACT = 12  # a place becomes declarer; the detail is the number of the call
    GIVEN = 13  # a place hands over a card of its pile
    PARTNER = 14  # a place becomes the partner of the seat in the detail
    REVEALED = 15  # a card that lay hidden is shown at the end


ACTIONS = frozenset({What.CALLED, What.CHOSE, What.DISCARDED, What.DECLARED, What.PLAYED})
"""The kinds of events that are somebody's action; their detail is the action's number."""

_TO = 24
_WHAT = 16
_PLACE = 12
_DETAIL = (1 << _PLACE) - 1


class Event(NamedTuple):
    """Something that happened: what, to or by which place, and a card or action number.

    ``to`` is set only in the whole truth (``deal.events``). As a seat saw it (``deal.seen``) an
    event has ``to=None``, and ``detail=-1`` where the seat may not see it.
    """

    what: What
    place: int
    detail: int = HIDDEN
    to: int | None = None

    @property
    def code(self) -> int:
        """The wire form: ``what << 16 | place << 12 | detail + 1`` (the addressee above that)."""
        return encode(self.what, self.place, self.detail, self.to)

    @property
    def is_action(self) -> bool:
        """Whether this was somebody's decision."""
        return self.what in ACTIONS

    @classmethod
    def from_code(cls, code: int) -> "Event":
        """Return the event of a wire form.

        Raises:
            ValueError: the number is no event.
        """
        return EVENTS[code]


class _Events(dict[int, Event]):
    def __missing__(self, code: int) -> Event:
        if not 0 <= code < 1 << _TO + 5:
            raise ValueError(f"{code} is not an event")
        event = self[code] = Event(
            What(code >> _WHAT & 0xFF),
            code >> _PLACE & 0xF,
            (code & _DETAIL) - 1,
            (code >> _TO) - 1 if code >> _TO else None,
        )
        return event


EVENTS = _Events()
"""Every event by its wire form; the same event is always the same object."""


def addressed_to(place: int) -> int:
    """Return what the code of an event has added in the whole truth if only one place sees it."""
    return (place + 1) << _TO


def encode(what: int, place: int, detail: int = HIDDEN, to: int | None = None) -> int:
    """Return the wire form of an event."""
    addressee = 0 if to is None else (to + 1) << _TO
    return addressee | what << _WHAT | place << _PLACE | (detail + 1)
