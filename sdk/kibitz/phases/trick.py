"""One trick: each place in turn plays a card."""

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from kibitz.actions import Action
from kibitz.cards import BIT
from kibitz.events import What, encode
from kibitz.phases.phase import NOBODY, Phase

if TYPE_CHECKING:
    from kibitz.deal import Deal

PLAYED: Final = tuple(encode(What.PLAYED, place, 0) for place in range(16))
WON: Final = tuple(encode(What.WON, place) for place in range(16))


class Trick(Phase):
    """A trick with an order of places and a trump suit (an index, or ``None``).

    The cards on the table are kept in the deal, so one value serves all tricks alike: ask
    :meth:`of` for it. When the last card is down ``game.after_trick`` says what follows; it should
    begin with ``trick.won(deal)``, unless somebody is to decide first who takes the trick.
    """

    __slots__ = ("_led_by", "following", "order", "trump")

    def __init__(self, order: tuple[int, ...], trump: int | None = None) -> None:
        self.place = order[0]
        self.order = order
        self.trump = trump
        following = [NOBODY] * (max(order) + 1)
        for place, after in pairwise(order):
            following[place] = after
        self.following = tuple(following)
        self._led_by: dict[int, Trick] = {}

    @classmethod
    def of(cls, order: tuple[int, ...], trump: int | None = None) -> "Trick":
        """Return the trick played in this order with this trump suit."""
        trick = _TRICKS.get((order, trump))
        if trick is None:
            trick = _TRICKS[order, trump] = cls(order, trump)
        return trick

    def led_by(self, place: int) -> "Trick":
        """Return the trick that goes round the same way, led by a place."""
        trick = self._led_by.get(place)
        if trick is None:
            first = self.order.index(place)
            order = self.order[first:] + self.order[:first]
            trick = self._led_by[place] = Trick.of(order, self.trump)
        return trick

    def legal(self, deal: "Deal") -> tuple[Action, ...]:
        """Whatever the game allows of the hand."""
        game = deal.game
        cards, mask = game.played, game.may_play(deal, deal.hands[deal.place])
        return cards.known.get(mask) or cards.of(mask)

    def apply(self, deal: "Deal", action: int) -> Phase | None:
        """Lay the card on the table."""
        place, hands = deal.place, deal.hands
        hands[place] = hands[place] ^ BIT[action]  # quicker than ^= where this is compiled
        deal.log.append(PLAYED[place] + action)
        deal.table.append(action)
        after = self.following[place]
        if after < 0:
            return deal.game.after_trick(deal, self)
        deal.place = after
        deal.turn = deal.players[after]
        return None

    def won(self, deal: "Deal") -> int:
        """Give the trick to the place whose card wins it, and return that place."""
        winner = self.order[deal.game.wins(deal.table, self.trump)]
        taken = deal.taken
        taken[winner] = taken[winner] + 1
        deal.log.append(WON[winner])
        deal.table = []
        return winner

    def taken_by(self, deal: "Deal", place: int) -> None:
        """Give the trick to a place."""
        deal.taken[place] += 1
        deal.log.append(WON[place])
        deal.table = []

    def __repr__(self) -> str:
        return f"Trick({self.order}, trump={self.trump})"


_TRICKS: Final[dict[tuple[tuple[int, ...], int | None], Trick]] = {}
