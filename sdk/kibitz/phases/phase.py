"""What all phases of a deal have in common."""

from abc import ABCMeta, abstractmethod
from typing import TYPE_CHECKING, Final

from kibitz.actions import Action
from kibitz.errors import RulesError

if TYPE_CHECKING:
    from kibitz.deal import Deal

NOBODY: Final = -1


class Phase(metaclass=ABCMeta):
    """A stretch of a deal with one kind of decision: an immutable value.

    A phase says whose place it is and what is legal, tells the action as an event, and hands over
    to the game, whose method for this kind of phase says what comes next.
    """

    __slots__ = ("place",)

    place: int
    """The place that acts first in this phase."""

    @abstractmethod
    def legal(self, deal: "Deal") -> tuple[Action, ...]:
        """Return the actions that may be taken now, by rising number."""

    @abstractmethod
    def apply(self, deal: "Deal", action: int) -> "Phase | None":
        """Take a legal action; return the phase that follows, or ``None`` if this one goes on."""


class Scored(Phase):
    """The end of a deal, with a score for each seat."""

    __slots__ = ("scores",)

    def __init__(self, scores: tuple[float, ...]) -> None:
        self.place = NOBODY
        self.scores = scores

    def legal(self, deal: "Deal") -> tuple[Action, ...]:
        """Nothing is legal any more."""
        return ()

    def apply(self, deal: "Deal", action: int) -> "Phase | None":
        """Nothing can be done any more.

        Raises:
            RulesError: always.
        """
        raise RulesError(f"{deal.game.name}: action {action} after the end of a deal")

    def __repr__(self) -> str:
        return f"Scored({self.scores})"
