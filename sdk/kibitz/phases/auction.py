"""An auction: seats call in turn, in the open."""

from typing import TYPE_CHECKING, Final

from kibitz.actions import Action
from kibitz.events import What, encode
from kibitz.phases.phase import Phase

if TYPE_CHECKING:
    from kibitz.deal import Deal


CALLED: Final = tuple(encode(What.CALLED, place, 0) for place in range(16))


Call = tuple[int, Action]
"""A call of an auction: who, and the action."""


class Auction(Phase):
    """The calls so far, and the place that calls next.

    ``game.may_call(deal, auction)`` says what may be called; after each call
    ``game.after_call(deal, auction)`` returns ``auction.ask(seat)`` to go on, or another phase.
    """

    __slots__ = ("calls",)

    def __init__(self, place: int, calls: tuple[Call, ...] = ()) -> None:
        self.place = place
        self.calls = calls

    def ask(self, seat: int) -> "Auction":
        """Return the auction with a seat to call next."""
        return Auction(seat, self.calls)

    def legal(self, deal: "Deal") -> tuple[Action, ...]:
        """Whatever the game allows."""
        return deal.game.may_call(deal, self)

    def apply(self, deal: "Deal", action: int) -> Phase:
        """Make the call."""
        game, place = deal.game, self.place
        deal.log.append(CALLED[place] + action)
        call = (place, game.all_actions[action])
        calls = self.calls + (call,)  # noqa: RUF005  # unpacking is slow where this is compiled
        return game.after_call(deal, Auction(place, calls))

    def __repr__(self) -> str:
        return f"Auction({self.place}, calls={self.calls})"
