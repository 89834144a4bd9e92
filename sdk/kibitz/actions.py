"""The numbered actions of a game: its cards first, then everything that can be said.

An action's number is its place in this list. The list may grow at its end, but nothing in it may
move: records, trained bots and the protocol hold the numbers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from kibitz.cards import Pack, mask_of, members
from kibitz.errors import ActionError


class Action(int):
    """An action of a game: a number that knows its code.

    ``code`` is the text of records and people (``QH``, ``bid:5``), and so is ``str(action)``.
    ``card`` is the card it plays, discards or shows, or ``None`` for a call; ``is_card`` is true
    for playing a card. ``suit`` (``"H"``), ``rank`` (``"Q"``) and ``strength`` (the order within
    the suit) are those of its card; a Joker has the suit ``None``.
    """

    code: str
    card: int | None
    is_card: bool
    suit: str | None
    rank: str | None
    strength: int

    def __new__(cls, number: int, code: str, card: int | None, pack: Pack) -> "Action":
        """Make the action; games do this once, in :class:`Actions`."""
        self = super().__new__(cls, number)
        self.code = code
        self.card = card
        self.is_card = number < len(pack.codes)
        self.suit = self.rank = None
        self.strength = -1
        if card is not None:
            suit = pack.suit[card]
            self.suit = pack.suits[suit] if suit < len(pack.suits) else None
            self.rank = pack.rank[card]
            self.strength = pack.strength[card]
        return self

    def __repr__(self) -> str:
        return self.code

    __str__ = __repr__

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        return int, (int(self),)

    def __copy__(self) -> "Action":
        return self

    def __deepcopy__(self, memo: object) -> "Action":
        return self


def _chunks(size: int) -> list[int]:
    """Return the masks of up to five parts of a pack, mostly its suits."""
    chunks = [range(start, min(start + 13, size)) for start in range(0, size, 13)]
    if len(chunks[-1]) <= 2 and len(chunks) > 1:  # a pair of Jokers joins the last suit
        chunks[-2:] = [range(chunks[-2].start, size)]
    masks = [sum(1 << card for card in chunk) for chunk in chunks]
    return masks + [0] * (5 - len(masks))


def _join(of: Mapping[int, Action], chunks: list[int]) -> Callable[[int], tuple[Action, ...]]:
    """Return a function that gives the actions of the cards of a mask, in rising order.

    Whole hands are too many to remember; their parts within a suit are few. This is a closure
    because every decision of every deal comes by here.
    """
    memo: dict[int, tuple[Action, ...]] = {0: ()}
    a, b, c, d, e = chunks
    get = memo.get

    def actions(mask: int) -> tuple[Action, ...]:
        found = get(mask)
        if found is not None:
            return found
        try:
            if e:
                most = memo[mask & a] + memo[mask & b] + memo[mask & c]
                return most + memo[mask & d] + memo[mask & e]
            return memo[mask & a] + memo[mask & b] + memo[mask & c] + memo[mask & d]
        except KeyError:  # a part that was never asked for
            for chunk in chunks:
                part = mask & chunk
                if part not in memo:
                    memo[part] = tuple([of[card] for card in members(part)])
            return actions(mask)

    return actions


class Actions:
    """All actions of a game, by number and by code.

    ``names[n]`` is a code, ``number[code]`` its number, ``actions[n]`` the :class:`Action`.
    """

    def __init__(self, pack: Pack, *calls: Iterable[str]) -> None:
        self.pack = pack
        self.names = pack.codes + tuple(call for some in calls for call in some)
        self.number = {name: number for number, name in enumerate(self.names)}
        self.all = tuple(
            Action(number, name, self._card(number, name), pack)
            for number, name in enumerate(self.names)
        )
        chunks = _chunks(len(pack.codes))
        self.cards = _join(dict(enumerate(self.all)), chunks)
        """Return the cards of a mask as actions, in rising order."""
        discards = {
            action.card: action for action in self.starting("discard") if action.card is not None
        }
        self.discards = _join(discards, chunks)
        """Return the discards of the cards of a mask, for games that have them."""
        self.discardable = mask_of(discards)
        """The mask of the cards that can ever be discarded."""

    def _card(self, number: int, name: str) -> int | None:
        if number < len(self.pack.codes):
            return number
        verb, _, rest = name.partition(":")
        return self.pack.number.get(rest) if verb in {"discard", "show"} else None

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Action]:
        return iter(self.all)

    def __getitem__(self, number: int) -> Action:
        return self.all[number]

    def numbered(self, numbers: Iterable[int]) -> tuple[Action, ...]:
        """Return the actions with these numbers, in the same order."""
        return tuple(map(self.all.__getitem__, numbers))

    def card_of(self, action: int) -> int:
        """Return the card that an action plays, discards or shows.

        Raises:
            ActionError: it is about no card.
        """
        card = self.all[action].card
        if card is None:
            raise ActionError(f"{self.names[action]} is about no card")
        return card

    def among(self, *codes: str) -> tuple[Action, ...]:
        """Return the actions with these codes, in the order of their numbers."""
        return tuple(self.all[number] for number in sorted(self.number[code] for code in codes))

    def starting(self, verb: str) -> tuple[Action, ...]:
        """Return the actions whose code starts with ``verb:``, in order."""
        return tuple(action for action in self.all if action.code.startswith(verb + ":"))

    def find(self, action: object) -> Action:
        """Return the action given as an action, a number or a code.

        Raises:
            ActionError: the game has no such action.
        """
        if isinstance(action, str):
            if action in self.number:
                return self.all[self.number[action]]
        elif isinstance(action, int) and not isinstance(action, bool):
            if 0 <= action < len(self.all):
                return self.all[action]
        else:
            raise ActionError(
                f"an action is a number or a code, not {type(action).__name__}",
                reason="NOT_AN_ACTION",
            )
        raise ActionError(
            f"{action!r:.60} is not an action of this game;"
            f" actions are {self.names[0]}, {self.names[1]} ... {self.names[-1]}"
            f" or 0 to {len(self.all) - 1}"
        )
