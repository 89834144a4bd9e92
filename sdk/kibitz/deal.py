"""One deal being played: where every card is, what has happened, and whose turn it is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kibitz.actions import Action
from kibitz.cards import BIT, mask_of, members
from kibitz.errors import IllegalActionError, RulesError
from kibitz.events import ACTIONS, HIDDEN, SIGHTS, STOCK, Event, What, encode
from kibitz.phases.phase import Phase, Scored
from kibitz.view import SeatLog, View

if TYPE_CHECKING:
    from kibitz.game import Game


class Contract(NamedTuple):
    """What a deal is played for, in games that have a declarer; games use what they need."""

    declarer: int = -1
    bid: int = 0
    stake: int = 1
    partner: int = -1
    name: str = ""


class Deal:
    """A deal: its cards, and everything that happened, from the deal on.

    Make one with ``game.new_deal``. ``turn`` is the seat that decides and ``place`` the place whose
    card or call it is (they differ for a dummy's cards); ``turn`` is ``None`` when the deal is
    over, and ``scores`` then holds a score for each seat.

    For the rules of games there are ``hands`` (a mask for each place), ``stock`` (cards left to
    draw, top first), ``table`` (cards on the table in this trick), ``taken`` (tricks of each
    place), ``players`` (the seat that decides for each place), ``trump`` (suit index or ``None``),
    ``contract``, and ``notes`` (numbers of the game's own). Only ``hands``, ``taken``, ``table``
    and ``log`` are lists, and copies have their own; the others are changed by assignment.
    """

    __slots__ = (
        "_seen",
        "contract",
        "cut",
        "dealer",
        "deck",
        "game",
        "hands",
        "log",
        "notes",
        "number",
        "phase",
        "place",
        "players",
        "points",
        "scores",
        "stock",
        "table",
        "taken",
        "totals",
        "trump",
        "turn",
    )

    def __init__(
        self,
        game: "Game",
        deck: tuple[int, ...],
        dealer: int,
        number: int,
        cut: int | None,
        totals: tuple[float, ...],
        points: tuple[int, ...],
    ) -> None:
        """Deal the cards; use ``game.new_deal``, which checks its arguments."""
        self.game, self.deck, self.dealer, self.number = game, deck, dealer, number
        self.cut, self.totals, self.points = cut, totals, points
        self.table: list[int] = []
        self.taken = [0] * game.places
        self.players: tuple[int, ...] = game.everyone
        self.trump: int | None = None
        self.contract = Contract()
        self.notes: tuple[int, ...] = ()
        self.scores: tuple[float, ...] | None = None
        self._seen: list[SeatLog | None] = [None] * game.seats
        self.hands = [0] * game.places
        self.log: list[int] = []
        self._deal_cards()
        self.phase: Phase = game.start(self)
        self.place = self.phase.place
        self.turn: int | None = self.players[self.place]

    def _deal_cards(self) -> None:
        layout, deck, log, bit = (
            self.game.layouts[self.dealer],
            self.deck,
            self.log,
            BIT.__getitem__,
        )
        for place, pick, told in layout.deals:
            cards = pick(deck)
            self.hands[place] = sum(map(bit, cards))
            log += map(told, cards)
        for index, place, position in layout.face_up:
            log[index] = encode(What.DEALT, place, deck[position])
        self.stock = tuple([deck[position] for position in layout.stock])

    def copy(self) -> "Deal":
        """Return a deal in the same state that goes its own way."""
        twin: Deal = object.__new__(Deal)
        twin.game, twin.deck, twin.dealer, twin.number = (
            self.game,
            self.deck,
            self.dealer,
            self.number,
        )
        twin.cut, twin.totals, twin.points = self.cut, self.totals, self.points
        twin.players, twin.trump, twin.contract = self.players, self.trump, self.contract
        twin.notes, twin.scores, twin.stock = self.notes, self.scores, self.stock
        twin.phase, twin.place, twin.turn = self.phase, self.place, self.turn
        twin.hands, twin.taken = self.hands[:], self.taken[:]
        twin.table, twin.log = self.table[:], self.log[:]
        twin._seen = [None] * len(self._seen)
        return twin

    __copy__ = copy

    # Deciding.

    @property
    def over(self) -> bool:
        """Whether the deal has been scored."""
        return self.turn is None

    def legal(self) -> tuple[Action, ...]:
        """Return what may be done now, by rising number; nothing when the deal is over."""
        return self.phase.legal(self)

    def codes(self) -> list[str]:
        """Return the codes of what may be done now."""
        return [action.code for action in self.legal()]

    def play(self, action: object) -> None:
        """Take an action, given as a code, a number or an :class:`~kibitz.Action`.

        Raises:
            ActionError: the game has no such action.
            IllegalActionError: it may not be done now; says what may.
        """
        found = self.game.actions.find(action)
        if found not in self.legal():
            raise IllegalActionError(found.code, self.codes())
        self.apply(found)

    def apply(self, action: int) -> None:
        """Take the number of an action that is known to be legal; nothing is checked."""
        after = self.phase.apply(self, action)
        if after is not None:
            self.phase = after
            self.place = place = after.place
            if place >= 0:
                self.turn = self.players[place]
            else:
                self._end(after)

    def _end(self, phase: Phase) -> None:
        if not isinstance(phase, Scored):
            raise RulesError(f"{self.game.name}: nobody is to act in {phase}")
        self.turn, self.scores = None, phase.scores

    # What happened, and who knows it.

    @property
    def events(self) -> list[Event]:
        """The whole truth so far."""
        return [Event.from_code(code) for code in self.log]

    def seen(self, seat: int, start: int = 0) -> list[Event]:
        """Return what a seat has seen, from the event numbered ``start`` on; it only grows."""
        sight = SIGHTS[seat + 1]
        return [sight[code] for code in self.log[start:]]

    def public(self, start: int = 0) -> list[Event]:
        """Return what everybody has seen, from the event numbered ``start`` on."""
        return self.seen(-1, start)

    def view(self, seat: int) -> View:
        """Return what a seat may know now, and what it may do if it is its turn."""
        seen = self._seen[seat]
        if seen is None:
            seen = self._seen[seat] = SeatLog(
                self.game, seat, self.dealer, self.number, self.totals
            )
        events = seen.events
        log = self.log
        events.extend(map(seen.sight, log[len(events) :]))
        legal = self.phase.legal(self) if seat == self.turn else ()
        return View(seen, len(log), legal, self.scores)

    @property
    def history(self) -> list[tuple[int, int]]:
        """The decisions so far: the seat that decided and the action's number."""
        players = self.players
        return [
            (players[event.place], event.detail) for event in self.events if event.what in ACTIONS
        ]

    def hand(self, place: int) -> tuple[int, ...]:
        """Return the cards that a place really holds, in rising order."""
        return tuple(members(self.hands[place]))

    def dealt(self, place: int) -> int:
        """Return the mask of the cards that a place was dealt before the first decision."""
        return mask_of(
            self.deck[position]
            for one, positions in self.game.layouts[self.dealer].hands
            if one == place
            for position in positions
        )

    # What the rules of a game do to a deal.

    def tell(self, what: What, place: int, detail: int = HIDDEN, to: int | None = None) -> None:
        """Say that something happened; ``to`` is the only place whose player sees the detail."""
        self.log.append(encode(what, place, detail, to))

    def draw(self, place: int, count: int = 1, *, face_up: bool = False) -> tuple[int, ...]:
        """Move cards from the top of the stock to a place, seen by its player or by all."""
        cards, self.stock = self.stock[:count], self.stock[count:]
        for card in cards:
            self.hands[place] |= BIT[card]
            self.tell(What.DEALT, place, card, None if face_up else place)
        return cards

    def turn_up(self, cards: Sequence[int], place: int = STOCK) -> None:
        """Turn up the next cards of the stock, or of a place in the order it was dealt them."""
        for card in cards:
            self.tell(What.TURNED, place, card)

    def show(self, place: int) -> None:
        """Lay a place's hand open; it stays so."""
        for card in members(self.hands[place]):
            self.tell(What.SHOWN, place, card)

    def set_trump(self, suit: int | None) -> None:
        """Fix the trump suit of the deal (an index, or ``None``) and say so."""
        self.trump = suit
        self.tell(What.TRUMP, self.dealer, HIDDEN if suit is None else suit)

    def __repr__(self) -> str:
        state = f"scores {self.scores}" if self.over else f"turn {self.turn}, {self.phase}"
        return f"<Deal {self.number} of {self.game.name}, dealer {self.dealer}, {state}>"
