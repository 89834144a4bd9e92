"""The calls of Solo Whist, and what a row of them comes to."""

from collections.abc import Sequence
from typing import NamedTuple

from kibitz.actions import Action, Actions
from kibitz.cards import FRENCH
from kibitz.phases import Call

DENOMINATIONS = (*FRENCH.suits, "NT")
ACTIONS = Actions(
    FRENCH,
    ["pass", "prop", "cop", "solo", "misere", "abundance", "royal", "ouverte", "declared"],
    ["petit", "grand"],
    [f"trump:{suit}" for suit in FRENCH.suits],
    [f"bid:{n}{suit}" for n in range(1, 14) for suit in DENOMINATIONS],
)
PASS, PROP, COP, SOLO, MISERE = ACTIONS.among("pass", "prop", "cop", "solo", "misere")
TRUMPS = ACTIONS.starting("trump")
BIDS = ACTIONS.starting("bid")
IRISH_ORDER = (*BIDS[:55], MISERE, *BIDS[55:])
"""Irish calls, lowest first: a misere lies between eleven at no trump and twelve clubs."""


def denomination(call: Action) -> int | None:
    """Return the trump suit of an Irish call, ``None`` for no trump and misere."""
    if call == MISERE:
        return None
    suit = DENOMINATIONS.index(call.code.removeprefix("bid:").lstrip("0123456789"))
    return suit if suit < 4 else None


class Bidding(NamedTuple):
    """The standing bid with its maker and the partner who accepted it, and who has passed."""

    calls: Sequence[Call]
    seats: int
    bid: Action | None
    bidder: int
    partner: int
    out: frozenset[int]

    @classmethod
    def of(cls, calls: Sequence[Call], seats: int) -> "Bidding":
        """Work out what calls come to."""
        bid: Action | None = None
        bidder = partner = -1
        for seat, call in calls:
            if call == COP:
                partner = seat
            elif call != PASS:
                bid, bidder, partner = call, seat, -1
        out = frozenset(seat for seat, call in calls if call == PASS)
        return cls(calls, seats, bid, bidder, partner, out)

    @property
    def open_prop(self) -> bool:
        """Whether a proposal stands that nobody has accepted."""
        return self.bid == PROP and self.partner < 0

    def passes_of(self, seat: int) -> int:
        """Return how often a seat has passed."""
        return sum(call == PASS for caller, call in self.calls if caller == seat)

    def next_after(self, seat: int) -> int | None:
        """Return the next seat that is neither out nor a holder of the standing bid."""
        settled = {self.bidder, self.partner, *self.out}
        following = ((seat + i) % self.seats for i in range(1, self.seats + 1))
        return next((one for one in following if one not in settled), None)
