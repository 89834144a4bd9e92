"""Tournaments played on paper: planners are asked again and again, results are drawn by lot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from kibitz_worker.schedule.formats import (
    Format,
    Meeting,
    Over,
    Play,
    SetResult,
    Situation,
    Wait,
)

Scorer = Callable[[Random, int, tuple[int, ...]], tuple[float, ...]]


def by_strength(random: Random, number: int, table: tuple[int, ...]) -> tuple[float, ...]:
    """The lower the number the better, with some luck."""
    return tuple(round(random.gauss(-entrant, 3.0)) for entrant in table)


def sure(random: Random, number: int, table: tuple[int, ...]) -> tuple[float, ...]:
    """The lower number always wins."""
    return tuple(-float(entrant) for entrant in table)


def plan(now: Situation, step: Play) -> Situation:
    """Add what a step plans, as the store does: further sets join the table they belong to."""
    meetings = list(now.meetings)
    number = sum(len(meeting.sets) for meeting in meetings)
    for table in step.tables:
        sets = tuple(SetResult(number + n, "open") for n in range(table.sets))
        number += table.sets
        for place, meeting in enumerate(meetings):
            if (meeting.round, meeting.entrants) == (table.round, table.entrants):
                meetings[place] = meeting._replace(sets=meeting.sets + sets)
                break
        else:
            meetings.append(Meeting(table.round, table.entrants, sets))
    return replace(now, meetings=tuple(meetings))


def finish(now: Situation, random: Random, scorer: Scorer, most: int = 10**9) -> Situation:
    """Play open sets, at most so many, in any order."""
    open_sets = [r.number for m in now.meetings for r in m.sets if r.state == "open"]
    chosen = set(random.sample(open_sets, min(most, len(open_sets))))

    def result(meeting: Meeting, old: SetResult) -> SetResult:
        if old.number not in chosen:
            return old
        got = scorer(random, old.number, meeting.entrants)
        mean = sum(got) / len(got)
        return SetResult(old.number, "done", got, tuple(s - mean for s in got), 4)

    meetings = tuple(m._replace(sets=tuple(result(m, r) for r in m.sets)) for m in now.meetings)
    return replace(now, meetings=meetings)


def play(
    kind: Format,
    entrants: int,
    players: int,
    *,
    sets: int = 1,
    scorer: Scorer = by_strength,
    seed: str = "paper",
    most: int = 10**9,
) -> tuple[Situation, Over]:
    """Play a whole tournament, `most` sets between two looks of the planner."""
    kind.check(entrants, players)
    random = Random(seed)
    now = Situation(entrants, players, sets, seed=seed)
    for _ in range(10_000):
        step = kind.step(now)
        assert step == kind.step(now), "the same situation has the same answer"
        if isinstance(step, Over):
            return now, step
        if isinstance(step, Play):
            assert step.tables
            assert all(len(set(t.entrants)) == len(t.entrants) for t in step.tables)
            now = plan(now, step)
        else:
            assert isinstance(step, Wait)
            assert now.open, "who waits waits for something"
        now = finish(now, random, scorer, most)
    raise AssertionError("the tournament does not end")
