"""The rules of a game: what every game has, and what a game may say for itself."""

from abc import ABCMeta, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar

from mypy_extensions import mypyc_attr

from kibitz.actions import Action, Actions, CardActions
from kibitz.cards import Pack, mask_of
from kibitz.deal import Deal
from kibitz.errors import CardError, DeckError, OptionError, RulesError
from kibitz.layout import Layout
from kibitz.options import check_options
from kibitz.phases import Auction, Choice, Declare, Exchange, Phase, Trick
from kibitz.relabel import Relabelling, exchanges

if TYPE_CHECKING:
    from kibitz.match import Match
    from kibitz.view import View

Scores = tuple[float, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(metaclass=ABCMeta):
    """The rules of a game with its options, which are the fields of its frozen dataclass.

    A game must say how cards are dealt (:meth:`layout`) and what comes first (:meth:`start`); then,
    for each kind of phase it uses, what comes after (``after_trick``, ``after_call``,
    ``after_choice``, ``after_exchange``, ``after_declare``): another phase, or
    :class:`~kibitz.phases.Scored`. It also says when a match is over and what it returns.

    ``seats`` is the number of players at the table, ``places`` the hands (a dummy is one more),
    ``players`` how many independent players a duplicate set has, ``deck`` the cards in use.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    cards: ClassVar[Pack]
    actions: ClassVar[Actions]
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    # Not options (this class is no dataclass): a variant may set them for itself.
    seats: int
    places: int
    sides: int
    deck: tuple[int, ...]
    # How many deals there are, where each has rules of its own; 0 if all are alike.
    schedule: int = 0

    # Made from the options.
    all_actions: tuple[Action, ...]
    played: CardActions
    discarded: CardActions
    everyone: tuple[int, ...]
    layouts: tuple[Layout, ...]
    deck_mask: int
    goal: tuple[str, int]

    def __post_init__(self) -> None:
        """Check the options and work out what follows from them."""
        for one in fields(self):  # type: ignore[arg-type]  # heirs are dataclasses
            value = getattr(self, one.name)
            if isinstance(value, list):
                object.__setattr__(self, one.name, tuple(value))
        values = {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]
        check_options(self.name, self, values)
        self.check()
        own: Any = self  # what stands in the class is slower to get, and hidden from compiled code
        object.__setattr__(self, "seats", own.seats)
        object.__setattr__(self, "places", own.places)
        object.__setattr__(self, "sides", own.sides)
        object.__setattr__(self, "schedule", own.schedule)
        self._set("everyone", tuple(range(self.places)))
        self._set("deck", self.used_cards())
        self._set("_every_card", bytes(self.deck))
        self._set("deck_mask", mask_of(self.deck))
        self._set(
            "_rings", tuple((*range(seat, self.seats), *range(seat)) for seat in range(self.seats))
        )
        self._set("layouts", tuple(self.layout(dealer) for dealer in range(self.seats)))
        kind, _, n = str(values["end"]).partition(":")
        self._set("goal", (kind, int(n or 0)))
        suits = range(len(self.cards.suits) + 1)
        worth = {
            trump: [list(self.ranking(trump, led)) for led in suits] for trump in (None, *suits)
        }
        by_card = {trump: [of[suit] for suit in self.cards.suit] for trump, of in worth.items()}
        self._set("_values", by_card)
        self._set("_same_suit", self.cards.same_suit)
        self._set("all_actions", own.actions.all)
        self._set("played", own.actions.played)
        self._set("discarded", own.actions.discarded)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        values = tuple(getattr(self, one.name) for one in fields(self))  # type: ignore[arg-type]
        return type(self), values

    # What users ask of a game.

    @property
    def players(self) -> int:
        """How many independent players a duplicate set has: the sides, or else the seats."""
        return self.sides

    def options(self) -> dict[str, Any]:
        """Return all options, defaults included, as records hold them."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]
        return {
            key: list(value) if isinstance(value, tuple) else value for key, value in values.items()
        }

    def new_deal(
        self,
        deck: Sequence[object],
        dealer: object = 0,
        number: object = 0,
        cut: object = None,
        *,
        totals: Sequence[float] = (),
        points: Sequence[int] = (),
    ) -> Deal:
        """Deal a deck (codes or numbers, the card dealt first in front) and return the deal.

        ``number`` is the number of the deal in its match, ``cut`` the separate cut card of games
        that have one, ``totals`` the scores of the match so far, ``points`` those of the current
        game in rubbers.

        Raises:
            DeckError: cards are wrong, missing or doubled, or there is no such dealer or number.
        """
        cards = self._numbers(deck)
        if type(dealer) is not int or not 0 <= dealer < self.seats:
            raise DeckError(f"dealer must be a seat from 0 to {self.seats - 1}, not {dealer!r:.20}")
        if type(number) is not int or number < 0:
            raise DeckError(f"the number of a deal counts from 0, it cannot be {number!r:.20}")
        if 0 < self.schedule <= number:
            raise DeckError(f"{self.name} has deals 0 to {self.schedule - 1}, no deal {number}")
        needs_cut = self.needs_cut(number)
        shown = self._check_cut(number, cut) if needs_cut or cut is not None else None
        return Deal(
            self,
            tuple(cards),
            dealer,
            number,
            shown,
            tuple(totals) or (0,) * self.seats,
            tuple(points) or (0,) * self.sides,
        ).deal_out(cards)

    def _numbers(self, deck: Sequence[object]) -> bytes:
        every = self._every_card
        try:
            cards = bytes(deck)  # type: ignore[arg-type]  # the quick way for numbers
        except (TypeError, ValueError, MemoryError, OverflowError):
            return self._check_deck(deck)
        if len(cards) != len(every) or every.translate(None, cards):
            return self._check_deck(deck)
        return cards

    def _check_cut(self, number: int, cut: object) -> int | None:
        needs = self.needs_cut(number)
        if needs != (cut is not None):
            raise DeckError(
                f"deal {number} of {self.name} {'needs a' if needs else 'has no'} cut card",
                reason="BAD_CUT",
            )
        try:
            return None if cut is None else self.cards.card(cut)
        except CardError as error:
            raise DeckError(f"cut card: {error}", reason="BAD_CUT") from error

    def _check_deck(self, deck: Sequence[object]) -> bytes:
        if not isinstance(deck, Sequence) or isinstance(deck, str):
            raise DeckError(f"a deck is a list of {len(self.deck)} cards, not {deck!r:.40}")
        if len(deck) > 2 * len(self.deck):
            raise DeckError(f"{self.name} has {len(self.deck)} cards, not {len(deck)}")
        try:
            cards = tuple(self.cards.card(card) for card in deck)
        except CardError as error:
            raise DeckError(str(error)) from error
        codes = self.cards.codes
        doubled = sorted({card for card in cards if cards.count(card) > 1})
        wrong = sorted(set(cards) - set(self.deck))
        missing = sorted(set(self.deck) - set(cards))
        if doubled or wrong or missing:
            parts = [
                f"{what}: {' '.join(codes[card] for card in some)}"
                for what, some in (("doubled", doubled), ("not used", wrong), ("missing", missing))
                if some
            ]
            raise DeckError(f"{self.name} has {len(self.deck)} cards; " + "; ".join(parts))
        return bytes(cards)

    def new_match(self, seats: Sequence[str] = ()) -> "Match":
        """Return a match between players named in order of their seats."""
        from kibitz.match import Match  # noqa: PLC0415  # the match knows the game, not the other way

        return Match(self, seats)

    # What every game says.

    def used_cards(self) -> tuple[int, ...]:
        """Return the cards in use with these options."""
        return tuple(range(len(self.cards.codes)))

    def check(self) -> None:
        """Raise :class:`~kibitz.errors.OptionError` for options that do not go together."""

    @abstractmethod
    def layout(self, dealer: int) -> Layout:
        """Return where the cards go when they are dealt."""

    @abstractmethod
    def start(self, deal: Deal) -> Phase:
        """Return the first phase of a deal whose cards have just been dealt."""

    def after_trick(self, deal: Deal, trick: Trick) -> Phase:
        """Return what follows when all cards of a trick are down."""
        raise self._unexpected("trick")

    def after_call(self, deal: Deal, auction: Auction) -> Phase:
        """Return what follows a call: ``auction.ask(seat)`` or another phase."""
        raise self._unexpected("auction")

    def after_choice(self, deal: Deal, choice: Choice, action: Action) -> Phase:
        """Return what follows a choice."""
        raise self._unexpected("choice")

    def after_exchange(self, deal: Deal, exchange: Exchange) -> Phase:
        """Return what follows the last discard."""
        raise self._unexpected("exchange")

    def after_declare(self, deal: Deal, declare: Declare) -> Phase:
        """Return what follows a step of a declaration."""
        raise self._unexpected("declaration")

    def _unexpected(self, phase: str) -> RulesError:
        return RulesError(f"{self.name} does not say what follows a {phase}")

    # What may be done; games change what differs.

    def may_play(self, deal: Deal, hand: int) -> int:
        """Return the mask of the cards of a hand that may be played: follow suit, else any."""
        table = deal.table
        return (hand & self._same_suit[table[0]] or hand) if table else hand

    def may_call(self, deal: Deal, auction: Auction) -> tuple[Action, ...]:
        """Return the calls that may be made."""
        raise self._unexpected("auction")

    def may_discard(self, deal: Deal, hand: int) -> int:
        """Return the mask of the cards of a hand that may be discarded: any."""
        return hand

    def may_declare(self, deal: Deal, declare: Declare) -> tuple[Action, ...]:
        """Return the steps of a declaration that may be taken."""
        raise self._unexpected("declaration")

    def wins(self, cards: list[int], trump: int | None) -> int:
        """Return which card of a trick wins, counted from its leader: 0, 1, ..."""
        worth = self._values[trump][cards[0]]
        best, winner = worth[cards[0]], 0
        for i, card in enumerate(cards):
            if worth[card] > best:
                best, winner = worth[card], i
        return winner

    _values: dict[int | None, list[list[int]]]
    _same_suit: tuple[int, ...]
    _rings: tuple[tuple[int, ...], ...]
    _every_card: bytes

    def ranking(self, trump: int | None, led: int) -> Sequence[int]:
        """Return the worth of each card of the pack in a trick: trumps, then the suit led."""
        pack = self.cards
        return [
            strength + (200 if suit == trump else 100 if suit == led else 0)
            for suit, strength in zip(pack.suit, pack.strength, strict=True)
        ]

    # What a match needs.

    def needs_cut(self, number: int) -> bool:
        """Return whether a deal has a separate cut card."""
        return False

    def finished(self, results: Sequence[Scores]) -> bool:
        """Return whether a match with these deal scores is over."""
        kind, n = self.goal
        if kind in {"deals", "hands"}:
            return len(results) >= n
        raise RulesError(f"{self.name} does not say when {kind} ends a match")

    @abstractmethod
    def returns(self, results: Sequence[Scores]) -> Scores:
        """Return the zero-sum result of a finished match with these deal scores."""

    @abstractmethod
    def worst(self, offender: int) -> Scores:
        """Return the scores of a deal that a seat forfeits."""

    def points(self, results: Sequence[Scores]) -> tuple[int, ...]:
        """Return the points of the current game by side, where deals depend on them."""
        return (0,) * self.sides

    def keeps_dealer(self, deal: Deal) -> bool:
        """Return whether the dealer of a finished deal deals again."""
        return False

    @property
    def fresh_decks(self) -> bool:
        """Whether every deal is dealt from a deck shuffled anew, which can be drawn beforehand."""
        return True

    def gathers(self, before: Deal | None) -> bool:
        """Return whether the next deck is gathered from the deal before, not shuffled anew."""
        return False

    def gather(self, before: Deal | None, seed: int | str | bytes) -> list[str]:
        """Return the deck gathered from the deal before, where :meth:`gathers` says so."""
        raise self._unexpected("deal for the next deck")

    def check_gathered(self, before: Deal | None, deck: Sequence[int]) -> None:
        """Raise ``DeckError`` if a deck cannot have been gathered from the deal before."""

    @property
    def duplicable(self) -> bool:
        """Whether matches can be duplicated: a fixed number of deals, each with a fresh deck."""
        return self.goal[0] in {"deals", "hands", "full"}

    def relabellings(self, number: int) -> tuple[Relabelling, ...]:
        """Return how suits may be exchanged in a deal so that it is the same game.

        The first changes nothing. A game whose rules treat suits alike (but for a fixed trump suit,
        which stays) says so here: a deal with its suits exchanged has the same legal actions,
        turns and scores, with suits exchanged.
        """
        return exchanges(len(self.cards.suits), range(len(self.cards.suits)))

    # What views ask.

    def partners(self, view: "View", seat: int) -> tuple[int, ...]:
        """Return the seats that play with a seat in a deal, as far as the view knows."""
        if self.sides < self.seats:
            return tuple(s for s in range(self.seats) if s != seat and (s - seat) % self.sides == 0)
        fold = view.fold
        declarers = {fold.declarer, fold.partner} - {None}
        if not declarers:
            return ()
        mine = declarers if seat in declarers else set(range(self.seats)) - declarers
        return tuple(s for s in range(self.seats) if s in mine and s != seat)

    def kept(self, view: "View") -> int:
        """Return the mask of cards that nobody can have laid away, by what a view has seen since.

        What could be discarded in the first place (:meth:`may_discard`) need not be repeated.
        """
        return 0

    def observe(self, view: "View", name: str) -> object:
        """Return a fact of the game's own for a view."""
        raise KeyError(name)

    def clockwise(self, seat: int) -> tuple[int, ...]:
        """Return all seats in order of play, beginning with one."""
        return self._rings[seat]

    def clash(self, message: str, option: str) -> OptionError:
        """Return the error for options that do not go together."""
        return OptionError(f"{self.name}: {message}", option=option, reason="OPTIONS_CLASH")
