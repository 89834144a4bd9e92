"""A game made up to use what the shipped games may not: a cut, secret discards, declarations."""

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.actions import Action, Actions
from kibitz.cards import FRENCH
from kibitz.deal import Contract, Deal
from kibitz.errors import DeckError
from kibitz.events import What
from kibitz.game import Game, Scores
from kibitz.layout import Layout
from kibitz.options import End, end, option
from kibitz.phases import Choice, Declare, Exchange, Phase, Scored, Trick
from kibitz.placing import sums
from kibitz.shuffle import shuffle

ACTIONS = Actions(
    FRENCH,
    [f"exchange:{n}" for n in range(14)],
    [f"discard:{code}" for code in FRENCH.codes],
    [f"show:{code}" for code in FRENCH.codes],
    ["done"],
    [f"award:{seat}" for seat in range(3)],
)
EXCHANGES, SHOWS = ACTIONS.starting("exchange"), ACTIONS.starting("show")
AWARDS, DONE = ACTIONS.starting("award"), ACTIONS.find("done")
ACES = sum(1 << FRENCH.card("A" + suit) for suit in "CDHS")


@dataclass(frozen=True)
class Toy(Game):
    """Exchange, show aces, play; whoever leads an ace gives the trick away; no ace is discarded."""

    shuffle: str = option("each", "never")
    all_pass: str = option("next_dealer", "same_dealer")
    end: str = end("deals:3", End("deals", step=3))

    name = "toy"
    title = "Toy"
    cards = FRENCH
    actions = ACTIONS
    seats = places = sides = 3

    def layout(self, dealer: int) -> Layout:
        hands = [((dealer + 1 + i) % 3, range(i, 39, 3)) for i in range(3)]
        return Layout(hands, stock=range(51, 38, -1), face_up=[38])

    def needs_cut(self, number: int) -> bool:
        return number % 2 == 0

    def start(self, deal: Deal) -> Phase:
        if deal.cut is not None:
            deal.tell(What.CUT, deal.dealer, deal.cut)
            deal.set_trump(FRENCH.suit[deal.cut])
        return self.ask(deal, deal.dealer)

    def ask(self, deal: Deal, place: int) -> Phase:
        most = min(len(deal.stock), (deal.hands[place] & ~ACES).bit_count())
        return Choice(place, EXCHANGES[: most + 1], "exchange")

    def after_choice(self, deal: Deal, choice: Choice, action: Action) -> Phase:
        if choice.subject == "award":
            trick = choice.then
            assert isinstance(trick, Trick)
            return self.lead(deal, trick, AWARDS.index(action))
        count = EXCHANGES.index(action)
        return Exchange(choice.place, count) if count else self.declare(deal, choice.place)

    def may_discard(self, deal: Deal, hand: int) -> int:
        return hand & ~ACES

    def after_exchange(self, deal: Deal, exchange: Exchange) -> Phase:
        for _ in range(exchange.away.bit_count()):
            deal.draw(exchange.place)
        return self.declare(deal, exchange.place)

    def declare(self, deal: Deal, place: int) -> Phase:
        return Declare(place)

    def may_declare(self, deal: Deal, declare: Declare) -> tuple[Action, ...]:
        last = declare.said[-1].card if declare.said else -1
        hand = deal.hands[declare.place] & ACES
        shows = [one for card, one in enumerate(SHOWS) if hand >> card & 1 and card > (last or 0)]
        return (*shows, DONE)

    def after_declare(self, deal: Deal, declare: Declare) -> Phase:
        if declare.said[-1] != DONE:
            return declare
        place = (declare.place + 1) % 3
        if place != deal.dealer:
            return self.ask(deal, place)
        deal.contract = Contract(place)
        deal.tell(What.CONTRACT, place)
        return Trick.of(self.clockwise(place), deal.trump)

    def after_trick(self, deal: Deal, trick: Trick) -> Phase:
        if ACES >> deal.table[0] & 1:
            return Choice(trick.place, AWARDS, "award", then=trick)
        return self.lead(deal, trick, trick.order[self.wins(deal.table, deal.trump)])

    def lead(self, deal: Deal, trick: Trick, taker: int) -> Phase:
        trick.taken_by(deal, taker)
        if deal.hands[0]:
            return trick.led_by(taker)
        return Scored(tuple(3 * tricks - 13 for tricks in deal.taken))

    def worst(self, offender: int) -> Scores:
        return tuple(-26 if seat == offender else 13 for seat in range(3))

    def returns(self, results: Sequence[Scores]) -> Scores:
        return sums(results, 3)

    def keeps_dealer(self, deal: Deal) -> bool:
        return self.all_pass == "same_dealer" and deal.number == 0

    def gathers(self, before: Deal | None) -> bool:
        return self.shuffle == "never" and before is not None

    def gather(self, before: Deal | None, seed: int | str | bytes) -> list[str]:
        deck = shuffle(self, seed)
        return sorted(deck, key=lambda code: code[1])

    def check_gathered(self, before: Deal | None, deck: Sequence[int]) -> None:
        suits = [FRENCH.suit[card] for card in deck]
        if self.gathers(before) and suits != sorted(suits):
            raise DeckError("the suits do not lie together", reason="NOT_GATHERED")
