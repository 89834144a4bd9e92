"""What one seat may know when it decides."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kibitz.actions import Action
from kibitz.errors import EventsError
from kibitz.events import EVENTS, Event
from kibitz.fold import Fold
from kibitz.layout import Secret

if TYPE_CHECKING:
    from kibitz.game import Game


_EVENT: Final = EVENTS.__getitem__


class SeatLog:
    """The events of one deal as one seat saw them: it only grows, and views share it."""

    __slots__ = (
        "dealer",
        "dealt",
        "events",
        "fold",
        "game",
        "imagining",
        "log",
        "number",
        "points",
        "seat",
        "secrets",
        "table",
        "totals",
    )

    def __init__(
        self,
        game: "Game",
        seat: int,
        dealer: int,
        number: int,
        totals: tuple[float, ...],
        points: tuple[int, ...],
        table: str,
        log: list[int],
        dealt: bytes = b"",
        secrets: Sequence[Secret] = (),
    ) -> None:
        self.game, self.seat, self.dealer, self.number = game, seat, dealer, number
        self.totals, self.points, self.table = totals, points, table
        self.events: list[Event] = []
        # What everybody sees, and what only this seat sees instead: its cards, and more.
        self.log, self.dealt, self.secrets = log, dealt, secrets
        self.fold: Fold | None = None
        self.imagining: object = None

    def follow(self, before: "SeatLog", count: int) -> None:
        """Take over what was worked out from the first ``count`` events of another log."""
        self.events = before.events[:count]
        self.table = before.table
        if before.fold is not None and before.fold.count <= count:
            self.fold = before.fold

    def upto(self, count: int) -> list[Event]:
        """Return the seat's events, at least ``count`` of them."""
        events = self.events
        start = len(events)
        if start < count:
            codes = self.log[start:]
            if not start:
                layout = self.game.layouts[self.dealer]
                for index, code in layout.secrets(self.dealt, self.seat):
                    codes[index] = code
            for index, code in reversed(self.secrets):
                if index < start:
                    break
                codes[index - start] = code
            events.extend(map(_EVENT, codes))
        return events

    def folded(self, count: int) -> Fold:
        """Return what the first ``count`` events come to."""
        fold = self.fold
        if fold is not None and fold.count == count:
            return fold
        fresh = fold is None or fold.count > count
        fold = Fold(self.game, self.seat) if fold is None or fresh else fold.copy()
        try:
            fold.advance(self.upto(count)[fold.count : count])
        except (LookupError, ValueError, TypeError) as error:
            raise EventsError(f"event {fold.count} of the deal cannot be: {error}") from error
        self.fold = fold
        return fold


