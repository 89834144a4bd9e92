"""Where entrants stand by what their format counts, and how each came there, round by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kibitz_worker.schedule.formats.halving import Halving, climbers
from kibitz_worker.schedule.formats.knockout import Bout, Knockout
from kibitz_worker.schedule.formats.scores import ranking, share, totals
from kibitz_worker.schedule.formats.shape import Format, Meeting, Situation
from kibitz_worker.schedule.formats.swiss import Swiss, byes, opponents_points, swiss_points

Result = Literal["won", "drawn", "lost", "part", "bye", "void", "open"]


@dataclass(frozen=True)
class Stop:
    """One round of an entrant: whom it met, how that went, which share of them it has beaten.

    ``part`` is a table of more than two at which some were better and some were not.
    """

    round: int
    opponents: tuple[int, ...]
    result: Result
    points: float | None = None


@dataclass(frozen=True)
class Placing:
    """An entrant in the order of its format.

    In a Swiss `points` decide, byes included, then `buchholz`, the points of all opponents;
    `median` is the same without the best and the worst of them. `fell` is the round in which one
    went out.
    """

    entrant: int
    course: tuple[Stop, ...] = ()
    points: float | None = None
    buchholz: float | None = None
    median: float | None = None
    byes: int = 0
    fell: int | None = None


def placings(chosen: Format, now: Situation) -> list[Placing] | None:
    """Return all entrants, the best first; None where the format counts nothing of its own."""
    if isinstance(chosen, Swiss):
        return _swiss(now)
    if isinstance(chosen, Knockout):
        return _knockout(chosen, now)
    if isinstance(chosen, Halving):
        return _halving(chosen, now)
    return None


def _swiss(now: Situation) -> list[Placing]:
    standing, rested = swiss_points(now), byes(now)
    met = opponents_points(now, {number: -row[0] for number, row in standing.items()})
    return [
        Placing(
            number,
            tuple(_stop(now, round_, number) for round_ in range(now.rounds)),
            points=-standing[number][0],
            buchholz=-standing[number][1],
            median=sum(sorted(met[number])[1:-1]) if len(met[number]) > 2 else sum(met[number]),
            byes=rested[number],
        )
        for number in sorted(standing, key=lambda n: (standing[n], n))
    ]


def _stop(now: Situation, round_: int, number: int) -> Stop:
    for meeting in now.of_round(round_):
        if number in meeting.entrants:
            return _met(round_, meeting, number)
    return Stop(round_ + 1, (), "bye", 1.0)


def _met(round_: int, meeting: Meeting, number: int) -> Stop:
    others = tuple(other for other in meeting.entrants if other != number)
    if meeting.open:
        return Stop(round_ + 1, others, "open")
    if not meeting.done:
        return Stop(round_ + 1, others, "void", 0.5)
    place = meeting.entrants.index(number)
    points = share([returns for returns, _ in totals(meeting)], place)
    middle: Result = "drawn" if points == 0.5 and len(others) == 1 else "part"
    return Stop(round_ + 1, others, {1.0: "won", 0.0: "lost"}.get(points, middle), points)  # type: ignore[arg-type]


def _knockout(chosen: Knockout, now: Situation) -> list[Placing]:
    """Who came further is better; of those who went out together the better seed."""
    courses: dict[int, list[Stop]] = {number: [] for number in range(now.entrants)}
    fell: dict[int, int] = {}
    for round_, bouts in enumerate(chosen.bracket(now)):
        for bout in bouts:
            for number in bout.entrants:
                courses[number].append(_bout(round_, bout, number))
                if bout.winners and number not in bout.winners:
                    fell[number] = round_ + 1
    order = sorted(courses, key=lambda n: (-fell.get(n, 1 << 30), -len(courses[n]), n))
    return [Placing(n, tuple(courses[n]), fell=fell.get(n)) for n in order]


def _bout(round_: int, bout: Bout, number: int) -> Stop:
    others = tuple(other for other in bout.entrants if other != number)
    if bout.by == "bye":
        return Stop(round_ + 1, (), "bye")
    points = None
    if bout.meeting is not None and bout.meeting.done:
        returns = [returns for returns, _ in totals(bout.meeting)]
        points = share(returns, bout.meeting.entrants.index(number))
    if not bout.winners:
        return Stop(round_ + 1, others, "open", points)
    return Stop(round_ + 1, others, "won" if number in bout.winners else "lost", points)


def _halving(chosen: Halving, now: Situation) -> list[Placing]:
    """Who stands on a higher rung is better; on the same rung, who did better there."""
    rungs = climbers(now, chosen.rungs(now.entrants, now.players))[: max(1, now.rounds)]
    courses: dict[int, list[Stop]] = {number: [] for number in range(now.entrants)}
    order: list[int] = []
    fell: dict[int, int] = {}
    for rung, field in enumerate(rungs):
        meetings = now.of_round(rung)
        here = ranking(field, meetings)
        above = set(rungs[rung + 1]) if rung + 1 < len(rungs) else set()
        for number in field:
            how: Result = "part" if not above else "won" if number in above else "lost"
            courses[number].append(_rung(rung, meetings, number, how))
        out = [number for number in here if number not in above]
        fell |= dict.fromkeys(out, rung + 1) if above else {}
        order = [*out, *order]
    return [Placing(n, tuple(courses[n]), fell=fell.get(n)) for n in order]


def _rung(rung: int, meetings: Sequence[Meeting], number: int, how: Result) -> Stop:
    """Tell a rung: the share of all sets of it, not of single tables, decides there."""
    own = [meeting for meeting in meetings if number in meeting.entrants]
    others = sorted({other for meeting in own for other in meeting.entrants if other != number})
    if any(meeting.open for meeting in own):
        return Stop(rung + 1, tuple(others), "open")
    shares = [
        share([returns for returns, _ in totals(one)], one.entrants.index(number))
        for one in own
        if one.done
    ]
    points = sum(shares) / len(shares) if shares else None
    return Stop(rung + 1, tuple(others), how, points)
