"""What of the installation works, asked of its parts."""

from dataclasses import asdict
from datetime import datetime, timedelta
from importlib.metadata import version

import redis
from kibitz_worker.errors import StoreError
from kibitz_worker.store.migrate import current, head
from kibitz_worker.store.models import (
    Admission,
    Attempt,
    DealSet,
    Match,
    Outcome,
    SetState,
    Tournament,
    TournamentState,
    WorkerProcess,
)
from kibitz_worker.work import evidence
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz_api.context import Services
from kibitz_api.health.models import (
    Check,
    HealthAnswer,
    MachineAnswer,
    QueueAnswer,
    Readiness,
    WorkerAnswer,
)
from kibitz_api.health.trades import alarms as trade_alarms
from kibitz_api.health.trades import trades
from kibitz_api.health.twins import alarms as twin_alarms
from kibitz_api.health.twins import twin_checks, twins
from kibitz_api.leaderboards.queries import with_payload
from kibitz_api.tournaments import second_looks

ALIVE = timedelta(seconds=60)
STUCK = timedelta(minutes=10)
WORKERS_SHOWN = timedelta(days=1)


def readiness(services: Services) -> Readiness:
    """Ask database, migrations, Redis and workers; never raises."""
    checks = {
        "database": Check(ok=True, required=True, detail="answers"),
        "migrations": Check(ok=False, required=True, detail="not known"),
        "redis": _redis(services.redis_url),
        "sandbox": Check(ok=False, required=False, detail="not known"),
    }
    try:
        with services.store.read() as session:
            checks["migrations"] = _migrations(session)
            checks["sandbox"] = _sandbox(workers(session, services.store.now(session)))
    except StoreError as error:
        checks["database"] = Check(ok=False, required=True, detail=str(error))
    ready = all(check.ok for check in checks.values() if check.required)
    return Readiness(ready=ready, checks=checks)


def _redis(url: str) -> Check:
    try:
        with redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as client:
            client.ping()
    except (redis.RedisError, OSError) as error:
        return Check(ok=False, required=True, detail=f"does not answer: {error}"[:300])
    return Check(ok=True, required=True, detail="answers")


def _migrations(session: Session) -> Check:
    found, wanted = current(session.connection()), head()
    if found == wanted:
        return Check(ok=True, required=True, detail=f"at head ({wanted})")
    return Check(ok=False, required=True, detail=f"at {found}, needs {wanted}")


def _sandbox(found: list[WorkerAnswer]) -> Check:
    alive = [worker for worker in found if worker.alive]
    if not alive:
        return Check(ok=False, required=False, detail="no worker is running")
    safe = [worker for worker in alive if worker.sandbox != "none"]
    layers = sorted({worker.sandbox for worker in safe or alive})
    reasons = sorted({worker.reason for worker in alive if worker.reason})
    detail = ", ".join(layers) + (f" ({'; '.join(reasons)})" if reasons else "")
    return Check(ok=bool(safe), required=False, detail=detail[:300])


def workers(session: Session, now: datetime) -> list[WorkerAnswer]:
    """The workers of the last day, those seen last first; `now` is the database's own time."""
    query = (
        select(WorkerProcess)
        .where(WorkerProcess.seen > now - WORKERS_SHOWN)
        .order_by(WorkerProcess.seen.desc())
        .limit(50)
    )
    return [
        WorkerAnswer(
            name=worker.name,
            sandbox=worker.sandbox,
            reason=worker.reason,
            started=worker.started,
            seen=worker.seen,
            alive=worker.stopped is None and now - worker.seen < ALIVE,
        )
        for worker in session.scalars(query)
    ]


def queue(session: Session, now: datetime) -> QueueAnswer:
    """Work of running tournaments, and how long it has stood still."""
    ids = session.scalars(
        select(Tournament.id).where(Tournament.state == TournamentState.RUNNING)
    ).all()
    # By name, since a join makes the database read all sets there ever were.
    running = (
        select(DealSet.state, func.count())
        .where(DealSet.tournament_id.in_(ids))
        .group_by(DealSet.state)
    )
    counts = dict(session.execute(running).all()) if ids else {}
    waiting = counts.get(SetState.WAITING, 0)
    failed = select(func.count()).where(
        Attempt.outcome.in_((Outcome.FAILED, Outcome.LOST)),
        Attempt.started > now - timedelta(days=1),
    )
    admissions = select(func.count(), func.min(Admission.created)).where(
        Admission.state == SetState.WAITING
    )
    trials, oldest = session.execute(admissions).one()
    return QueueAnswer(
        sets_waiting=waiting,
        sets_playing=counts.get(SetState.LEASED, 0),
        sets_void=counts.get(SetState.VOID, 0),
        oldest_wait_seconds=_still(session, now) if waiting else None,
        last_match=session.scalar(
            select(Match.finished)
            .where(Match.finished.is_not(None))
            .order_by(Match.finished.desc())
            .limit(1)
        ),
        admissions_waiting=trials,
        oldest_admission_seconds=(now - oldest).total_seconds() if oldest else None,
        attempts_failed=session.scalar(failed) or 0,
    )


def _still(session: Session, now: datetime) -> float | None:
    """Seconds since anything moved while work was waiting."""
    began = session.scalar(
        select(func.min(Tournament.started)).where(Tournament.state == TournamentState.RUNNING)
    )
    last = session.scalar(select(func.max(Match.finished)))
    moments = [moment for moment in (began, last) if moment is not None]
    return (now - max(moments)).total_seconds() if moments else None


def health(services: Services, session: Session) -> HealthAnswer:
    """All that an operator wants on one page."""
    now = services.store.now(session)
    ready, found, work = readiness(services), workers(session, now), queue(session, now)
    rated = with_payload(session)
    same, traded, checks = twins(rated), trades(rated), twin_checks(session)
    compared = evidence.noted_machines(session)
    return HealthAnswer(
        readiness=ready,
        version=version("kibitz-server"),
        server_time=now,
        workers=found,
        queue=work,
        viewers=services.hub.viewers,
        machines=[MachineAnswer(**asdict(one)) for one in compared],
        twin_checks=checks,
        twins=same,
        trades=traded,
        alarms=[
            *_alarms(ready, found, work),
            *evidence.alarms(compared),
            *second_looks.alarms(session),
            *twin_alarms([*(pair for check in checks for pair in check.pairs), *same]),
            *trade_alarms(traded),
        ],
    )


def _alarms(ready: Readiness, found: list[WorkerAnswer], work: QueueAnswer) -> list[str]:
    alarms = [f"{name}: {check.detail}" for name, check in ready.checks.items() if not check.ok]
    if not any(worker.alive for worker in found) and (work.sets_waiting or work.admissions_waiting):
        alarms.append("Work is waiting and no worker is running.")
    stuck = STUCK.total_seconds()
    if (work.oldest_wait_seconds or 0) > stuck and not work.sets_playing:
        alarms.append(f"{work.sets_waiting} sets wait and none has finished for ten minutes.")
    if (work.oldest_admission_seconds or 0) > stuck:
        alarms.append(f"{work.admissions_waiting} uploads wait for their trial for ten minutes.")
    return alarms