class View:
    """All that a seat may know at one moment, worked out from what it has seen.

    Cards and calls are :class:`~kibitz.Action` values: numbers that know their code, suit and rank.
    ``legal`` is what the seat may do now (empty when it is not its turn), ``scores`` the result
    once the deal is over.
    """

    __slots__ = ("_count", "_log", "legal", "scores")

    def __init__(
        self,
        log: SeatLog,
        count: int,
        legal: tuple[Action, ...] = (),
        scores: tuple[float, ...] | None = None,
    ) -> None:
        self._log = log
        self._count = count
        self.legal = legal
        self.scores = scores

    @classmethod
    def from_events(
        cls,
        game: "Game",
        seat: int,
        dealer: int,
        number: int,
        events: Sequence[Event],
        legal: Sequence[int] = (),
        totals: Sequence[float] = (),
        table: str = "",
        scores: tuple[float, ...] | None = None,
        points: Sequence[int] = (),
    ) -> "View":
        """Make a view from a seat's own events, as the protocol carries them."""
        of_sides = tuple(points) or (0,) * game.sides
        log = SeatLog(game, seat, dealer, number, tuple(totals), of_sides, table, [])
        log.events += events
        return cls(log, len(log.events), game.actions.numbered(legal), scores)

    def then(
        self,
        events: Sequence[Event],
        legal: Sequence[int] = (),
        scores: tuple[float, ...] | None = None,
    ) -> "View":
        """Return the view after some more events; cheaper than making it anew.

        Raises:
            ValueError: this is not the latest view of its deal.
        """
        log = self._log
        seen = log.events
        if log.log or self._count != len(seen):
            raise ValueError("events can be added to the latest view of a deal only")
        seen += events
        return View(log, len(seen), log.game.actions.numbered(legal), scores)

    def at_table(self, table: str) -> "View":
        """Name the table of this deal's views, this one and those to come; return this one."""
        self._log.table = table
        return self

    # The deal.

    @property
    def game(self) -> "Game":
        """The game with its options."""
        return self._log.game

    @property
    def seat(self) -> int:
        """The seat whose view this is."""
        return self._log.seat

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return self._log.dealer

    @property
    def number(self) -> int:
        """The number of the deal in its match, from 0."""
        return self._log.number

    @property
    def totals(self) -> tuple[float, ...]:
        """The scores of the match before this deal, by seat."""
        return self._log.totals

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each side in the game under way, where a match is played in games."""
        return self._log.points

    @property
    def table(self) -> str:
        """A text that is the same for all views of one table; set by whoever runs the match."""
        return self._log.table

    @property
    def events(self) -> list[Event]:
        """All that the seat has seen, in order."""
        return self._log.upto(self._count)[: self._count]

    @property
    def fold(self) -> Fold:
        """What the events come to, as masks and numbers, for bots in a hurry; do not change it."""
        return self._log.folded(self._count)

    # Cards.

    @property
    def hand(self) -> list[Action]:
        """The seat's own cards."""
        return list(self.game.actions.cards(self.fold.hand))

    @property
    def place(self) -> int:
        """The place whose card or call it is: the seat itself, or a dummy it plays for."""
        fold, legal = self.fold, self.legal
        if legal and legal[0].is_card and not fold.hand >> legal[0] & 1:
            for place, shown in enumerate(fold.shown):
                if shown >> legal[0] & 1:
                    return place
        return self.seat

    @property
    def trick(self) -> list[tuple[int, Action]]:
        """The cards on the table, as (place, card) in the order played."""
        actions = self.game.actions
        return [(place, actions[card]) for place, card in self.fold.trick]

    @property
    def led(self) -> Action | None:
        """The card that was led to this trick, if any is on the table."""
        trick = self.fold.trick
        return self.game.actions[trick[0][1]] if trick else None

    @property
    def tricks(self) -> list[tuple[int, list[tuple[int, Action]]]]:
        """The tricks over: (place that took it, its cards as in ``trick``)."""
        actions = self.game.actions
        return [
            (taker, [(place, actions[card]) for place, card in cards])
            for taker, cards in self.fold.tricks
        ]

    @property
    def taken(self) -> list[int]:
        """How many tricks each place has taken."""
        return self.fold.taken[:]

    @property
    def played(self) -> list[Action]:
        """All cards played so far, those on the table too, by rising number."""
        return list(self.game.actions.cards(self.fold.played))

    @property
    def unseen(self) -> list[Action]:
        """The cards whose place the seat does not know: not its own, shown, played or laid away."""
        return list(self.game.actions.cards(self.fold.unseen))

    @property
    def shown(self) -> list[list[Action]]:
        """The cards that everybody knows each place to hold."""
        cards = self.game.actions.cards
        return [list(cards(mask)) for mask in self.fold.shown]

    @property
    def held(self) -> list[int]:
        """How many cards each place holds."""
        return self.fold.held[:]

    @property
    def turned(self) -> list[Action]:
        """The face-up cards of the stock, top first."""
        return [self.game.actions[card] for card in self.fold.turned]

    @property
    def stock(self) -> int:
        """How many cards are left to draw."""
        return self.fold.stock

    # Calls and contract.

    @property
    def trump(self) -> str | None:
        """The trump suit as a text, or ``None`` when there is none or it is not known yet."""
        suit, suits = self.fold.trump, self.game.cards.suits
        return suits[suit] if suit is not None and suit < len(suits) else None

    @property
    def calls(self) -> list[tuple[int, Action]]:
        """All calls and choices so far, as (seat, action)."""
        actions = self.game.actions
        return [(seat, actions[action]) for seat, action in self.fold.calls]

    @property
    def declarer(self) -> int | None:
        """The seat that plays for a contract, if there is one."""
        return self.fold.declarer

    @property
    def contract(self) -> Action | None:
        """The call that the declarer plays for, if there is one."""
        contract = self.fold.contract
        return None if contract is None else self.game.actions[contract]

    def partners(self, seat: int | None = None) -> tuple[int, ...]:
        """Return the seats that play with a seat (by default its own), as far as this one knows."""
        return self.game.partners(self, self.seat if seat is None else seat)

    def would_win(self, card: int) -> bool:
        """Return whether a card, played now, would be the best of the trick so far; no call is."""
        if card >= len(self.game.cards.codes):
            return False
        table = [on_table for _, on_table in self.fold.trick]
        return self.game.wins([*table, card], self.fold.trump) == len(table)

    def state(self, name: str) -> object:
        """Return a fact that only some games have, by name; each game documents its own.

        Raises:
            KeyError: the game has no such fact.
        """
        return self.game.observe(self, name)

    def known(self, place: int) -> list[Action]:
        """Return the cards that this seat knows a place to hold."""
        fold = self.fold
        mask = fold.hand if place == self.seat else fold.shown[place]
        return list(self.game.actions.cards(mask))

    def __repr__(self) -> str:
        hand = " ".join(map(str, self.hand))
        return f"<View of seat {self.seat}, {self.game.name} deal {self.number}: {hand}>"
