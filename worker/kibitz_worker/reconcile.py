"""The reconciler: makes what the queue holds agree with what the database says is to be done.

It runs once a second in one process (`Store.sole`). It looks at the database alone to decide, so
a killed worker, a killed job or an emptied Redis costs time but no work.
"""

from __future__ import annotations

import time
from datetime import datetime

import redis
import structlog
from kibitz.amounts import amount
from sqlalchemy import Select, exists, select, update
from sqlalchemy.orm import Session

from kibitz_worker.halls import open_halls
from kibitz_worker.leagues.tending import tend_leagues
from kibitz_worker.live import Live
from kibitz_worker.refit import Refit
from kibitz_worker.settings import Settings
from kibitz_worker.store import Store
from kibitz_worker.store.creations import forget_creations
from kibitz_worker.store.models import (
    Admission,
    DealSet,
    Outbox,
    SetState,
    Tournament,
    TournamentState,
    Version,
    VersionState,
)
from kibitz_worker.store.planning import advance
from kibitz_worker.work.absence import settle_absences
from kibitz_worker.work.annulment import tally_of
from kibitz_worker.work.attempts import Retry
from kibitz_worker.work.evidence import note_machines
from kibitz_worker.work.expiry import drop_pointless, take_back
from kibitz_worker.work.filling import fill_admissions, fill_sets
from kibitz_worker.work.jumps import Clock, after_jump, shorten_leases
from kibitz_worker.work.messages import prune_messages
from kibitz_worker.work.outbox import (
    SETS,
    UNTRUSTED,
    LostJobs,
    hall_of,
    queue_of,
    send_jobs,
    waiting_jobs,
)
from kibitz_worker.work.rounds import Rounds
from kibitz_worker.work.waiting import no_sandbox, say_why_nothing_moves
from kibitz_worker.work.workers import Crew, crew

PRUNE_SECONDS = 600.0
"""Time between two looks for messages of seats that are to be forgotten."""

COMPARE_SECONDS = 60.0
"""Time between two comparisons of the machines."""

log = structlog.get_logger(__name__)


def retry_of(settings: Settings) -> Retry:
    """Return the rules for failures that the settings ask for."""
    return Retry(settings.max_attempts, settings.backoff_seconds, settings.quarantine_after)


