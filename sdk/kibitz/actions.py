"""The numbered actions of a game: its cards first, then everything that can be said.

An action's number is its place in this list. The list may grow at its end, but nothing in it may
move: records, trained bots and the protocol hold the numbers.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from kibitz.action import Action
from kibitz.cards import BIT, Pack, mask_of, members
from kibitz.errors import ActionError

__all__ = ["Action", "Actions"]


WIDTH: Final = 13
PART: Final = (1 << WIDTH) - 1
"""The bits of a part of a hand, which is a suit where the pack is the French one."""
SHORT: Final = 10
"""Suits of so few cards are known from the start: they need not be a part of a hand."""


class CardActions:
    """The actions, of one sort, of the cards of a mask.

    Whole hands are too many to remember; their parts of thirteen cards are few.
    """

    __slots__ = ("_of", "_parts", "known")

    def __init__(self, of: Mapping[int, Action]) -> None:
        self._of = dict(of)
        self.known: dict[int, tuple[Action, ...]] = {}
        """What masks within one part or short suit give; who asks often looks here first."""
        # By number of the part and its bits; ``None`` what was never asked for.
        self._parts: list[list[Any]] = [[(), *[None] * PART] for _ in range(5)]

    def of(self, mask: int) -> tuple[Action, ...]:
        """Return the actions of the cards of a mask, in rising order."""
        a, b, c, d, e = self._parts
        try:
            every = a[mask & PART] + b[mask >> 13 & PART] + c[mask >> 26 & PART]
            every += d[mask >> 39 & PART]
            return every + e[mask >> 52] if mask >> 52 else every  # type: ignore[no-any-return]
        except TypeError:
            return self._learn(mask)

    def learn_suit(self, suit: int) -> None:
        """Work out beforehand what the cards of a suit, and some of them, give."""
        some: list[tuple[int, tuple[Action, ...]]] = [(0, ())]
        for card in members(suit):
            some += [(mask | BIT[card], (*before, self._of[card])) for mask, before in some]
        self.known.update(some[1:])

    def _learn(self, mask: int) -> tuple[Action, ...]:
        every: tuple[Action, ...] = ()
        for number, parts in enumerate(self._parts):
            part = mask >> WIDTH * number & PART
            if parts[part] is None:
                cards = members(part << WIDTH * number)
                parts[part] = tuple([self._of[card] for card in cards])
            every += parts[part]
            if mask == part << WIDTH * number:
                self.known[mask] = parts[part]
        return every


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
        self.played = CardActions(dict(enumerate(self.all)))
        for suit in pack.suit_masks:
            if suit.bit_count() <= SHORT:
                self.played.learn_suit(suit)
        discards = {
            action.card: action for action in self.starting("discard") if action.card is not None
        }
        self.discarded = CardActions(discards)
        self.discardable = mask_of(discards)
        """The mask of the cards that can ever be discarded."""

    def cards(self, mask: int) -> tuple[Action, ...]:
        """Return the cards of a mask as actions, in rising order."""
        return self.played.of(mask)

    def discards(self, mask: int) -> tuple[Action, ...]:
        """Return the discards of the cards of a mask, for games that have them."""
        return self.discarded.of(mask)

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
