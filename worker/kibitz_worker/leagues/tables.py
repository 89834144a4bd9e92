"""The final table of a division: what a season's tournament has come to, in a stated order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kibitz.totals import Total
from sqlalchemy.orm import Session

from kibitz_worker.schedule.formats import (
    Format,
    Halving,
    Individual,
    Knockout,
    Situation,
    Swiss,
    climbers,
    swiss_points,
)
from kibitz_worker.store.models import Tournament
from kibitz_worker.store.planning import format_of, situation

TIE_BREAKS = (
    "In a knockout those are first who came furthest, in a halving those who climbed highest, in a "
    "Swiss those with most points and then with the strongest opponents; in other formats, and "
    "among equals, those with the greatest share of opponents beaten, then with the greater margin "
    "a deal, then those who began the season higher."
)


class Line(NamedTuple):
    """A bot in a final table: its number in the tournament and what it did."""

    entrant: int
    total: Total


def final_table(session: Session, tournament: Tournament) -> list[Line]:
    """Return all entrants of a tournament that is over, the best first (see TIE_BREAKS)."""
    played = situation(session, tournament)
    return ranked(format_of(tournament), played)


def ranked(chosen: Format, played: Situation) -> list[Line]:
    """Return the entrants as a format and the order of ties rank them."""
    totals = {number: Total() for number in range(played.entrants)}
    partners = isinstance(chosen, Individual)
    for meeting in played.meetings:
        for result in meeting.done:
            for place, number in enumerate(meeting.entrants):
                scores, margins = result.scores, result.margins
                totals[number].add(place, scores, margins, result.deals, partners=partners)
    return [Line(number, totals[number]) for number in in_order(totals, stages(chosen, played))]


def in_order(totals: Mapping[int, Total], reached: Mapping[int, tuple[float, ...]]) -> list[int]:
    """Return entrants by what they reached (see `stages`) and did, the best first."""

    def merit(number: int) -> tuple[tuple[float, ...], float, float, int]:
        total = totals[number]
        share = 0.0 if total.share is None else total.share
        return reached.get(number, ()), -share, -(total.mean_margin or 0.0), number

    return sorted(totals, key=merit)


def stages(chosen: Format, played: Situation) -> dict[int, tuple[float, ...]]:
    """Return what comes before the share of opponents beaten in some formats, least first."""
    match chosen:
        case Swiss():
            return dict(swiss_points(played)) if played.meetings else {}
        case Knockout():
            last: dict[int, tuple[float, ...]] = {}
            for number, bouts in enumerate(chosen.bracket(played)):
                for bout in bouts:
                    last |= dict.fromkeys(bout.entrants, (-float(number),))
                    last |= dict.fromkeys(bout.winners, (-number - 0.5,))
            return last
        case Halving():
            players = chosen.rungs(played.entrants, played.players)
            rungs = climbers(played, players)
            return {n: (-float(rung),) for rung, left in enumerate(rungs) for n in left}
    return {}
