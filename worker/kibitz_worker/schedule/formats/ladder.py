"""Ladder: a competition without rounds; the next table is the one that tells most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import numpy as np

from kibitz_worker.ratings.bradley_terry import information, maximise
from kibitz_worker.ratings.logistic import logistic
from kibitz_worker.ratings.results import Floats
from kibitz_worker.schedule.formats.scores import share
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

SPREAD = 400.0 / 173.7178
"""Natural logarithm of the odds by which a new bot's strength may be off: 400 Elo."""


@dataclass(frozen=True)
class Ladder:
    """Tables are set up one after another, up to `sets_each` sets for everybody (0: without end).

    Whoever has played least is next, and meets those against whom the outcome tells most about
    both: opponents of about the same strength whose strength is not well known yet.
    """

    sets_each: int = 100

    name: ClassVar[str] = "ladder"
    title: ClassVar[str] = "Ladder"
    about: ClassVar[str] = "Goes on and on: whoever has played least meets the bots that tell most."
    looks: ClassVar[Looks] = "always"

    def check(self, entrants: int, players: int) -> None:
        """Refuse what cannot be played. Raises FormatError."""
        enough(entrants, players, "a ladder")
        if not 0 <= self.sets_each <= 100_000:
            raise FormatError(
                f"{self.sets_each} sets for everybody; 1 to 100000, or 0 for no end",
                reason="FORMAT_OPTION",
                option="sets_each",
            )

    def size(self, entrants: int, players: int, sets: int) -> Size:
        """Return how much there will be to play."""
        least = -(-entrants * self.sets_each // players)
        return Size(1, least, least if self.sets_each else None)

    def step(self, now: Situation) -> Step:
        """Return the next tables while few are open; over when everybody has had enough sets."""
        sat = Counter(dict.fromkeys(set(range(now.entrants)) - now.out, 0))
        if len(sat) < now.players:
            few = "too few are left that may play"
            return Over(few) if self.sets_each else Wait(few)
        for meeting in now.meetings:
            for number in sat.keys() & set(meeting.entrants):
                sat[number] += len(meeting.sets)
        if self.sets_each and min(sat.values()) >= self.sets_each:
            return Over(f"everybody has played {self.sets_each} sets")
        open_ = sum(result.state == "open" for m in now.meetings for result in m.sets)
        if open_ >= ahead(now.entrants, now.players):
            return Wait(f"{open_} sets are open")
        count = sum(sat.values()) // now.players
        random = Random(f"{now.seed} table {count}")  # noqa: S311 - a choice, not a secret
        gains = expected_gain(now)
        tables = []
        for _ in range(ahead(now.entrants, now.players) - open_):
            company = _company(sat, gains, now.players, random)
            sat.update(company)
            tables.append(Table(0, tuple(sorted(company)), now.sets))
            if self.sets_each and min(sat.values()) >= self.sets_each:
                break
        return Play(tuple(tables), f"{len(tables)} tables more")


def ahead(entrants: int, players: int) -> int:
    """Return how many sets a ladder keeps open, so that no worker waits for the next look."""
    return max(8, 2 * entrants // players)


def expected_gain(now: Situation) -> Floats:
    """Return for every two entrants what a set between them is expected to tell.

    The variance of the difference of their strengths, as known so far, times the Fisher
    information p (1 - p) of one comparison.
    """
    wins = np.zeros((now.entrants, now.entrants))
    for meeting in now.meetings:
        for result in meeting.done:
            for one in range(len(meeting.entrants)):
                for other in range(one):
                    won = share([result.scores[one], result.scores[other]], 0)
                    wins[meeting.entrants[one], meeting.entrants[other]] += won
                    wins[meeting.entrants[other], meeting.entrants[one]] += 1.0 - won
    theta = maximise(wins)
    known = np.linalg.inv(information(theta, wins, 0.0) + np.eye(now.entrants) / SPREAD**2)
    own = np.diag(known)
    doubt = own[:, None] + own[None, :] - 2.0 * known
    p = logistic(theta[:, None] - theta[None, :])
    return np.asarray(doubt * p * (1.0 - p), dtype=np.float64)


def _company(sat: Counter[int], gains: Floats, players: int, random: Random) -> Sequence[int]:
    """Take one of those who have played least, and one by one who tells most beside them.

    Others who are behind are preferred: what a meeting tells counts for less the more somebody is
    ahead of the least.
    """
    fewest = min(sat.values())
    company = [random.choice(sorted(number for number in sat if sat[number] == fewest))]
    while len(company) < players:
        free = [number for number in sorted(sat) if number not in company]
        worth = {
            number: gains[number, company].sum() / (1.0 + sat[number] - fewest) for number in free
        }
        company.append(max(free, key=lambda number: (worth[number], -number)))
    return company
