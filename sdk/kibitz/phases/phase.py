"""What all phases of a deal have in common."""

from typing import TYPE_CHECKING

from kibitz.actions import Action

if TYPE_CHECKING:
    from kibitz.deal import Deal

NOBODY = -1


class Phase:
    """A stretch of a deal with one kind of decision: an immutable value.

    A phase says whose place it is and what is legal, tells the action as an event, and hands over
    to the game, whose method for this kind of phase says what comes next.
    """

    __slots__ = ("place",)

    place: int
    """The place that acts first in this phase."""

    def legal(self, deal: "Deal") -> tuple[Action, ...]:
        """Return the actions that may be taken now, by rising number."""
        raise NotImplementedError

    def apply(self, deal: "Deal", action: int) -> "Phase | None":
        """Take a legal action; return the phase that follows, or ``None`` if this one goes on."""
        raise NotImplementedError


class Scored(Phase):
    """The end of a deal, with a score for each seat."""

    __slots__ = ("scores",)

    def __init__(self, scores: tuple[float, ...]) -> None:
        self.place = NOBODY
        self.scores = scores

    def legal(self, deal: "Deal") -> tuple[Action, ...]:
        """Nothing is legal any more."""
        return ()

    def __repr__(self) -> str:
        return f"Scored({self.scores})"
