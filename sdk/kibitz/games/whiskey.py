"""Whiskey, by Elliot Grant: an auction for three, and a dummy that is turned up as they call."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kibitz.actions import Action, Actions
from kibitz.cards import FRENCH
from kibitz.deal import Contract, Deal
from kibitz.events import What
from kibitz.game import Game, Scores
from kibitz.layout import Layout
from kibitz.options import End, end, option, whole
from kibitz.phases import Auction, Choice, Phase, Scored, Trick
from kibitz.placing import target_reached, target_returns
from kibitz.relabel import Relabelling, exchanges

DUMMY: Final = 3
ACTIONS: Final = Actions(
    FRENCH,
    ["pass", "double", "redouble"],
    [f"bid:{n}" for n in range(1, 14)],
    [f"{aim}:{suit}" for aim in ("win", "lose") for suit in ("C", "D", "H", "S", "NT")],
)
PASS: Final = ACTIONS.find("pass")
DOUBLE: Final = ACTIONS.find("double")
REDOUBLE: Final = ACTIONS.find("redouble")
BIDS: Final = ACTIONS.starting("bid")
ANNOUNCEMENTS: Final = ACTIONS.starting("win") + ACTIONS.starting("lose")


@dataclass(frozen=True)
class WhiskeyOptions(Game):
    """What can be agreed on before a match of Whiskey."""

    first_call: str = option("dealer", "left")
    end_passes: int = option(3, 2)
    end: str = end("deals:12", End("deals", step=3), End("target"))
    max_deals: int = whole(200)


class Whiskey(WhiskeyOptions):
    """Three players; the bid is a number of tricks to win, or to lose, exactly."""

    name = "whiskey"
    title = "Whiskey"
    cards = FRENCH
    actions = ACTIONS
    seats = 3
    sides = 3
    places = 4

    def layout(self, dealer: int) -> Layout:
        """One card at a time to dealer's left, right, the dealer and the dummy."""
        places = ((dealer + 1) % 3, (dealer + 2) % 3, dealer, DUMMY)
        return Layout([(place, range(i, 52, 4)) for i, place in enumerate(places)])

    def relabellings(self, number: int) -> tuple[Relabelling, ...]:
        """All suits are alike: trumps are announced, and bids name none."""
        return exchanges(4)

    def start(self, deal: Deal) -> Phase:
        """Two cards of the dummy are turned up, and the dealer calls first."""
        self.expose(deal, 0, 2)
        return Auction(deal.dealer if self.first_call == "dealer" else (deal.dealer + 1) % 3)

    def expose(self, deal: Deal, first: int, end: int) -> None:
        """Turn up some of the dummy's thirteen cards, in the order they were dealt."""
        for card in deal.deck[3::4][first:end]:
            deal.turn_up(card, DUMMY)

    def may_call(self, deal: Deal, auction: Auction) -> tuple[Action, ...]:
        """Pass, double another's bid, redouble one's own, or bid higher."""
        bidder, bid, stake, *_ = deal.contract
        calls = (PASS, *BIDS[bid:])
        if bid and stake == 1 and bidder != auction.place:
            return (PASS, DOUBLE, *BIDS[bid:])
        if stake == 2 and bidder == auction.place:
            return (PASS, REDOUBLE, *BIDS[bid:])
        return calls

    def after_call(self, deal: Deal, auction: Auction) -> Phase:
        """Each call turns up a card of the dummy; passes in a row end the auction."""
        seat, call = auction.calls[-1]
        made = len(auction.calls)
        self.expose(deal, made + 1, made + 2)
        if call >= BIDS[0]:
            deal.contract = Contract(seat, BIDS.index(call) + 1)
        elif call != PASS:
            deal.contract = deal.contract._replace(stake=2 * deal.contract.stake)
        else:
            needed = self.end_passes if deal.contract.bid else 3
            if made >= needed and all(call == PASS for _, call in auction.calls[-needed:]):
                return self.settle(deal, made)
        return auction.ask((seat + 1) % 3)

    def settle(self, deal: Deal, calls: int) -> Phase:
        """Thrown in without a bid; else declarer sees the whole dummy and announces."""
        declarer, bid, *_ = deal.contract
        if not bid:
            return Scored((0, 0, 0))
        self.expose(deal, calls + 2, 13)
        deal.tell(What.CONTRACT, declarer, BIDS[bid - 1])
        return Choice(declarer, ANNOUNCEMENTS)

    def after_choice(self, deal: Deal, choice: Choice, action: Action) -> Phase:
        """The dummy sits opposite declarer, who plays its cards; declarer's left leads."""
        lose, suit = divmod(ANNOUNCEMENTS.index(action), 5)
        deal.contract = deal.contract._replace(name="lose" if lose else "win")
        deal.set_trump(None if suit == 4 else suit)
        declarer, left, right = self.clockwise(choice.place)
        deal.players = (0, 1, 2, declarer)
        return Trick.of((left, DUMMY, right, declarer), deal.trump)

    def after_trick(self, deal: Deal, trick: Trick) -> Phase:
        """The winner leads to the next trick, the dummy too; all thirteen are played."""
        winner = trick.won(deal)
        return trick.led_by(winner) if deal.hands[0] else self.score(deal)

    def score(self, deal: Deal) -> Scored:
        """Only declarer scores, by how far the tricks won or lost are off the bid."""
        declarer, bid, stake, _, aim = deal.contract
        won = deal.taken[declarer] + deal.taken[DUMMY]
        value = stake * self.value(bid, 13 - won if aim == "lose" else won)
        return Scored(tuple(value if seat == declarer else 0 for seat in range(3)))

    def value(self, bid: int, achieved: int) -> int:
        """Return the bid if exact, half of it (rounded up) off by one, lost beyond that."""
        half = (bid + 1) // 2
        return {0: bid, 1: half, 2: -half}.get(abs(achieved - bid), -bid)

    def worst(self, offender: int) -> Scores:
        """Thirteen redoubled, and far off."""
        return tuple(-52 if seat == offender else 0 for seat in range(3))

    def finished(self, results: Sequence[Scores]) -> bool:
        """After N deals, or when somebody reaches the target."""
        return target_reached(results, 3, self.goal, self.max_deals)

    def returns(self, results: Sequence[Scores]) -> Scores:
        """Three times one's total less the sum of all; to a target by placing."""
        return target_returns(results, 3, self.goal)
