"""Three-Handed Whist of Illinois (Tribello): four rounds, and a quota of tricks for each seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kibitz.actions import Action, Actions
from kibitz.cards import FRENCH
from kibitz.deal import Deal
from kibitz.events import What
from kibitz.game import Game, Scores
from kibitz.layout import Layout
from kibitz.options import option
from kibitz.phases import Choice, Exchange, Phase, Scored, Trick
from kibitz.placing import sums
from kibitz.relabel import Relabelling, exchanges

if TYPE_CHECKING:
    from kibitz.view import View

ACTIONS: Final = Actions(
    FRENCH,
    [f"trump:{suit}" for suit in FRENCH.suits],
    [f"exchange:{k}" for k in range(14)],
    [f"discard:{code}" for code in FRENCH.codes],
)
TRUMPS: Final = ACTIONS.starting("trump")
EXCHANGES: Final = ACTIONS.starting("exchange")
QUOTAS: Final = (6, 4, 3)  # of the dealer, of dealer's left and of dealer's right


def round_of(number: int) -> int:
    """Return the round that a deal belongs to, from 1 to 4."""
    return number // 3 + 1


@dataclass(frozen=True)
class ThreeHandedWhistOptions(Game):
    """What can be agreed on before a match of Three-Handed Whist."""

    cut: str = option("independent", "bottom")
    name_trump: str = option("before", "after")
    end: str = option("full")


class ThreeHandedWhist(ThreeHandedWhistOptions):
    """Three players, twelve deals: trumps cut, trumps named, no trumps, and tricks to avoid."""

    name = "three_handed_whist"
    title = "Three-Handed Whist"
    cards = FRENCH
    actions = ACTIONS
    seats = 3
    places = 3
    sides = 3
    schedule = 12

    def layout(self, dealer: int) -> Layout:
        """Left, right, the pickup pile and the dealer in turn; the pile is drawn from its top."""
        hands = [
            ((dealer + 1) % 3, range(0, 52, 4)),
            ((dealer + 2) % 3, range(1, 52, 4)),
            (dealer, range(51, 0, -4)),
        ]
        return Layout(hands, stock=range(50, 0, -4))

    def needs_cut(self, number: int) -> bool:
        """In the first round, unless the bottom of the pack is the card cut."""
        return round_of(number) == 1 and self.cut == "independent"

    def relabellings(self, number: int) -> tuple[Relabelling, ...]:
        """All suits are alike: trumps are cut or named."""
        return exchanges(4)

    def start(self, deal: Deal) -> Phase:
        """The card cut gives trumps in round 1; in round 2 dealer may have to name them first."""
        match round_of(deal.number):
            case 1 if deal.cut is not None:
                deal.tell(What.CUT, deal.dealer, deal.cut)
                deal.set_trump(FRENCH.suit[deal.cut])
            case 1:
                deal.turn_up(deal.deck[51], deal.dealer)
                deal.set_trump(FRENCH.suit[deal.deck[51]])
            case 2 if self.name_trump == "before":
                return Choice(deal.dealer, TRUMPS, "trump")
        return self.ask(deal, deal.dealer)

    def ask(self, deal: Deal, seat: int) -> Phase:
        """Ask a seat how many cards it exchanges, while there is a pile; then dealer leads."""
        if deal.stock:
            return Choice(seat, EXCHANGES[: len(deal.stock) + 1], "exchange")
        return Trick.of(self.clockwise(deal.dealer), deal.trump)

    def after_choice(self, deal: Deal, choice: Choice, action: Action) -> Phase:
        """Trumps are named, or so many cards are discarded before as many are drawn."""
        if choice.subject == "trump":
            deal.set_trump(TRUMPS.index(action))
            dealer = deal.dealer
            return self.ask(deal, dealer if self.name_trump == "before" else (dealer + 1) % 3)
        count = EXCHANGES.index(action)
        return Exchange(choice.place, count) if count else self.exchanged(deal, choice.place)

    def after_exchange(self, deal: Deal, exchange: Exchange) -> Phase:
        """The discards are replaced from the top of the pile."""
        for _ in range(exchange.away.bit_count()):
            deal.draw(exchange.place)
        return self.exchanged(deal, exchange.place)

    def exchanged(self, deal: Deal, seat: int) -> Phase:
        """Dealer, dealer's left and dealer's right exchange in turn."""
        dealer, _, right = self.clockwise(deal.dealer)
        if seat == dealer and round_of(deal.number) == 2 and self.name_trump == "after":
            return Choice(dealer, TRUMPS, "trump")
        if seat == right:
            return Trick.of(self.clockwise(dealer), deal.trump)
        return self.ask(deal, (seat + 1) % 3)

    def after_trick(self, deal: Deal, trick: Trick) -> Phase:
        """The winner leads to the next trick; all thirteen are played."""
        winner = trick.won(deal)
        return trick.led_by(winner) if deal.hands[winner] else self.score(deal)

    def score(self, deal: Deal) -> Scored:
        """Tricks above the quota; in round 4 below it, and the quotas go the other way."""
        nullo = round_of(deal.number) == 4
        scores = [0, 0, 0]
        for seat, quota in zip(self.clockwise(deal.dealer), self.quotas(nullo), strict=True):
            over = deal.taken[seat] - quota
            scores[seat] = -over if nullo else over
        return Scored(tuple(scores))

    def quotas(self, nullo: bool) -> tuple[int, ...]:
        """Return how many tricks dealer, left and right are bound to."""
        return QUOTAS[::-1] if nullo else QUOTAS

    def worst(self, offender: int) -> Scores:
        """All tricks taken by the dealer in the round that avoids them."""
        return tuple(-10 if seat == offender else 5 for seat in range(3))

    def finished(self, results: Sequence[Scores]) -> bool:
        """After four rounds of three deals."""
        return len(results) >= self.schedule

    def returns(self, results: Sequence[Scores]) -> Scores:
        """The points, which are zero-sum."""
        return sums(results, 3)

    def observe(self, view: "View", name: str) -> object:
        """Know the ``round`` of the deal, and each seat's ``quota`` of tricks in it."""
        if name == "round":
            return round_of(view.number)
        if name == "quota":
            quotas = self.quotas(round_of(view.number) == 4)
            return tuple(quotas[(seat - view.dealer) % 3] for seat in range(3))
        return super().observe(view, name)
