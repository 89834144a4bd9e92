"""Knockout: who loses is out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from kibitz_worker.schedule.formats.scores import totals
from kibitz_worker.schedule.formats.shape import (
    FormatError,
    Looks,
    Meeting,
    Over,
    Play,
    Situation,
    Size,
    Step,
    Table,
    Wait,
    enough,
)

MOST_TIE_BREAKS = 100


class Bout(NamedTuple):
    """A place in the bracket: who meets there, who of them go on, and how that was decided.

    A bye has one entrant. `winners` is empty while it is undecided; `by` is ``returns``,
    ``margins``, ``seed`` or ``bye``.
    """

    entrants: tuple[int, ...]
    through: int
    winners: tuple[int, ...] = ()
    by: str = ""
    meeting: Meeting | None = None


@dataclass(frozen=True)
class Knockout:
    """The best of each table goes on; entrants are seeded in their order, byes go to the best.

    Two at a table play in a bracket in which the first two seeds can only meet in the final. Tables
    of three and four are made anew each round, so that strong ones meet late. When a table is tied
    it plays up to `tie_breaks` further sets, one at a time; then margins decide, then the seed.
    """

    tie_breaks: int = 3

    name: ClassVar[str] = "knockout"
    title: ClassVar[str] = "Knockout"
    about: ClassVar[str] = "Who loses is out; entrants are seeded in the order given."
    looks: ClassVar[Looks] = "when_all_is_played"

    def check(self, entrants: int, players: int) -> None:
        """Refuse what cannot be played. Raises FormatError."""
        enough(entrants, players, "a knockout")
        if not 0 <= self.tie_breaks <= MOST_TIE_BREAKS:
            raise FormatError(
                f"{self.tie_breaks} sets to break a tie; 0 to {MOST_TIE_BREAKS}",
                reason="FORMAT_OPTION",
                option="tie_breaks",
            )

    def size(self, entrants: int, players: int, sets: int) -> Size:
        """Return how much there will be to play; ties can make it more."""
        rounds = [len(tables) for tables in _sizes(entrants, players)]
        return Size(len(rounds), sum(rounds) * sets, sum(rounds) * (sets + self.tie_breaks))

    def step(self, now: Situation) -> Step:
        """Return the next round, or further sets for tables that are tied."""
        if now.open:
            return Wait(f"round {now.rounds} is being played")
        bracket = self.bracket(now)
        tied = [
            bout.meeting for bout in bracket[-1] if bout.meeting is not None and not bout.winners
        ]
        if tied:
            tables = tuple(Table(m.round, m.entrants, 1) for m in tied)
            return Play(tables, f"{len(tied)} tied: one more set each")
        tables = tuple(
            Table(len(bracket) - 1, bout.entrants, now.sets)
            for bout in bracket[-1]
            if bout.meeting is None and len(bout.entrants) > 1
        )
        if not tables:
            return Over("the final has been played")
        return Play(tables, f"round {len(bracket)}: {len(tables)} tables")

    def bracket(self, now: Situation) -> list[list[Bout]]:
        """Return all rounds so far, the last one perhaps undecided or still to be planned."""
        rounds: list[list[Bout]] = []
        field: Sequence[int | None] = (
            _bracket_order(now.entrants) if now.players == 2 else list(range(now.entrants))
        )
        while len([number for number in field if number is not None]) > 1:
            played = {frozenset(m.entrants): m for m in now.of_round(len(rounds))}
            bouts = [
                self._decide(bout, played.get(frozenset(bout.entrants)), now)
                for bout in _draw(field, now.players)
            ]
            rounds.append(bouts)
            last = len(bouts) == 1 or sum(bout.through for bout in bouts) < now.players
            if last or not all(bout.winners for bout in bouts):
                break
            field = [number for bout in bouts for number in bout.winners]
            field = field if now.players == 2 else sorted(n for n in field if n is not None)
        return rounds

    def _decide(self, bout: Bout, meeting: Meeting | None, now: Situation) -> Bout:
        if len(bout.entrants) == 1:
            return bout._replace(winners=bout.entrants, by="bye")
        if meeting is None or meeting.open:
            return bout._replace(meeting=meeting)
        sums = totals(meeting)
        places = range(len(sums))
        names = meeting.entrants
        order = sorted(
            places, key=lambda p: (*(-x for x in sums[p]), names[p] in now.out, names[p])
        )
        last_in, first_out = order[bout.through - 1], order[bout.through]
        tied = sums[last_in][0] == sums[first_out][0]
        if tied and meeting.done and len(meeting.sets) < now.sets + self.tie_breaks:
            return bout._replace(meeting=meeting)
        by = "returns" if not tied else "margins"
        by = "seed" if sums[last_in] == sums[first_out] else by
        winners = tuple(meeting.entrants[place] for place in order[: bout.through])
        return bout._replace(winners=winners, by=by, meeting=meeting)


def _bracket_order(entrants: int) -> list[int | None]:
    """Seeds from top to bottom: 1 meets the last, and the winner of 1 and 4 that of 2 and 3."""
    order = [0]
    while len(order) < entrants:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return [seed if seed < entrants else None for seed in order]


def _draw(field: Sequence[int | None], players: int) -> Iterator[Bout]:
    if players == 2:
        for one, other in zip(field[::2], field[1::2], strict=True):
            yield Bout(tuple(sorted(n for n in (one, other) if n is not None)), 1)
        return
    alive = [number for number in field if number is not None]
    tables = _tables(len(alive), players)
    seated = alive[len(alive) - len(tables) * players :]
    for number in alive[: len(alive) - len(seated)]:
        yield Bout((number,), 1)
    for place, through in enumerate(tables):
        # By turns from the left and from the right, so that the tables are about equally strong.
        rows = [seated[start : start + len(tables)] for start in range(0, len(seated), len(tables))]
        company = [row[place] if i % 2 == 0 else row[-1 - place] for i, row in enumerate(rows)]
        yield Bout(tuple(sorted(company)), through)


def _tables(alive: int, players: int) -> list[int]:
    """How many go through at each table of the next round, so that a power of `players` is left."""
    if alive == players:
        return [1]
    target = players ** math.floor(math.log(alive - 1, players) + 1e-9)
    out = alive - target
    count = min(math.ceil(out / (players - 1)), alive // players)
    last = min(players - 1, out - (count - 1) * (players - 1))
    return [1] * (count - 1) + [players - last]


def _sizes(entrants: int, players: int) -> Iterator[list[int]]:
    alive = entrants
    while True:
        tables = _tables(alive, players)
        yield tables
        if alive == players:
            return
        alive -= sum(players - through for through in tables)
