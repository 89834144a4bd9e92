"""The calls of Solo Whist, who calls when, and what a row of calls comes to."""

from typing import Final, NamedTuple

from kibitz.actions import Action, Actions
from kibitz.cards import FRENCH
from kibitz.deal import Contract
from kibitz.phases import NOBODY

DENOMINATIONS: Final = (*FRENCH.suits, "NT")
ACTIONS: Final = Actions(
    FRENCH,
    ["pass", "prop", "cop", "solo", "misere", "abundance", "royal", "ouverte", "declared"],
    ["petit", "grand"],
    [f"trump:{suit}" for suit in FRENCH.suits],
    [f"bid:{n}{suit}" for n in range(1, 14) for suit in DENOMINATIONS],
)
PASS: Final = ACTIONS.find("pass")
PROP: Final = ACTIONS.find("prop")
COP: Final = ACTIONS.find("cop")
SOLO: Final = ACTIONS.find("solo")
MISERE: Final = ACTIONS.find("misere")
TRUMPS: Final = ACTIONS.starting("trump")
BIDS: Final = ACTIONS.starting("bid")
IRISH_LADDER: Final = (*BIDS[:55], MISERE, *BIDS[55:])
"""Irish calls, lowest first: a misere lies between eleven at no trump and twelve clubs."""


class Standing(NamedTuple):
    """The bid that stands (a call's number, or none), its maker and the partner who accepted it.

    ``out`` is the mask of the seats that have passed, ``late`` whether one has passed twice.
    """

    bid: int = NOBODY
    bidder: int = NOBODY
    partner: int = NOBODY
    out: int = 0
    late: bool = False
    made: int = 0

    @property
    def open_prop(self) -> bool:
        """Whether a proposal stands that nobody has accepted."""
        return self.bid == PROP and self.partner == NOBODY

    @property
    def contract(self) -> Contract | None:
        """What is played if nobody calls any more: nothing is, on a proposal by itself."""
        if self.bid == NOBODY or self.open_prop:
            return None
        return Contract(self.bidder, int(self.bid), 1, self.partner, ACTIONS.names[self.bid])

    def after(self, seat: int, call: Action) -> "Standing":
        """Return what stands after one more call."""
        bid, bidder, partner, out, late, made = self
        if call == PASS:
            return Standing(bid, bidder, partner, out | 1 << seat, bool(out >> seat & 1), made + 1)
        if call == COP:
            return Standing(bid, bidder, seat, out, late, made + 1)
        return Standing(call, seat, NOBODY, out, late, made + 1)


NOTHING_BID: Final = Standing()


class Turn:
    """A moment of an auction: what stands, whose turn it is (nobody's at the end), and his calls.

    The same moment is always the same object, so that what follows is worked out once.
    """

    __slots__ = ("_following", "calls", "contract", "eldest", "rules", "seat", "standing")

    def __init__(
        self,
        rules: "AuctionRules",
        standing: Standing,
        seat: int,
        eldest: int,
        calls: tuple[Action, ...],
    ) -> None:
        self.rules, self.standing, self.seat, self.eldest = rules, standing, seat, eldest
        self.calls, self.contract = calls, standing.contract
        self._following: dict[int, Turn] = {}

    def after(self, call: Action) -> "Turn":
        """Return the turn that follows a call."""
        following = self._following.get(call)
        if following is None:
            following = self._following[call] = self.rules.after(self, call)
        return following


class AuctionRules:
    """How the options have it called: ``ladder`` holds the bids above a proposal, lowest first."""

    def __init__(
        self, seats: int, ladder: tuple[Action, ...], *, prop: bool, uncopped: str, single: bool
    ) -> None:
        self.seats, self.uncopped, self.single = seats, uncopped, single
        self.first = in_order(PASS, PROP, *ladder) if prop else in_order(PASS, *ladder)
        starts = {NOBODY: 0, int(PROP): 0}
        starts |= {int(call): place for place, call in enumerate(ladder, 1)}
        self.above = {bid: in_order(PASS, *ladder[start:]) for bid, start in starts.items()}
        self.accept = in_order(PASS, COP, *ladder)
        self.turns = [[(seat + i) % seats for i in range(1, seats + 1)] for seat in range(seats)]
        self._turns: dict[tuple[Standing, int, int], Turn] = {}

    def opening(self, dealer: int) -> "Turn":
        """Return the first turn of an auction, eldest's."""
        eldest = (dealer + 1) % self.seats
        return self._turn(NOTHING_BID, eldest, eldest)

    def after(self, before: "Turn", call: Action) -> "Turn":
        """Return the turn that follows a call."""
        seat, eldest = before.seat, before.eldest
        now = before.standing.after(seat, call)
        if not self.single:
            now = now._replace(made=0)  # counted where each calls once only
        following = self.next_caller(before.standing, now, seat, eldest)
        return self._turn(now, NOBODY if following is None else following, eldest)

    def _turn(self, standing: Standing, seat: int, eldest: int) -> "Turn":
        known = self._turns.get((standing, seat, eldest))
        if known is None:
            calls = () if seat == NOBODY else self.legal(standing, seat)
            known = self._turns[standing, seat, eldest] = Turn(self, standing, seat, eldest, calls)
        return known

    def legal(self, now: Standing, seat: int) -> tuple[Action, ...]:
        """Return the calls of a seat in turn: pass, propose or accept, or any higher bid."""
        bid = now.bid
        if bid == NOBODY:
            return self.first
        if bid != PROP or now.partner != NOBODY:
            return self.above[bid]
        if seat == now.bidder:
            return (PASS, SOLO) if self.uncopped == "raise_solo" else self.above[PROP]
        if now.out >> seat & 1 and not self.single:
            return (PASS, COP)
        return self.accept

    def next_caller(self, before: Standing, now: Standing, seat: int, eldest: int) -> int | None:
        """Return who calls after a seat has called, or ``None`` when the auction is over."""
        if before.open_prop and seat == before.bidder:
            return None  # asked by himself, a proposer has the last word
        following = (self.once_round if self.single else self.until_settled)(now, seat, eldest)
        if following is None and now.open_prop and self.uncopped != "throw_in":
            return now.bidder
        return following

    def until_settled(self, now: Standing, seat: int, eldest: int) -> int | None:
        """Whoever is not out calls in turn; eldest may accept late, having passed only once."""
        bidder, partner, out = now.bidder, now.partner, now.out
        for following in self.turns[seat]:
            if following not in {bidder, partner} and not out >> following & 1:
                return following
        return eldest if now.open_prop and out >> eldest & 1 and not now.late else None

    def once_round(self, now: Standing, seat: int, eldest: int) -> int | None:
        """Each calls once, eldest again unless his own bid stands or nobody has bid."""
        if now.made < self.seats:
            return self.turns[seat][0]
        again = now.made == self.seats and now.bid != NOBODY and now.bidder != eldest
        return eldest if again else None


def in_order(*calls: Action) -> tuple[Action, ...]:
    """Return calls by their numbers."""
    return tuple(sorted(calls))


def denomination(call: Action) -> int | None:
    """Return the trump suit of an Irish call, ``None`` for no trump and misere."""
    if call == MISERE:
        return None
    suit = DENOMINATIONS.index(call.code.removeprefix("bid:").lstrip("0123456789"))
    return suit if suit < len(FRENCH.suits) else None
