"""Versus: a version against another, stopped as soon as the question is answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.sequential import (
    Model,
    Plan,
    Progress,
    contiguous,
    judge_margins,
    judge_pairs,
    pair_outcome,
)
from kibitz_worker.schedule.formats.gauntlet import companies
from kibitz_worker.schedule.formats.shape import (
    FormatError,
    Looks,
    Meeting,
    Over,
    Play,
    SetResult,
    Situation,
    Size,
    Step,
    Table,
    Wait,
    enough,
)

BATCH = 16
"""Comparisons planned beyond those played: few, since those after the decision are in vain."""


@dataclass(frozen=True)
class Versus:
    """Is the first entrant (the candidate) better than the second (the base)?

    Two at a table: they meet in sets. With more, both sit down, one after the other, in the same
    seats, with the same cards and the same company out of the other entrants. A sequential test
    compares what they made of each set. `model` elo (`h0` and `h1` are Elo points) and normalized
    (points of normalized Elo) look at who won: of two at a table each of the two matches of a set,
    which are one game pair; with more, who has more returns over the set. `model` margin looks at
    how many points a deal the margins differ. Is the advantage `h1` or more, rather than `h0` or
    less? It errs with probability `alpha` and `beta`, counts complete sets in the order they were
    planned, and ends undecided after `limit` of them.
    """

    model: Literal["elo", "normalized", "margin"] = "elo"
    h0: float = 0.0
    h1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05
    limit: int = 2_000

    name: ClassVar[str] = "versus"
    title: ClassVar[str] = "Version against version"
    about: ClassVar[str] = (
        "Is the first bot better than the second? Played until a sequential test has an answer."
    )
    looks: ClassVar[Looks] = "always"

    @property
    def plan(self) -> Plan:
        """What the test is to decide. Raises RatingError."""
        model: Model = "logistic" if self.model == "elo" else self.model
        return Plan(model, self.h0, self.h1, self.alpha, self.beta, limit=self.limit)

    def check(self, entrants: int, players: int) -> None:
        """Refuse what cannot be played. Raises FormatError."""
        if players == 2 and entrants != 2:
            raise FormatError(
                f"two meet in this game: name the candidate and the base, not {entrants} bots",
                reason="TOO_MANY_ENTRANTS" if entrants > 2 else "TOO_FEW_ENTRANTS",
            )
        enough(entrants, players + (players > 2), "a candidate, a base and their company")
        try:
            plan = self.plan
        except RatingError as error:
            raise FormatError(str(error), reason="FORMAT_OPTION") from error
        if not plan.looks_from <= self.limit <= 100_000:
            raise FormatError(
                f"a limit of {self.limit} sets; {plan.looks_from} to 100000",
                reason="FORMAT_OPTION",
                option="limit",
            )

    def size(self, entrants: int, players: int, sets: int) -> Size:
        """Return how much there will be to play: from the first look to the limit."""
        each = 1 if players == 2 else 2
        return Size(1, each * self.plan.looks_from, each * self.limit)

    def step(self, now: Situation) -> Step:
        """Return further comparisons until the test has decided or come to its limit."""
        progress = self.progress(now)
        if progress.state != "running":
            return Over(f"{progress.state} after {progress.sets} sets, LLR {progress.llr:.2f}")
        rows = comparisons(now)
        open_ = sum(1 for row in rows if any(result.state == "open" for result in row))
        void = sum(1 for row in rows if any(result.state == "void" for result in row))
        room = min(BATCH - open_, self.limit + void - len(rows))
        if room <= 0 or (void > self.limit and not open_):
            given_up = room <= 0 and not open_
            return Over("too many sets could not be played") if given_up else Wait("under way")
        if now.players == 2:
            return Play((Table(0, (0, 1), room),), f"{room} sets more")
        field = companies(now.entrants - 2, now.players - 1)
        tables: list[Table] = []
        for number in range(len(rows), len(rows) + room):
            company = tuple(2 + place for place in field[number % len(field)])
            tables += [Table(0, (0, *company), 1), Table(0, (1, *company), 1, twin=True)]
        return Play(tuple(tables), f"{room} comparisons more")

    def progress(self, now: Situation) -> Progress:
        """Return how the test stands: on complete sets up to the first that is still open."""
        row_of = counted(now)
        if self.model == "margin":
            return judge_margins(self.plan, [margin for _, margin in row_of])
        return judge_pairs(self.plan, [kind for kind, _ in row_of])


def counted(now: Situation) -> list[tuple[int, float]]:
    """Return the comparisons that count: the kind of each game pair, and the margin a deal more."""
    finished: dict[int, tuple[int, float] | None] = {}
    for number, row in enumerate(comparisons(now)):
        if all(result.state == "done" for result in row):
            finished[number] = _advantage(row)
        elif any(result.state == "void" for result in row):
            finished[number] = None
    return contiguous(finished)


def comparisons(now: Situation) -> list[tuple[SetResult, ...]]:
    """Return the sets that are compared with each other, in the order they were planned.

    Two at a table: one set each. Else the candidate's set and the base's with the same cards.
    """
    if now.players == 2:
        return [(result,) for result in _in_order(now.meetings)]
    both = [_in_order(m for m in now.meetings if m.entrants[0] == player) for player in (0, 1)]
    return list(zip(*both, strict=True))


def _in_order(meetings: Iterable[Meeting]) -> list[SetResult]:
    return sorted(result for meeting in meetings for result in meeting.sets)


def _advantage(row: Sequence[SetResult]) -> tuple[int, float]:
    """What the candidate has on the base: the kind of their game pair, and margin a deal more.

    Where sets are compared as wholes, or their matches are not known, both count as the whole.
    """
    if len(row) == 1:
        (result,) = row
        returns = result.scores[0] - result.scores[1]
        first, second = result.pair if len(result.pair) == 2 else (returns, returns)
        difference = (result.margins[0] - result.margins[1]) / result.deals
        return pair_outcome(first, second), difference
    one, other = row
    returns = one.scores[0] - other.scores[0]
    difference = one.margins[0] / one.deals - other.margins[0] / other.deals
    return pair_outcome(returns, returns), difference
