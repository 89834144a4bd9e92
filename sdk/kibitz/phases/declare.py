"""A declaration in small open steps."""

from typing import TYPE_CHECKING, Final

from kibitz.actions import Action
from kibitz.events import What, encode
from kibitz.phases.phase import Phase

if TYPE_CHECKING:
    from kibitz.deal import Deal

DECLARED: Final = tuple(encode(What.DECLARED, place, 0) for place in range(16))
SHOWN: Final = tuple(encode(What.SHOWN, place, 0) for place in range(16))


class Declare(Phase):
    """A seat says and shows things one by one; ``said`` holds its steps so far.

    ``game.may_declare(deal, declare)`` says which steps may follow; after each,
    ``game.after_declare(deal, declare)`` returns the same phase to go on, or another.
    """

    __slots__ = ("said",)

    def __init__(self, place: int, said: tuple[Action, ...] = ()) -> None:
        self.place = place
        self.said = said

    def legal(self, deal: "Deal") -> tuple[Action, ...]:
        """Whatever the game allows."""
        return deal.game.may_declare(deal, self)

    def apply(self, deal: "Deal", action: int) -> Phase:
        """Take the step; a ``show:`` step shows its card."""
        step = deal.game.all_actions[action]
        deal.log.append(DECLARED[self.place] + action)
        if step.card is not None:
            deal.log.append(SHOWN[self.place] + step.card)
        return deal.game.after_declare(deal, Declare(self.place, (*self.said, step)))

    def __repr__(self) -> str:
        return f"Declare({self.place}, {list(self.said)})"
