"""One shape for all formats: from what has been played, what is to be played next.

A format is a frozen dataclass whose fields are its options. Its `step` is asked again and again: it
looks at all tables planned so far and answers with more of them, with a reason to wait, or that
nothing more will come. It knows no database, no clock and no chance but the seed it is given, so
the same situation has the same answer on every machine and after every restart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, Protocol

Looks = Literal["never", "when_all_is_played", "always"]


class FormatError(ValueError):
    """A format cannot be played so; `reason` is for programs, `option` the field that is wrong."""

    def __init__(self, message: str, *, reason: str, option: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.option = option


class SetResult(NamedTuple):
    """A set at a table: its number in the tournament and, when done, what each place got.

    `scores` are returns added over the set, `margins` scores minus the table's mean, by place.
    `pair` is told to tests of two players alone: what the first has more than the second in each of
    the two matches of the set, whose sides are changed.
    """

    number: int
    state: Literal["open", "done", "void"]
    scores: tuple[float, ...] = ()
    margins: tuple[float, ...] = ()
    deals: int = 0
    pair: tuple[float, ...] = ()


class Meeting(NamedTuple):
    """A table of one round and the sets planned for it; `entrants` are their numbers, by place."""

    round: int
    entrants: tuple[int, ...]
    sets: tuple[SetResult, ...] = ()

    @property
    def open(self) -> bool:
        """Whether a set of it is still to be played."""
        return any(result.state == "open" for result in self.sets)

    @property
    def done(self) -> tuple[SetResult, ...]:
        """Its finished sets."""
        return tuple(result for result in self.sets if result.state == "done")


@dataclass(frozen=True)
class Situation:
    """Everything a format may know.

    `players` sit at a table, `sets` is how many a table is given, `meetings` come in the order
    in which they were planned. `seed` is public and fixed for the tournament. `out` are entrants
    that may not play any more.
    """

    entrants: int
    players: int
    sets: int
    meetings: tuple[Meeting, ...] = ()
    seed: str = ""
    out: frozenset[int] = frozenset()

    @property
    def rounds(self) -> int:
        """How many rounds have been planned."""
        return 1 + max((meeting.round for meeting in self.meetings), default=-1)

    @property
    def open(self) -> bool:
        """Whether any set is still to be played."""
        return any(meeting.open for meeting in self.meetings)

    def of_round(self, number: int) -> list[Meeting]:
        """Return the tables of a round, in the order in which they were planned."""
        return [meeting for meeting in self.meetings if meeting.round == number]


class Table(NamedTuple):
    """A table to be played: new in its round, or further sets for one that is there.

    With `twin` its sets have the cards of the table before it in the same step, set by set.
    """

    round: int
    entrants: tuple[int, ...]
    sets: int
    twin: bool = False


class Play(NamedTuple):
    """These tables are next, and why."""

    tables: tuple[Table, ...]
    why: str


class Wait(NamedTuple):
    """Nothing can be planned before what is open has been played."""

    why: str


class Over(NamedTuple):
    """Nothing more will be planned."""

    why: str


Step = Play | Wait | Over


class Size(NamedTuple):
    """How large a tournament gets: rounds and sets, at least and at most (None: no end)."""

    rounds: int
    least: int
    most: int | None


class Format(Protocol):
    """What a format does; its dataclass fields are its options."""

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    looks: ClassVar[Looks]
    """When a tournament under way may need a further step."""

    def check(self, entrants: int, players: int) -> None:
        """Refuse what cannot be played. Raises FormatError."""

    def size(self, entrants: int, players: int, sets: int) -> Size:
        """Return how much there will be to play."""

    def step(self, now: Situation) -> Step:
        """Return what comes next."""


def enough(entrants: int, least: int, what: str) -> None:
    """Raise FormatError (TOO_FEW_ENTRANTS) unless there are entrants enough."""
    if entrants < least:
        raise FormatError(
            f"{what} needs at least {least} entrants, there are {entrants}",
            reason="TOO_FEW_ENTRANTS",
        )
