"""German Whist: win good cards from the stock, then win tricks with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kibitz.actions import Actions
from kibitz.cards import french
from kibitz.deal import Deal
from kibitz.game import Game, Scores
from kibitz.layout import Layout
from kibitz.options import End, end, option, whole
from kibitz.phases import Phase, Scored, Trick
from kibitz.placing import against_all, by_place, sums
from kibitz.relabel import Relabelling, exchanges

PACK: Final = french("XL", "XH")
JOKERS: Final = PACK.suit[-1]
TRUMPS: Final = tuple(suit | PACK.suit_masks[JOKERS] for suit in PACK.suit_masks)


@dataclass(frozen=True)
class GermanWhistOptions(Game):
    """What can be agreed on before a match of German Whist."""

    follow1: bool = option(True, False)
    count: str = option("stage2", "all")
    jokers: bool = option(False, True)
    hand_score: str = option("win", "margin", "over6", "tricks")
    end: str = end("hands:10", End("hands", step=2), End("points"))
    max_deals: int = whole(200)


class GermanWhist(GermanWhistOptions):
    """Two players; thirteen tricks that win cards, then thirteen that count."""

    name = "german_whist"
    title = "German Whist"
    cards = PACK
    actions = Actions(PACK)
    presets = {"honeymoon": {"follow1": False, "count": "all", "jokers": True}}  # noqa: RUF012
    seats = 2
    places = 2
    sides = 2

    def relabellings(self, number: int) -> tuple[Relabelling, ...]:
        """All suits are alike; trumps are those of the card turned up."""
        return exchanges(4)

    def check(self) -> None:
        """Scores by single tricks are made for the thirteen tricks of stage 2."""
        if self.hand_score in {"over6", "tricks"} and self.count == "all":
            raise self.clash(f"hand_score={self.hand_score} needs count=stage2", "count")

    def used_cards(self) -> tuple[int, ...]:
        """The Jokers only when they are asked for."""
        return tuple(range(54 if self.jokers else 52))

    def layout(self, dealer: int) -> Layout:
        """Thirteen each, singly, non-dealer first; the rest is the stock."""
        hands = [(1 - dealer, range(0, 26, 2)), (dealer, range(1, 26, 2))]
        return Layout(hands, stock=range(26, len(self.deck)))

    def start(self, deal: Deal) -> Phase:
        """The top of the stock is turned up: its suit is trumps. Non-dealer leads."""
        deal.turn_up(deal.stock[0])
        deal.set_trump(PACK.suit[deal.stock[0]])
        return Trick.of((1 - deal.dealer, deal.dealer), deal.trump)

    def after_trick(self, deal: Deal, trick: Trick) -> Phase:
        """The winner draws the card turned up, the loser the next unseen; the winner leads."""
        winner = trick.won(deal)
        if self.jokers and self.count == "all" and deal.taken[winner] == 14:
            return self.score(deal)
        if deal.stock:
            deal.draw(winner, face_up=True)
            deal.draw(1 - winner)
            if deal.stock:
                deal.turn_up(deal.stock[0])
            elif self.count == "stage2":
                deal.notes = tuple(deal.taken)
        return trick.led_by(winner) if deal.hands[0] else self.score(deal)

    def may_play(self, deal: Deal, hand: int) -> int:
        """Follow suit if able, in stage 1 if the option says so; Jokers are trumps."""
        table = deal.table
        if not table or (deal.stock and not self.follow1):
            return hand
        follow = PACK.same_suit[table[0]]
        if self.jokers and follow & TRUMPS[deal.trump or 0]:
            follow = TRUMPS[deal.trump or 0]
        return hand & follow or hand

    def wins(self, cards: list[int], trump: int | None) -> int:
        """The second card must be higher in the suit led, or a trump."""
        worth = self._values[trump][cards[0]]
        return int(len(cards) > 1 and worth[cards[1]] > worth[cards[0]])

    def ranking(self, trump: int | None, led: int) -> Sequence[int]:
        """Jokers are the highest trumps, or a suit that beats every other."""
        plain = super().ranking(trump, led)
        return [*plain[:52], 213, 214]

    def score(self, deal: Deal) -> Scored:
        """By majority, or by counted tricks."""
        before = deal.notes or (0, 0)
        mine, yours = (deal.taken[seat] - before[seat] for seat in (0, 1))
        return Scored(self.value(mine, yours))

    def value(self, mine: int, yours: int) -> Scores:
        """Return the scores for the counted tricks of both seats."""
        match self.hand_score:
            case "win":
                sign = (mine > yours) - (mine < yours)
                return (sign, -sign)
            case "margin":
                return (mine - yours, yours - mine)
            case "over6":
                return (max(0, mine - 6), max(0, yours - 6))
            case _:
                return (mine, yours)

    def worst(self, offender: int) -> Scores:
        """Every counted trick lost."""
        lost = 13 if self.count == "stage2" else 14 if self.jokers else 26
        low, high = self.value(0, lost)
        return (low, high) if offender == 0 else (high, low)

    def finished(self, results: Sequence[Scores]) -> bool:
        """After N hands, or when one has the goal that both together have not."""
        kind, n = self.goal
        if kind == "hands":
            return len(results) >= n
        goal, totals = n, (0.0, 0.0)
        for scores in results:
            totals = (totals[0] + scores[0], totals[1] + scores[1])
            while min(totals) >= goal:
                goal += 10
        return max(totals) >= goal or len(results) >= self.max_deals

    def returns(self, results: Sequence[Scores]) -> Scores:
        """The points, own less the other's where they are not zero-sum; `points:N` by placing."""
        totals = sums(results, 2)
        if self.goal[0] == "points":
            return by_place(totals)
        return totals if self.hand_score in {"win", "margin"} else against_all(totals)