class Reconciler:
    """Holds what one process remembers between two looks."""

    def __init__(self, store: Store, connection: redis.Redis, settings: Settings) -> None:
        self._store = store
        self._connection = connection
        self._settings = settings
        self._live = Live(connection)
        self._lost = LostJobs(connection)
        self._refit = Refit(store, self._live)
        self._rounds = Rounds()
        self._was_busy = True
        self._clock = Clock()
        self._prune_at = 0.0
        self._compare_at = 0.0

    def tick(self) -> None:
        """Look once: free what is lost, queue what is due, close what is over, rate what is new.

        Raises QueueServerError while the queue server does not answer; the database is in order
        all the same.
        """
        self._prune()
        tend_leagues(self._store)
        busy = self._busy()
        if not (busy or self._was_busy or self._refit.behind):
            return
        self._was_busy = busy
        self._tend()
        self._compare_machines()
        self._refit.refresh()
        self._advance()
        self._finish()
        self._forget_lost_jobs()
        self._fill()
        send_jobs(self._store, self._connection)

    def _prune(self) -> None:
        """Forget messages of seats that are too old or too many, and old keys, now and then."""
        if time.monotonic() < self._prune_at:
            return
        self._prune_at = time.monotonic() + PRUNE_SECONDS
        settings = self._settings
        with self._store.write() as session:
            now, most = self._store.now(session), settings.message_megabytes << 20
            gone = prune_messages(session, now, settings.message_days, most)
            forget_creations(session, now)
        if gone:
            log.info("messages of seats forgotten", seats=gone)

    def _compare_machines(self) -> None:
        """Look now and then whether a machine spoils results."""
        if time.monotonic() < self._compare_at:
            return
        self._compare_at = time.monotonic() + COMPARE_SECONDS
        with self._store.write() as session:
            found = note_machines(session, self._store.now(session))
        for one in found:
            if one.suspect:
                log.warning("a machine spoils results", machine=one.name, sets=one.sets, p=one.p)

    def _busy(self) -> bool:
        """Look whether there is anything to do at all; most of the time there is not."""
        cancelled = select(Tournament.id).where(Tournament.state == TournamentState.CANCELLED)
        waiting = DealSet.state == SetState.WAITING
        with self._store.read() as session:
            return bool(
                session.scalar(
                    select(
                        exists().where(Tournament.state == TournamentState.RUNNING)
                        | exists().where(DealSet.state == SetState.LEASED)
                        | exists().where(waiting, DealSet.tournament_id.in_(cancelled))
                        | exists().where(Admission.state.in_((SetState.WAITING, SetState.LEASED)))
                        | exists().where(Outbox.sent.is_(None))
                    )
                )
            )

    def _tend(self) -> None:
        with self._store.write() as session:
            now = self._store.now(session)
            self._mind_the_clock(session, now)
            freed = take_back(session, now, retry_of(self._settings))
            dropped = drop_pointless(session, now) + settle_absences(session, now)
            refuse_without_sandbox(session, now, crew(session, now))
        if freed or dropped:
            log.warning("work taken back", units=freed, dropped=dropped)

    def _mind_the_clock(self, session: Session, now: datetime) -> None:
        jump = self._clock.jumped(now, time.monotonic())
        if jump:
            log.warning("the clock was set, all leases run anew", seconds=round(jump))
            after_jump(session, now, self._settings.lease_seconds)
        shorten_leases(session, now, self._settings.lease_seconds)

    def _advance(self) -> None:
        """Let formats plan what comes next where something has been played since the last look."""
        with self._store.read() as session:
            due = self._rounds.due(session)
        for tournament_id in due:
            with self._store.write() as session:
                advance(session, self._store.now(session), tournament_id)

    def _finish(self) -> None:
        with self._store.read() as session:
            over = [tournament.id for tournament in session.scalars(played_out())]
        for tournament_id in over:
            # The last standings are there before anybody can see that the tournament is over.
            self._refit.refresh(final=tournament_id)
            with self._store.write() as session:
                finished = finish(session, self._store.now(session), tournament_id)
            if finished:
                log.info("tournament finished", tournament=tournament_id)
                self._live.publish("tournament_finished", tournament=tournament_id)

    def _forget_lost_jobs(self) -> None:
        with self._store.read() as session:
            query = select(Outbox.job, Outbox.queue).where(
                Outbox.sent.is_not(None),
                exists().where(DealSet.job == Outbox.job, DealSet.state == SetState.WAITING)
                | exists().where(Admission.job == Outbox.job, Admission.state == SetState.WAITING),
            )
            sent = dict(session.execute(query).all())
        halls = open_halls(self._connection)
        anywhere = {None, *halls.guests}
        left = {job for job, queue in sent.items() if hall_of(queue) not in anywhere}
        lost = left | self._lost.among(sent, time.monotonic())
        if not lost:
            return
        log.warning("jobs lost by the queue are written anew", jobs=len(lost))
        with self._store.write() as session:
            for table in (DealSet, Admission):
                session.execute(
                    update(table)
                    .where(table.job.in_(lost), table.state == SetState.WAITING)
                    .values(job=None)
                    .execution_options(synchronize_session=False)
                )

    def _fill(self) -> None:
        halls = open_halls(self._connection)
        kinds = (SETS, UNTRUSTED)
        queues = [*kinds, *(queue_of(kind, hall) for hall in halls.guests for kind in kinds)]
        depth = {queue: waiting_jobs(self._connection, queue) for queue in queues}
        with self._store.write() as session:
            now = self._store.now(session)
            hands = crew(session, now)
            # One job a process may wait; more would only be decided earlier than it needs to be.
            room = {queue: hands.taking(queue) - depth[queue] for queue in queues}
            room[UNTRUSTED] -= fill_admissions(session, now, room[UNTRUSTED])
            chosen = self._settings
            fill_sets(session, now, room, hands.all, chosen.job_seconds, chosen.bot_jobs, halls)
            say_why_nothing_moves(session, now, chosen.bot_jobs, halls)


def played_out() -> Select[Tournament]:
    """Return the query for running tournaments whose sets are all done or void."""
    left = exists().where(
        DealSet.tournament_id == Tournament.id,
        DealSet.state.in_((SetState.WAITING, SetState.LEASED)),
    )
    return select(Tournament).where(
        Tournament.state == TournamentState.RUNNING, Tournament.planned, ~left
    )


def finish(session: Session, now: datetime, tournament_id: str) -> bool:
    """Close a tournament that is played out; True for the one call that did it."""
    tally = tally_of(session, tournament_id)
    missing = tally.get(SetState.VOID, 0)
    done = session.execute(
        update(Tournament)
        .where(Tournament.id.in_(played_out().with_only_columns(Tournament.id)))
        .where(Tournament.id == tournament_id)
        .values(
            state=TournamentState.FINISHED,
            finished=now,
            reason=f"{amount(missing, 'set')} could not be played" if missing else None,
            tally=tally,
        )
        .execution_options(synchronize_session=False)
    )
    return bool(done.rowcount)  # type: ignore[attr-defined]


def refuse_without_sandbox(session: Session, now: datetime, hands: Crew) -> None:
    """Refuse waiting submissions when there are workers, but none that may run them."""
    if not hands.all or hands.sandboxed:
        return
    waiting = select(Admission).where(Admission.state == SetState.WAITING)
    for admission in session.scalars(waiting):
        version = session.get_one(Version, admission.version_id)
        version.state = VersionState.REFUSED
        version.reason = f"NO_SANDBOX: {no_sandbox(hands)}"
        admission.state = SetState.VOID
        admission.reason = version.reason
        admission.finished = now
