"""Laying away cards one by one, seen by nobody else."""

from typing import TYPE_CHECKING, Final

from kibitz.actions import Action
from kibitz.cards import BIT
from kibitz.events import What, encode
from kibitz.phases.phase import Phase

if TYPE_CHECKING:
    from kibitz.deal import Deal

DISCARDED: Final = tuple(encode(What.DISCARDED, place) for place in range(16))


class Exchange(Phase):
    """A seat discards ``left`` more cards; ``away`` is the mask of those it has laid away.

    ``game.may_discard(deal, hand)`` says which cards may go. After the last
    ``game.after_exchange(deal, exchange)`` says what follows; drawing is its affair
    (:meth:`~kibitz.deal.Deal.draw`).
    """

    __slots__ = ("away", "left")

    def __init__(self, place: int, left: int, away: int = 0) -> None:
        self.place = place
        self.left = left
        self.away = away

    def legal(self, deal: "Deal") -> tuple[Action, ...]:
        """A discard of each card that may go."""
        game = deal.game
        return game.discarded.of(game.may_discard(deal, deal.hands[self.place]))

    def apply(self, deal: "Deal", action: int) -> Phase:
        """Lay the card away; only its owner sees which."""
        game, place, log = deal.game, self.place, deal.log
        bit = BIT[game.actions.card_of(action)]
        deal.hands[place] ^= bit
        deal.secrets[place].append((len(log), DISCARDED[place] + action + 1))
        log.append(DISCARDED[place])
        after = Exchange(place, self.left - 1, self.away | bit)
        return after if after.left else game.after_exchange(deal, after)

    def __repr__(self) -> str:
        return f"Exchange({self.place}, left={self.left})"
