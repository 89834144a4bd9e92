"""One deal being played: where every card is, what has happened, and whose turn it is."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kibitz.actions import Action
from kibitz.cards import BIT, mask_of, members
from kibitz.errors import IllegalActionError, RulesError
from kibitz.events import ACTIONS, EVENTS, HIDDEN, STOCK, Event, What, addressed_to, encode
from kibitz.layout import Secret
from kibitz.phases.phase import Phase, Scored
from kibitz.view import SeatLog, View

if TYPE_CHECKING:
    from kibitz.game import Game


DEALT: Final = tuple(encode(What.DEALT, place) for place in range(16))
TURNED: Final = tuple(encode(What.TURNED, place, 0) for place in range(16))
SHOWN: Final = tuple(encode(What.SHOWN, place, 0) for place in range(16))
REVEALED: Final = tuple(encode(What.REVEALED, place, 0) for place in range(16))
TRUMP: Final = tuple(encode(What.TRUMP, place, 0) for place in range(16))
_NEVER: Final = 1 << 30


class Contract(NamedTuple):
    """What a deal is played for, in games that have a declarer; games use what they need."""

    declarer: int = -1
    bid: int = 0
    stake: int = 1
    partner: int = -1
    name: str = ""


_NO_CONTRACT: Final = Contract()


class Deal:
    """A deal: its cards, and everything that happened, from the deal on.

    Make one with ``game.new_deal``. ``turn`` is the seat that decides and ``place`` the place whose
    card or call it is (they differ for a dummy's cards); ``turn`` is ``None`` when the deal is
    over, and ``scores`` then holds a score for each seat.

    For the rules of games there are ``hands`` (a mask for each place), ``stock`` (cards left to
    draw, top first), ``table`` (cards on the table in this trick), ``taken`` (tricks of each
    place), ``players`` (the seat that decides for each place), ``trump`` (suit index or ``None``),
    ``contract``, and ``notes`` (values of the game's own). Only ``hands``, ``taken``, ``table``
    and ``log`` are lists, and copies have their own; the others are changed by assignment.
    """

    __slots__ = (
        "_dealt",
        "_forked",
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
        "secrets",
        "stock",
        "table",
        "taken",
        "totals",
        "trump",
        "turn",
    )

    hands: list[int]
    stock: tuple[int, ...]
    table: list[int]
    taken: list[int]
    players: tuple[int, ...]
    trump: int | None
    contract: Contract
    notes: Any
    scores: tuple[float, ...] | None
    log: list[int]
    secrets: list[list[Secret]]
    phase: Phase
    place: int
    turn: int | None
    _dealt: list[bytes]
    _seen: list[SeatLog | None]
    _forked: int

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
        """Take the cards; use ``game.new_deal``, which checks its arguments and deals them."""
        self.game, self.deck, self.dealer, self.number = game, deck, dealer, number
        self.cut, self.totals, self.points = cut, totals, points

    def deal_out(self, deck: bytes) -> "Deal":
        """Deal the cards, tell everybody his own, and begin with the first phase of the game."""
        game = self.game
        self.table, self.taken = [], [0] * game.places
        self.players, self.trump, self.contract = game.everyone, None, _NO_CONTRACT
        self.notes, self.scores = (), None
        self._seen, self._forked = [None] * game.seats, _NEVER
        layout = game.layouts[self.dealer]
        self._dealt, self.stock = layout.divide(deck, game.places)
        self.hands = [mask_of(cards) for cards in self._dealt]
        self.log = layout.told[:]
        self.secrets = [[] for _ in game.everyone]
        for index, _, position in layout.face_up:
            self.log[index] += deck[position] + 1
        self.phase = game.start(self)
        self.place = self.phase.place
        self.turn = self.players[self.place]
        return self

    def copy(self) -> "Deal":
        """Return a deal in the same state that goes its own way."""
        twin = Deal(
            self.game, self.deck, self.dealer, self.number, self.cut, self.totals, self.points
        )
        twin.contract, twin.players = self.contract, self.players
        twin.trump, twin.notes = self.trump, self.notes
        twin.scores, twin.stock = self.scores, self.stock
        twin.phase, twin.place, twin.turn = self.phase, self.place, self.turn
        twin.hands, twin.taken = self.hands[:], self.taken[:]
        twin.table, twin.log = self.table[:], self.log[:]
        twin.secrets = [secrets[:] for secrets in self.secrets]
        twin._dealt, twin._seen = self._dealt, self._seen[:]
        twin._forked = min(self._forked, len(self.log))
        return twin

    def __copy__(self) -> "Deal":
        return self.copy()

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

    def apply(self, action: int) -> int | None:
        """Take the number of an action that is known to be legal; return whose turn it is then.

        Nothing is checked: this is for searching bots and others in a hurry.
        """
        after = self.phase.apply(self, action)
        if after is not None:
            self.phase = after
            self.place = place = after.place
            if place >= 0:
                self.turn = self.players[place]
            else:
                self._end(after)
        return self.turn

    def _end(self, phase: Phase) -> None:
        if not isinstance(phase, Scored):
            raise RulesError(f"{self.game.name}: nobody is to act in {phase}")
        self.turn, self.scores = None, phase.scores

    # What happened, and who knows it.

    @property
    def events(self) -> list[Event]:
        """The whole truth so far."""
        codes = self.log[:]
        layout = self.game.layouts[self.dealer]
        face_up = {index for index, _, _ in layout.face_up}
        for place, secrets in enumerate(self.secrets):
            for index, code in layout.secrets(self._dealt[place], place):
                if index not in face_up:
                    codes[index] = code + addressed_to(place)
            for index, code in secrets:
                codes[index] = code + addressed_to(place)
        return [EVENTS[code] for code in codes]

    def wire(self, seat: int, start: int = 0) -> list[int]:
        """Return what a seat has seen as wire codes, from the event numbered ``start`` on."""
        codes = self.log[start:]
        if start < len(self.deck):  # what was dealt at first comes to no more than that
            layout = self.game.layouts[self.dealer]
            if start < len(layout.told):
                for index, code in layout.secrets(self._dealt[seat], seat):
                    if index >= start:
                        codes[index - start] = code
        own = self.secrets[seat]
        if own and own[-1][0] >= start:
            for index, code in reversed(own):
                if index < start:
                    break
                codes[index - start] = code
        return codes

    def seen(self, seat: int, start: int = 0) -> list[Event]:
        """Return what a seat has seen, from the event numbered ``start`` on; it only grows."""
        return [EVENTS[code] for code in self.wire(seat, start)]

    def public(self, start: int = 0) -> list[Event]:
        """Return what everybody has seen, from the event numbered ``start`` on."""
        return [EVENTS[code] for code in self.log[start:]]

    def view(self, seat: int) -> View:
        """Return what a seat may know now, and what it may do if it is its turn."""
        seen = self._seen[seat]
        log = self.log
        if seen is None or seen.log is not log:
            seen = self._seen[seat] = self._seat_log(seat, seen)
        turn = self.turn
        legal = self.phase.legal(self) if turn is not None and turn == seat else ()
        return View(seen, len(log), legal, self.scores)

    def _seat_log(self, seat: int, before: SeatLog | None) -> SeatLog:
        # What was worked out for the deal that this one was copied from holds up to there.
        dealt = self._dealt[seat]
        game, log, secrets = self.game, self.log, self.secrets[seat]
        dealer, number, totals, points = self.dealer, self.number, self.totals, self.points
        seen = SeatLog(game, seat, dealer, number, totals, points, "", log, dealt, secrets)
        if before is not None:
            seen.follow(before, self._forked)
        return seen

    @property
    def history(self) -> list[tuple[int, int]]:
        """The decisions so far: the seat that decided and the action's number."""
        codes, players = self.log[:], self.players  # ``Event.code`` says what the bits are
        for secrets in self.secrets:
            for index, code in secrets:
                codes[index] = code
        return [
            (players[code >> 12 & 15], (code & 4095) - 1) for code in codes if code >> 16 in ACTIONS
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

    def tell(self, what: What, place: int, detail: int = HIDDEN, *, secret: bool = False) -> None:
        """Say that something happened; of a secret only the place's own player sees the detail."""
        kind: int = what  # a plain number where this is compiled
        hidden = kind << 16 | place << 12  # as in ``Event.code``
        if secret:
            self.secrets[place].append((len(self.log), hidden + detail + 1))
            self.log.append(hidden)
        else:
            self.log.append(hidden + detail + 1)

    def draw(self, place: int, *, face_up: bool = False) -> int:
        """Move the top card of the stock to a place, seen by its player or by all; return it."""
        stock = self.stock
        card = stock[0]
        self.stock = stock[1:]
        self.hands[place] |= BIT[card]
        log = self.log
        hidden = DEALT[place]
        if face_up:
            log.append(hidden + card + 1)
        else:
            self.secrets[place].append((len(log), hidden + card + 1))
            log.append(hidden)
        return card

    def turn_up(self, card: int, place: int = STOCK) -> None:
        """Turn up the next card of the stock, or of a place in the order it was dealt them."""
        self.log.append(TURNED[place] + card)

    def show(self, place: int) -> None:
        """Lay a place's hand open; it stays so."""
        self.log.extend([SHOWN[place] + card for card in members(self.hands[place])])

    def reveal(self, cards: int, place: int) -> None:
        """Show to all, at the end, cards that lay hidden at a place or in the stock."""
        self.log.extend([REVEALED[place] + card for card in members(cards)])

    def set_trump(self, suit: int | None) -> None:
        """Fix the trump suit of the deal (an index, or ``None``) and say so."""
        self.trump = suit
        self.log.append(TRUMP[self.dealer] + (HIDDEN if suit is None else suit))

    def __repr__(self) -> str:
        state = f"scores {self.scores}" if self.over else f"turn {self.turn}, {self.phase}"
        return f"<Deal {self.number} of {self.game.name}, dealer {self.dealer}, {state}>"
