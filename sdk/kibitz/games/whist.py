"""Whist: four players in two fixed partnerships, thirteen plain tricks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kibitz.actions import Actions
from kibitz.cards import FRENCH
from kibitz.deal import Deal
from kibitz.events import What
from kibitz.game import Game, Scores
from kibitz.layout import Layout
from kibitz.options import End, end, option, several
from kibitz.phases import Phase, Scored, Trick
from kibitz.placing import sums
from kibitz.relabel import Relabelling, exchanges

SUITS: Final = ("C", "D", "H", "S", "NT")
SHOWN: Final = What.SHOWN  # members of enumerations are slow to look up
GAME: Final = 5  # the points of a game of a rubber


@dataclass(frozen=True)
class WhistOptions(Game):
    """What can be agreed on before a match of Whist."""

    trump: str = option("turn_up", "cycle")
    cycle: tuple[str, ...] = several(("H", "C", "D", "S"), SUITS)
    honours: bool = option(False, True)
    end: str = end("deals:16", End("deals", step=4), End("game"), End("rubber", only=5))


class Whist(WhistOptions):
    """Classic whist; the score of a side stands at both of its seats."""

    name = "whist"
    title = "Whist"
    cards = FRENCH
    actions = Actions(FRENCH)
    presets = {  # noqa: RUF012
        "american": {"end": "game:7", "honours": False},
        "short": {"end": "game:5", "honours": True},
        "long": {"end": "game:10", "honours": True},
        "rotating_trumps": {"trump": "cycle"},
    }
    seats = 4
    places = 4
    sides = 2

    def layout(self, dealer: int) -> Layout:
        """One card at a time from dealer's left; dealer's last may be turned face up."""
        hands = [((dealer + 1 + i) % 4, range(i, 52, 4)) for i in range(4)]
        return Layout(hands, face_up=[51] if self.trump == "turn_up" else [])

    def relabellings(self, number: int) -> tuple[Relabelling, ...]:
        """All suits are alike, but trumps that go by the number of the deal stay."""
        trump = self.trump_of(number)
        return exchanges(4, [] if trump is None else [trump])

    def trump_of(self, number: int) -> int | None:
        """Return the trump suit of a deal as far as its number says it."""
        if self.trump == "turn_up":
            return None
        suit = self.cycle[number % len(self.cycle)]
        return None if suit == "NT" else SUITS.index(suit)

    def start(self, deal: Deal) -> Phase:
        """Trumps are the suit of the last card dealt, or go by the number of the deal."""
        if self.trump == "turn_up":
            deal.tell(SHOWN, deal.dealer, deal.deck[51])
            deal.set_trump(FRENCH.suit[deal.deck[51]])
        else:
            deal.set_trump(self.trump_of(deal.number))
        return Trick.of(self.clockwise((deal.dealer + 1) % 4), deal.trump)

    def after_trick(self, deal: Deal, trick: Trick) -> Phase:
        """The winner leads to the next trick, thirteen times."""
        winner = trick.won(deal)
        return trick.led_by(winner) if deal.hands[0] else self.score(deal)

    def score(self, deal: Deal) -> Scored:
        """A point for each trick above six, then honours, unless tricks decide the game."""
        tricks = deal.taken[0] + deal.taken[2]
        points = [max(0, tricks - 6), max(0, 7 - tricks)]
        limit = self.limit
        if self.honours and not (
            limit and any(deal.points[side] + points[side] >= limit for side in (0, 1))
        ):
            for side, honours in enumerate(self.honours_of(deal)):
                if not (limit and deal.points[side] >= limit - 1):
                    points[side] += {3: 2, 4: 4}.get(honours, 0)
        return Scored((points[0], points[1], points[0], points[1]))

    @property
    def limit(self) -> int:
        """The points that win a game; 0 for matches of a number of deals."""
        kind, n = self.goal
        return n if kind in {"game", "rubber"} else 0

    def honours_of(self, deal: Deal) -> tuple[int, int]:
        """Return how many of A K Q J of trumps each side was dealt."""
        if deal.trump is None:
            return (0, 0)
        honours = 0b1111 << (13 * deal.trump + 9)
        held = [(deal.dealt(seat) & honours).bit_count() for seat in range(4)]
        return (held[0] + held[2], held[1] + held[3])

    def worst(self, offender: int) -> Scores:
        """All tricks lost, and the honours too where they count."""
        other = 11 if self.honours else 7
        return tuple(0 if (seat - offender) % 2 == 0 else other for seat in range(4))

    def finished(self, results: Sequence[Scores]) -> bool:
        """After N deals, a game, or two games of a rubber won."""
        kind, n = self.goal
        if kind == "deals":
            return len(results) >= n
        if kind == "game":
            return max(sums(results, 2)) >= n
        won, _ = self.rubber(results)
        return len(won) - sum(side for side, _ in won) == 2 or sum(side for side, _ in won) == 2

    def points(self, results: Sequence[Scores]) -> tuple[int, ...]:
        """Each side's points in the current game; all points where there are no games."""
        if self.goal[0] == "rubber":
            return self.rubber(results)[1]
        first, second = sums(results, 2)
        return (int(first), int(second))

    def rubber(self, results: Sequence[Scores]) -> tuple[list[tuple[int, int]], tuple[int, int]]:
        """Return the games won, as (side, value), and the points in the game that goes on."""
        won: list[tuple[int, int]] = []
        points = [0, 0]
        for scores in results:
            points = [points[0] + int(scores[0]), points[1] + int(scores[1])]
            if max(points) >= GAME:
                side = points.index(max(points))
                other = points[1 - side]
                won.append((side, 3 if other == 0 else 2 if other <= 2 else 1))
                points = [0, 0]
        return won, (points[0], points[1])

    def returns(self, results: Sequence[Scores]) -> Scores:
        """Own side's points less the other's; for a game won +1; rubbers by their points."""
        kind, _ = self.goal
        if kind == "rubber":
            won, _ = self.rubber(results)
            balance = sum(-value if side else value for side, value in won)
            result = balance + (-2 if won[-1][0] else 2)
        else:
            first, second = sums(results, 2)
            result = int(first - second)
            if kind == "game":
                result = 1 if first > second else -1
        return (result, -result, result, -result)
