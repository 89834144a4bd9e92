"""A single open choice: an announcement, a trump suit, the taker of a trick."""

from typing import TYPE_CHECKING, Final

from kibitz.actions import Action
from kibitz.events import What, encode
from kibitz.phases.phase import Phase

if TYPE_CHECKING:
    from kibitz.deal import Deal

CHOSE: Final = tuple(encode(What.CHOSE, place, 0) for place in range(16))


class Choice(Phase):
    """One seat picks one of several actions; ``game.after_choice`` says what follows.

    ``subject`` tells apart the choices of a game that has several; ``then`` is a phase kept for
    afterwards, for choices that interrupt something.
    """

    __slots__ = ("among", "subject", "then")

    def __init__(
        self, place: int, among: tuple[Action, ...], subject: str = "", then: Phase | None = None
    ) -> None:
        self.place = place
        self.among = among
        self.subject = subject
        self.then = then

    def legal(self, deal: "Deal") -> tuple[Action, ...]:
        """All of the choices."""
        return self.among

    def apply(self, deal: "Deal", action: int) -> Phase:
        """Make the choice."""
        deal.log.append(CHOSE[self.place] + action)
        return deal.game.after_choice(deal, self, deal.game.all_actions[action])

    def __repr__(self) -> str:
        return f"Choice({self.place}, {self.subject!r}, {list(self.among)})"
