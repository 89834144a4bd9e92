"""Turning due work into jobs, a few at a time and by turns, so that nobody waits for the others.

A job holds many sets: its bots are started once, and the turns of sets that are played at the same
time travel together. How many sets is measured by the tournament's last job.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from kibitz_worker.halls import Halls
from kibitz_worker.store.models import (
    Admission,
    Attempt,
    BotKind,
    DealSet,
    Entrant,
    Outcome,
    SetState,
    Tournament,
)
from kibitz_worker.work.gathering import Due
from kibitz_worker.work.outbox import SETS, UNTRUSTED, queue_of, write_job
from kibitz_worker.work.turns import Seats, Turns

FIRST_SETS = 2
MOST_SETS = 512
GROWTH = 4
"""A job has at most so many times the sets of the one before it, since bots differ."""

PRESENT = timedelta(seconds=20)
"""A self-hosted bot not seen for this long is not asked to play."""

NO_HALLS = Halls()


def fill_admissions(session: Session, now: datetime, room: int) -> int:
    """Write jobs for due trials of versions, at most `room`; return how many."""
    due = or_(Admission.due.is_(None), Admission.due <= now)
    query = (
        select(Admission)
        .where(Admission.state == SetState.WAITING, Admission.job.is_(None), due)
        .order_by(Admission.created)
        .limit(max(0, room))
    )
    count = 0
    for admission in session.scalars(query):
        attempt = admission.attempts + 1
        admission.job = write_job(
            session,
            UNTRUSTED,
            "admission",
            f"{admission.version_id}-a{attempt}",
            version_id=admission.version_id,
            attempt=attempt,
        )
        count += 1
    return count


def fill_sets(
    session: Session,
    now: datetime,
    room: Mapping[str, int],
    workers: int,
    job_seconds: float,
    bot_jobs: int = 0,
    halls: Halls = NO_HALLS,
) -> int:
    """Write jobs for due sets while the queues have room; return how many.

    Whose turn it is, `Turns` says; a bot plays in `bot_jobs` jobs at most (0: in any number).
    Self-hosted bots play at the one of the `halls` where all of a set's are.
    """
    left = dict(room)
    count = 0
    turns, seats = Turns(session), Seats(session, bot_jobs)
    while turns and any(places > 0 for places in left.values()):
        tournament = turns.first()
        entrants = _entrants(session, tournament.id)
        size = job_size(session, tournament, workers, job_seconds)
        free = {queue for queue, places in left.items() if places > 0}
        ways = Ways(tournament, entrants, halls)
        obstacles = Obstacles(free, seats, ways, now)
        due = Due(session, now, tournament, ways.queue, obstacles.closed_to(entrants))
        sets, numbers = due.together(size)
        if not sets:
            turns.out(tournament)
            continue
        queue = ways.queue(numbers)
        _write(session, sets, queue)
        left[queue] -= 1
        turns.took(tournament)
        seats.took(entrants[number].version.bot_id for number in numbers)
        count += 1
    return count


@dataclass(frozen=True)
class Ways:
    """By which queue a tournament's pairings are sent to be played."""

    tournament: Tournament
    entrants: Mapping[int, Entrant]
    halls: Halls

    def queue(self, numbers: Sequence[int]) -> str:
        """Return the queue of a pairing; empty when its bots are at no hall together."""
        players = [self.entrants[number].version for number in numbers]
        submitted = any(version.bot.kind is BotKind.SUBMITTED for version in players)
        kind = UNTRUSTED if submitted else SETS
        guests = [version.id for version in players if version.bot.kind is BotKind.SELF_HOSTED]
        if not guests:
            return kind
        hall = self.halls.meeting(guests, self.tournament.id)
        return queue_of(kind, hall) if hall else ""


@dataclass(frozen=True)
class Obstacles:
    """What keeps entrants from being played just now."""

    free_queues: Collection[str]
    seats: Seats
    ways: Ways
    now: datetime

    def closed_to(self, entrants: Mapping[int, Entrant]) -> Callable[[Sequence[int]], bool] | None:
        """Return what tells whether a pairing has to wait; None when nothing has to.

        Absent players wait, and those who play in as many jobs as they may, pairings whose queue
        is full, and those whose self-hosted bots are at no hall together.
        """
        players = list(entrants.values())
        waiting = {player.number for player in absent(players, self.now)}
        waiting |= {one.number for one in players if self.seats.full(one.version.bot_id)}
        guests = any(player.version.bot.kind is BotKind.SELF_HOSTED for player in players)
        if not (waiting or guests) and {SETS, UNTRUSTED} <= set(self.free_queues):
            return None

        def waits(numbers: Sequence[int]) -> bool:
            if waiting.intersection(numbers):
                return True
            return self.ways.queue(numbers) not in self.free_queues

        return waits


def job_size(session: Session, tournament: Tournament, workers: int, job_seconds: float) -> int:
    """Return how many sets of a tournament make a job, by what its last job took to play.

    Starting the bots takes a good part of a short job whatever it holds, and is not counted: else
    a busy machine would make jobs so short that it does little but start bots.
    """
    sets, seconds = _last_job(session, tournament)
    size = FIRST_SETS
    if sets:
        fitting = int(sets * job_seconds / max(seconds, 0.001))
        # Sets that are played at once hardly take longer than one alone, so a job too short grows.
        size = max(2 * sets, min(GROWTH * sets, fitting)) if seconds < job_seconds else fitting
    waiting = select(func.count()).where(
        DealSet.tournament_id == tournament.id, DealSet.state == SetState.WAITING
    )
    share = math.ceil((session.scalar(waiting) or 0) / max(1, workers))
    return max(1, min(size, share, MOST_SETS))


def _last_job(session: Session, tournament: Tournament) -> tuple[int, float]:
    """Return of how many sets the last finished job was and how many seconds it took."""
    done = (
        select(Attempt)
        .join(DealSet, DealSet.id == Attempt.set_id)
        .where(DealSet.tournament_id == tournament.id, Attempt.outcome == Outcome.DONE)
    )
    last = session.scalar(done.order_by(Attempt.id.desc()).limit(1))
    if last is None:
        return 0, 0.0
    attempts = session.scalars(done.where(Attempt.job == last.job)).all()
    ended = max(attempt.ended or attempt.started for attempt in attempts)
    return len(attempts), (ended - min(a.started for a in attempts)).total_seconds()


def _entrants(session: Session, tournament_id: str) -> dict[int, Entrant]:
    query = select(Entrant).where(Entrant.tournament_id == tournament_id)
    return {entrant.number: entrant for entrant in session.scalars(query)}


def absent(players: list[Entrant], now: datetime) -> list[Entrant]:
    """Return the self-hosted players that are not connected."""
    return [
        player
        for player in players
        if player.version.bot.kind is BotKind.SELF_HOSTED
        and (player.version.seen is None or player.version.seen < now - PRESENT)
    ]


def _write(session: Session, sets: list[DealSet], queue: str) -> None:
    first = sets[0]
    job = write_job(
        session,
        queue,
        "sets",
        f"{first.id}-a{first.attempts + 1}",
        sets={deal_set.id: deal_set.attempts + 1 for deal_set in sets},
    )
    for deal_set in sets:
        deal_set.job = job
    session.flush()
