"""Successive halving: the field shrinks from rung to rung, and those left play ever more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from kibitz_worker.schedule.blocks import fair_tables
from kibitz_worker.schedule.formats.scores import ranking
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


@dataclass(frozen=True)
class Halving:
    """On every rung all that are left sit at about as many tables; the best part of them climbs.

    On the first rung everybody plays `sets` sets or a few more, on every further one `factor`
    times as many, and one in `factor` of the field is kept, until no more are left than sit at a
    table. K. Jamieson and A. Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter
    Optimization", AISTATS (2016).
    """

    factor: int = 2

    name: ClassVar[str] = "halving"
    title: ClassVar[str] = "Successive halving"
    about: ClassVar[str] = "The better half stays and plays twice as much, until few are left."
    looks: ClassVar[Looks] = "when_all_is_played"

    def check(self, entrants: int, players: int) -> None:
        """Refuse what cannot be played. Raises FormatError."""
        enough(entrants, players, "successive halving")
        if not 2 <= self.factor <= 10:
            raise FormatError(
                f"the field shrinks by a factor of {self.factor}; 2 to 10",
                reason="FORMAT_OPTION",
                option="factor",
            )

    def rungs(self, entrants: int, players: int) -> list[int]:
        """Return how many play on each rung."""
        left = [entrants]
        while left[-1] > players:
            left.append(max(players, math.ceil(left[-1] / self.factor)))
        return left

    def size(self, entrants: int, players: int, sets: int) -> Size:
        """Return how much there will be to play."""
        rungs = self.rungs(entrants, players)
        all_sets = sum(
            len(fair_tables(left, players, sets * self.factor**rung))
            for rung, left in enumerate(rungs)
        )
        return Size(len(rungs), all_sets, all_sets)

    def step(self, now: Situation) -> Step:
        """Return the next rung when the last one has been played."""
        if now.open:
            return Wait(f"rung {now.rounds} is being played")
        rungs = self.rungs(now.entrants, now.players)
        rung = now.rounds
        if rung == len(rungs):
            return Over("the last rung has been played")
        left = climbers(now, rungs)[rung]
        places = fair_tables(len(left), now.players, now.sets * self.factor**rung)
        counts: dict[tuple[int, ...], int] = {}
        for table in places:
            seated = tuple(sorted(left[place] for place in table))
            counts[seated] = counts.get(seated, 0) + 1
        tables = tuple(Table(rung, seated, sets) for seated, sets in counts.items())
        return Play(tables, f"rung {rung + 1} of {len(rungs)}: {len(left)} bots")


def climbers(now: Situation, rungs: list[int]) -> list[list[int]]:
    """Return who stands on each rung reached so far, the best of the rung below first."""
    standing = [list(range(now.entrants))]
    for rung in range(min(now.rounds, len(rungs) - 1)):
        order = ranking(standing[-1], now.of_round(rung))
        standing.append(order[: rungs[rung + 1]])
    return standing
