"""How long a tournament will take, by how long past sets of its game took."""

from collections import defaultdict
from datetime import timedelta

from kibitz_worker.store.models import Attempt, DealSet, Outcome, Tournament, WorkerProcess
from sqlalchemy import func, select
from sqlalchemy.orm import Session

LATEST = 200
ALIVE = timedelta(minutes=1)


def expected_seconds(session: Session, game: str, deals: int) -> float | None:
    """How long the workers that are up need for so many deals of a game, or None if unknown.

    The sets of a job are played at the same time, so it is the time of jobs that is measured.
    """
    query = (
        select(Attempt.job, Attempt.started, Attempt.ended, DealSet.deals)
        .join(DealSet, DealSet.id == Attempt.set_id)
        .join(Tournament, Tournament.id == DealSet.tournament_id)
        .where(Tournament.game == game, Attempt.outcome == Outcome.DONE)
        .order_by(Attempt.id.desc())
        .limit(LATEST)
    )
    jobs = defaultdict(list)
    for job, started, ended, played in session.execute(query):
        jobs[job].append((started, ended or started, played))
    seconds = sum(
        (max(end for _, end, _ in rows) - min(start for start, _, _ in rows)).total_seconds()
        for rows in jobs.values()
    )
    measured = sum(played for rows in jobs.values() for _, _, played in rows)
    if not measured or seconds <= 0:
        return None
    return deals * seconds / measured / max(1, _hands(session))


def _hands(session: Session) -> int:
    """How many job processes are up, by the sign of life that came last."""
    up = WorkerProcess.stopped.is_(None)
    newest = session.scalar(select(func.max(WorkerProcess.seen)).where(up))
    if newest is None:
        return 0
    alive = select(func.sum(WorkerProcess.jobs)).where(up, WorkerProcess.seen > newest - ALIVE)
    return session.scalar(alive) or 0
