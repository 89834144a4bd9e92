"""The calls of Solo Whist, who calls when, and what a row of calls comes to."""

from collections.abc import Sequence
from typing import NamedTuple

from kibitz.actions import Action, Actions
from kibitz.cards import FRENCH
from kibitz.phases import NOBODY, Call

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
IRISH_LADDER = (*BIDS[:55], MISERE, *BIDS[55:])
"""Irish calls, lowest first: a misere lies between eleven at no trump and twelve clubs."""


class Standing(NamedTuple):
    """The bid that stands, its maker, the partner who has accepted it, and who has passed."""

    bid: Action | None = None
    bidder: int = NOBODY
    partner: int = NOBODY
    out: frozenset[int] = frozenset()

    @property
    def open_prop(self) -> bool:
        """Whether a proposal stands that nobody has accepted."""
        return self.bid == PROP and self.partner == NOBODY

    @property
    def contract(self) -> Action | None:
        """What is played if nobody calls any more: nothing is, on a proposal by itself."""
        return None if self.open_prop else self.bid


def standing(calls: Sequence[Call]) -> Standing:
    """Return what a row of calls comes to."""
    bid: Action | None = None
    bidder = partner = NOBODY
    for seat, call in calls:
        if call == COP:
            partner = seat
        elif call != PASS:
            bid, bidder, partner = call, seat, NOBODY
    out = frozenset(seat for seat, call in calls if call == PASS)
    return Standing(bid, bidder, partner, out)


class AuctionRules(NamedTuple):
    """How the options have it called: ``ladder`` holds the bids above a proposal, lowest first."""

    seats: int
    ladder: tuple[Action, ...]
    prop: bool
    uncopped: str
    single: bool

    def legal(self, calls: Sequence[Call], seat: int) -> tuple[Action, ...]:
        """Return the calls of a seat in turn: pass, propose or accept, or any higher bid."""
        now = standing(calls)
        start = self.ladder.index(now.bid) + 1 if now.bid in self.ladder else 0
        higher = self.ladder[start:]
        if now.open_prop and seat == now.bidder:
            return (PASS, SOLO) if self.uncopped == "raise_solo" else in_order(PASS, *higher)
        if now.open_prop and seat in now.out and not self.single:
            return (PASS, COP)
        if now.open_prop:
            return in_order(PASS, COP, *higher)
        if now.bid is None and self.prop:
            return in_order(PASS, PROP, *higher)
        return in_order(PASS, *higher)

    def next_caller(self, calls: Sequence[Call], eldest: int) -> int | None:
        """Return who calls after some calls, or ``None`` when the auction is over."""
        before = standing(calls[:-1])
        if before.open_prop and calls[-1].seat == before.bidder:
            return None  # asked by himself, a proposer has the last word
        now = standing(calls)
        following = (self.once_round if self.single else self.until_settled)(calls, now, eldest)
        if following is None and now.open_prop and self.uncopped != "throw_in":
            return now.bidder
        return following

    def until_settled(self, calls: Sequence[Call], now: Standing, eldest: int) -> int | None:
        """Whoever is not out calls in turn; eldest may accept late, having passed only once."""
        settled = {now.bidder, now.partner, *now.out}
        for seat in self.after(calls[-1].seat):
            if seat not in settled:
                return seat
        once = sum(call == (eldest, PASS) for call in calls) == 1
        return eldest if now.open_prop and once else None

    def once_round(self, calls: Sequence[Call], now: Standing, eldest: int) -> int | None:
        """Each calls once, eldest again unless his own bid stands or nobody has bid."""
        if len(calls) < self.seats:
            return self.after(calls[-1].seat)[0]
        again = len(calls) == self.seats and now.bid is not None and now.bidder != eldest
        return eldest if again else None

    def after(self, seat: int) -> list[int]:
        """Return all seats in turn, beginning with the one after a seat."""
        return [(seat + i) % self.seats for i in range(1, self.seats + 1)]


def in_order(*calls: Action) -> tuple[Action, ...]:
    """Return calls by their numbers."""
    return tuple(sorted(calls))


def denomination(call: Action) -> int | None:
    """Return the trump suit of an Irish call, ``None`` for no trump and misere."""
    if call == MISERE:
        return None
    suit = DENOMINATIONS.index(call.code.removeprefix("bid:").lstrip("0123456789"))
    return suit if suit < len(FRENCH.suits) else None
