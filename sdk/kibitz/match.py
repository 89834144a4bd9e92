"""A match: the run of deals that a game's ``end`` option asks for, in one seating."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import TYPE_CHECKING, Any

from kibitz.deal import Deal
from kibitz.errors import MatchError

if TYPE_CHECKING:
    from kibitz.game import Game
    from kibitz.record import Record

REASON_LENGTH = 500


@dataclass
class Played:
    """A deal that counts: as it was played, or as it was forfeited.

    ``extra`` is written into the record beside the rest. ``actions`` are the decisions as records
    hold them, if whoever played noted them down; else they are read from the deal.
    """

    deal: Deal
    scores: tuple[float, ...]
    forfeit: dict[str, Any] | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    actions: list[list[Any]] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the deal as records hold it."""
        deal = self.deal
        codes, actions = deal.game.cards.codes, self.actions
        if actions is None:
            names = deal.game.actions.names
            actions = [[seat, names[action]] for seat, action in deal.history]
        written: dict[str, Any] = {
            "number": deal.number,
            "dealer": deal.dealer,
            "deck": [codes[card] for card in deal.deck],
            "cut": None if deal.cut is None else codes[deal.cut],
            "actions": actions,
            "scores": whole(self.scores),
        }
        if self.forfeit is not None:
            written["forfeit"] = self.forfeit
        return {**self.extra, **written}


class Match:
    """A match being played.

    Ask :meth:`new_deal` for the next deal, play it, and hand it to :meth:`finish` (or
    :meth:`forfeit`), until ``over``. ``results`` holds the scores of the deals so far, ``totals``
    their sums, ``number`` and ``dealer`` belong to the next deal.
    """

    def __init__(self, game: "Game", seats: Sequence[str] = ()) -> None:
        if seats and len(seats) != game.seats:
            raise MatchError(f"{game.name} has {game.seats} seats, not {len(seats)}")
        self.game = game
        self.seats = tuple(seats) or tuple(f"seat {seat}" for seat in range(game.seats))
        self.played: list[Played] = []
        self.results: list[tuple[float, ...]] = []
        self.totals: tuple[float, ...] = (0,) * game.seats
        self.dealer = 0
        self.over = False

    @property
    def number(self) -> int:
        """The number of the next deal, from 0."""
        return len(self.played)

    @property
    def returns(self) -> tuple[float, ...] | None:
        """The zero-sum result by seat, or ``None`` while the match is not over."""
        return self.game.returns(self.results) if self.over else None

    @property
    def gathers(self) -> bool:
        """Whether the next deck is gathered from the last deal instead of shuffled anew."""
        return self.game.gathers(self.before)

    @property
    def before(self) -> Deal | None:
        """The last deal, unless there is none or it was forfeited."""
        if not self.played or self.played[-1].forfeit is not None:
            return None
        return self.played[-1].deal

    def new_deal(self, deck: Sequence[object], cut: object = None) -> Deal:
        """Return the next deal of the match, dealt from a deck.

        Raises:
            MatchError: the match is over.
            DeckError: the deck is wrong, or cannot have been gathered from the last deal.
        """
        if self.over:
            raise MatchError(f"the match is over after {self.number} deals", reason="MATCH_OVER")
        deal = self.game.new_deal(
            deck,
            self.dealer,
            self.number,
            cut,
            totals=self.totals,
            points=self.game.points(self.results),
        )
        self.game.check_gathered(self.before, deal.deck)
        return deal

    def finish(
        self, deal: Deal, *, actions: list[list[Any]] | None = None, **extra: Any
    ) -> tuple[float, ...]:
        """Count a deal that is over; return its scores.

        Args:
            deal: the deal.
            actions: its decisions as records hold them (seat, code), if they were noted down.
            extra: what goes into the record besides.

        Raises:
            MatchError: the deal is not over, or is not the next of this match.
        """
        if deal.scores is None:
            raise MatchError(f"deal {deal.number} is not over", reason="DEAL_NOT_OVER")
        self._count(Played(deal, deal.scores, None, extra, actions))
        if self.game.keeps_dealer(deal):
            self.dealer = deal.dealer
        return deal.scores

    def forfeit(
        self,
        deal: Deal,
        seat: int,
        reason: str,
        *,
        actions: list[list[Any]] | None = None,
        **extra: Any,
    ) -> tuple[float, ...]:
        """Count a deal that a seat has forfeited; return the scores it gets.

        ``actions`` and ``extra`` are as for :meth:`finish`.

        Raises:
            MatchError: there is no such seat, or the deal is over or not the next of this match.
        """
        if type(seat) is not int or not 0 <= seat < self.game.seats:
            raise MatchError(f"there is no seat {seat!r:.20} in {self.game.name}")
        if deal.over:
            raise MatchError(
                f"deal {deal.number} is over and cannot be forfeited", reason="DEAL_OVER"
            )
        scores = self.game.worst(seat)
        forfeit = {"seat": seat, "reason": reason[:REASON_LENGTH]}
        self._count(Played(deal, scores, forfeit, extra, actions))
        return scores

    def forfeit_match(
        self, seat: int, reason: str, decks: Iterable[Any], deal: Deal | None = None
    ) -> None:
        """Forfeit all deals that are left, one by one, until the match is over.

        ``deal`` is the deal under way, if any; ``decks`` are those of the deals after it, each a
        deck or a pair (deck, cut card).

        Raises:
            MatchError: the decks do not last to the end of the match.
        """
        if deal is not None:
            self.forfeit(deal, seat, reason)
        left = iter(decks)
        while not self.over:
            entry = next(left, None)
            if entry is None:
                raise MatchError(
                    f"the match is not over after {self.number} deals, and no deck is left",
                    reason="NO_DECK",
                )
            paired = len(entry) == 2 and not isinstance(entry[0], (str, int))
            deck, cut = entry if paired else (entry, None)
            self.forfeit(self.new_deal(deck, cut), seat, reason)

    def _count(self, played: Played) -> None:
        deal = played.deal
        if self.over:
            raise MatchError(f"the match is over after {self.number} deals", reason="MATCH_OVER")
        if (deal.game, deal.number, deal.dealer) != (self.game, self.number, self.dealer):
            raise MatchError(
                f"the next deal is number {self.number} of {self.game.name} with dealer"
                f" {self.dealer}, not number {deal.number} with dealer {deal.dealer}"
            )
        self.played.append(played)
        self.results.append(played.scores)
        self.totals = tuple(map(add, self.totals, played.scores))
        self.dealer = (self.dealer + 1) % self.game.seats
        self.over = self.game.finished(self.results)

    def record(self, **extra: Any) -> "Record":
        """Return the record of the match so far; ``extra`` are further keys to write into it."""
        from kibitz.record import Record  # noqa: PLC0415  # records replay matches

        return Record.of(self, extra)

    def __repr__(self) -> str:
        state = f"over, returns {self.returns}" if self.over else f"deal {self.number} next"
        return f"<Match of {self.game.name}, {state}>"


def whole(scores: Iterable[float]) -> list[float]:
    """Return scores as records write them: whole numbers without a point."""
    return [int(score) if score == int(score) else score for score in scores]
