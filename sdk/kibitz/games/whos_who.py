"""Who's Who, by David Parlett: the middle card wins, and nobody knows who plays with whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kibitz.actions import Action, Actions
from kibitz.cards import french, mask_of
from kibitz.deal import Contract, Deal
from kibitz.events import What
from kibitz.game import Game, Scores
from kibitz.layout import Layout
from kibitz.options import End, end, option, whole
from kibitz.phases import Choice, Phase, Scored, Trick
from kibitz.placing import target_reached, target_returns
from kibitz.relabel import Relabelling, exchanges

if TYPE_CHECKING:
    from kibitz.view import View

PACK: Final = french("X1", "X2")
JOKERS: Final = (52, 53)
JOKER_CARDS: Final = mask_of(JOKERS)
ACTIONS: Final = Actions(PACK, [f"award:{seat}" for seat in range(3)])
AWARDS: Final = ACTIONS.starting("award")


@dataclass(frozen=True)
class WhosWhoOptions(Game):
    """What can be agreed on before a match of Who's Who."""

    pack: int = option(42, 54)
    objective: str = option("2006", "revised")
    end: str = end("deals:12", End("deals", step=3), End("target"))
    max_deals: int = whole(200)


class WhosWho(WhosWhoOptions):
    """Three players; in each deal one of them, decided by the Jokers, plays against the others."""

    name = "whos_who"
    title = "Who's Who"
    cards = PACK
    actions = ACTIONS
    seats = 3
    places = 3
    sides = 3

    def used_cards(self) -> tuple[int, ...]:
        """Ace down to five in each suit, or down to two, and both Jokers."""
        lowest = 3 if self.pack == 42 else 0
        plain = (card for card in range(52) if PACK.strength[card] >= lowest)
        return (*plain, *JOKERS)

    def layout(self, dealer: int) -> Layout:
        """One card at a time from dealer's left, until all are dealt."""
        count = len(self.deck)
        return Layout([((dealer + 1 + i) % 3, range(i, count, 3)) for i in range(3)])

    def relabellings(self, number: int) -> tuple[Relabelling, ...]:
        """All suits are alike, as there are no trumps; Jokers stay Jokers."""
        return exchanges(4)

    def start(self, deal: Deal) -> Phase:
        """Dealer's left leads; there are no trumps. The Jokers have settled the roles."""
        deal.contract = Contract(self.soloist(deal.hands))
        return Trick.of(self.clockwise((deal.dealer + 1) % 3))

    def soloist(self, hands: Sequence[int]) -> int:
        """Return who has both Jokers, or else neither."""
        jokers = [(hand & JOKER_CARDS).bit_count() for hand in hands]
        return jokers.index(2) if 2 in jokers else jokers.index(0)

    def may_play(self, deal: Deal, hand: int) -> int:
        """Lead no Joker while there is another card; follow suit if able, except to a Joker."""
        if not deal.table:
            return hand & ~JOKER_CARDS or hand
        led = deal.table[0]
        return hand if led in JOKERS else super().may_play(deal, hand)

    def after_trick(self, deal: Deal, trick: Trick) -> Phase:
        """A trick with a Joker is awarded: by its player, or by the soloist if both were played."""
        jokers = [i for i, card in enumerate(deal.table) if card in JOKERS]
        if not jokers:
            return self.lead(deal, trick.led_by(trick.won(deal)))
        alone = len(jokers) == 1
        return Choice(trick.order[jokers[0]] if alone else deal.contract.declarer, AWARDS)

    def after_choice(self, deal: Deal, choice: Choice, action: Action) -> Phase:
        """Whoever is given the trick leads to the next."""
        taker = AWARDS.index(action)
        trick = Trick.of(self.clockwise(taker))
        trick.taken_by(deal, taker)
        return self.lead(deal, trick)

    def lead(self, deal: Deal, trick: Trick) -> Phase:
        """All cards are played, since the score depends on every trick."""
        return trick if deal.hands[trick.place] else self.score(deal)

    def wins(self, cards: list[int], trump: int | None) -> int:
        """The second highest card of the suit led wins; the leader's if nobody followed."""
        led = PACK.suit[cards[0]]
        followed = sorted(
            (PACK.strength[card], i) for i, card in enumerate(cards) if PACK.suit[card] == led
        )
        return followed[-2][1] if len(followed) > 1 else 0

    def score(self, deal: Deal) -> Scored:
        """Ten and the soloist's tricks, for the soloist or for each of the partners."""
        solo = deal.contract.declarer
        tricks = deal.taken[solo]
        low, high = sorted(deal.taken[seat] for seat in range(3) if seat != solo)
        succeeded = self.succeeds(tricks, low, high)
        return Scored(tuple(10 + tricks if (seat == solo) == succeeded else 0 for seat in range(3)))

    def succeeds(self, tricks: int, low: int, high: int) -> bool:
        """Return whether the soloist, between or apart from the partners' tricks, has succeeded."""
        if self.objective == "revised" and tricks >= (8 if self.pack == 42 else 10):
            return True
        return low < tricks < high or low == high != tricks

    def worst(self, offender: int) -> Scores:
        """The highest score that the partners can make, for both of the others."""
        most = {"2006": (23, 27), "revised": (17, 19)}[self.objective][self.pack == 54]
        return tuple(0 if seat == offender else most for seat in range(3))

    def finished(self, results: Sequence[Scores]) -> bool:
        """After N deals, or when somebody has the target."""
        return target_reached(results, 3, self.goal, self.max_deals)

    def returns(self, results: Sequence[Scores]) -> Scores:
        """Three times one's total less the sum of all; to a target by placing."""
        return target_returns(results, 3, self.goal)

    def partners(self, view: "View", seat: int) -> tuple[int, ...]:
        """The two who are not the soloist, once that can be told from the Jokers."""
        solo = self.observe(view, "soloist")
        if solo is None or solo == seat:
            return ()
        return tuple(other for other in range(3) if other not in {solo, seat})

    def observe(self, view: "View", name: str) -> object:
        """Know one's ``role`` (a text, or ``None``) and the ``soloist`` (a seat, or ``None``)."""
        holders = self._jokers(view)
        solo: int | None = None
        if len(holders) == 2:
            one, other = holders.values()
            solo = one if one == other else 3 - one - other
        if name == "soloist":
            return solo
        if name == "role":
            if solo is None:
                return "partner" if view.seat in holders.values() else None
            return "soloist" if solo == view.seat else "partner"
        return super().observe(view, name)

    def _jokers(self, view: "View") -> dict[int, int]:
        # The own Jokers as dealt, and those that have been played.
        return {
            event.detail: event.place
            for event in view.events
            if event.detail in JOKERS
            and (
                event.what is What.PLAYED or (event.what is What.DEALT and event.place == view.seat)
            )
        }
