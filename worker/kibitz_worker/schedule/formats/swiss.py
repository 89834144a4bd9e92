"""Swiss system: every round, bots meet others that have done about as well."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import ClassVar

from kibitz_worker.schedule.formats.scores import scores
from kibitz_worker.schedule.formats.shape import (
    FormatError,
    Looks,
    Over,
    Play,
    Situation,
    Size,
    Step,
    Table,
    Wait,
    enough,
)
from kibitz_worker.schedule.seating import seat

MOST_ROUNDS = 1_000


@dataclass(frozen=True)
class Swiss:
    """A number of rounds (0: as many as find a winner), in which neighbours in the table meet.

    Nobody meets anybody twice while that can be helped. Bots left over have a bye, which counts
    like beating everybody, and nobody has a second one before all others had one.
    """

    rounds: int = 0

    name: ClassVar[str] = "swiss"
    title: ClassVar[str] = "Swiss system"
    about: ClassVar[str] = "In every round bots meet others that have done about as well."
    looks: ClassVar[Looks] = "when_all_is_played"

    def check(self, entrants: int, players: int) -> None:
        """Refuse what cannot be played. Raises FormatError."""
        enough(entrants, players + 1, "a Swiss tournament")
        if not 0 <= self.rounds <= MOST_ROUNDS:
            raise FormatError(
                f"{self.rounds} rounds; 1 to {MOST_ROUNDS}, or 0 for as many as find a winner",
                reason="FORMAT_OPTION",
                option="rounds",
            )

    def planned(self, entrants: int, players: int) -> int:
        """Return the number of rounds: with 0, enough for one alone to have won them all."""
        return self.rounds or math.ceil(math.log(entrants, players)) + 1

    def size(self, entrants: int, players: int, sets: int) -> Size:
        """Return how much there will be to play."""
        rounds = self.planned(entrants, players)
        all_sets = rounds * sets * (entrants // players)
        return Size(rounds, all_sets, all_sets)

    def step(self, now: Situation) -> Step:
        """Return the next round when the last one has been played."""
        if now.open:
            return Wait(f"round {now.rounds} is being played")
        rounds = self.planned(now.entrants, now.players)
        if now.rounds >= rounds:
            return Over(f"all {rounds} rounds have been played")
        standing = swiss_points(now)
        order = sorted(set(range(now.entrants)) - now.out, key=lambda n: (standing[n], n))
        if len(order) < now.players:
            return Over("too few are left that may play")
        resting = self._byes(now, order)
        players = [number for number in order if number not in resting]
        met = Counter(
            pair for meeting in now.meetings for pair in combinations(sorted(meeting.entrants), 2)
        )
        level = {number: -standing[number][0] for number in players}
        random = Random(f"{now.seed} round {now.rounds}")  # noqa: S311 - a search, not a secret
        tables = seat(players, now.players, level, met, random)
        why = f"round {now.rounds + 1} of {rounds}: {len(tables)} tables"
        return Play(tuple(Table(now.rounds, table, now.sets) for table in tables), why)

    def _byes(self, now: Situation, order: Sequence[int]) -> set[int]:
        count = len(order) % now.players
        had = byes(now)
        lowest_first = [number for _, number in sorted(enumerate(order), reverse=True)]
        return set(sorted(lowest_first, key=lambda number: had[number])[:count])


def byes(now: Situation) -> Counter[int]:
    """Return how many rounds each entrant has sat out so far."""
    sat = Counter(number for meeting in now.meetings for number in meeting.entrants)
    return Counter({number: now.rounds - sat[number] for number in range(now.entrants)})


def swiss_points(now: Situation) -> dict[int, tuple[float, float, float]]:
    """Return what ranks entrants, least first: points with byes, points of opponents, margin.

    The second is the sum of the points of all opponents (Buchholz). A table whose sets are all void
    counts half for everybody.
    """
    found = scores(range(now.entrants), now.meetings)
    rested = byes(now)
    points = {number: score.points + rested[number] for number, score in found.items()}
    for meeting in now.meetings:
        void = not meeting.done and not meeting.open
        for number in meeting.entrants:
            points[number] += 0.5 if void else 0.0
    met = opponents_points(now, points)
    return {
        number: (-points[number], -sum(met[number]), found[number].order[1]) for number in found
    }


def opponents_points(now: Situation, points: Mapping[int, float]) -> dict[int, list[float]]:
    """Return the points of everybody whom each entrant has met, once for each time."""
    met: dict[int, list[float]] = {number: [] for number in points}
    for meeting in now.meetings:
        for number in meeting.entrants:
            met[number] += [points[other] for other in meeting.entrants if other != number]
    return met
