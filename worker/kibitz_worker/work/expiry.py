"""Work whose holder has died, and work that has become pointless."""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

from sqlalchemy import ColumnElement, Select, inspect, select, update
from sqlalchemy.orm import Session

from kibitz_worker.store.models import (
    Admission,
    DealSet,
    Entrant,
    Leased,
    Outcome,
    Pairing,
    SetState,
    Tournament,
    TournamentState,
    Version,
    VersionState,
)
from kibitz_worker.work.attempts import Failure, Retry, fail_set, give_back

T = TypeVar("T", DealSet, Admission)


def take_back(session: Session, now: datetime, retry: Retry) -> int:
    """Free all units whose lease has run out; return how many."""
    return _take_back(session, now, retry, job=None)


def take_back_job(session: Session, now: datetime, retry: Retry, job: str) -> int:
    """Free at once what a job held whose process is known to be dead; return how many."""
    return _take_back(session, now, retry, job=job)


def _take_back(session: Session, now: datetime, retry: Retry, job: str | None) -> int:
    sets = session.scalars(_lost(select(DealSet), DealSet, now, job)).all()
    for deal_set in sets:
        fail_set(session, now, deal_set, _silent(deal_set), retry, outcome=Outcome.LOST)
    admissions = session.scalars(_lost(select(Admission), Admission, now, job)).all()
    for admission in admissions:
        give_back(now, admission, _silent(admission).text, retry, admission.attempts)
    return len(sets) + len(admissions)


def _silent(unit: Leased) -> Failure:
    return Failure("WORKER_LOST", f"{unit.worker} stopped giving signs of life")


def _lost(query: Select[T], table: type[T], now: datetime, job: str | None) -> Select[T]:
    query = query.where(table.state == SetState.LEASED).with_for_update(of=table)
    query = query.order_by(*inspect(table).primary_key)  # so that two of us never wait in a ring
    return query.where(table.lease_until < now if job is None else table.job == job)


def drop_pointless(session: Session, now: datetime) -> int:
    """Make sets void that nobody will play: of cancelled tournaments, of versions put away."""
    cancelled = select(Tournament.id).where(Tournament.state == TournamentState.CANCELLED)
    count = _void(
        session, now, DealSet.tournament_id.in_(cancelled), "the tournament was cancelled"
    )
    stopped = (
        select(Entrant)
        .join(Tournament)
        .join(Version)
        .where(
            Tournament.state == TournamentState.RUNNING,
            Version.state.in_((VersionState.QUARANTINED, VersionState.REFUSED)),
        )
    )
    for entrant in session.scalars(stopped):
        pairings = [
            pairing.id
            for pairing in session.scalars(
                select(Pairing).where(Pairing.tournament_id == entrant.tournament_id)
            )
            if entrant.number in pairing.entrants
        ]
        reason = f"{entrant.version.label} is {entrant.version.state}: {entrant.version.reason}"
        count += _void(session, now, DealSet.pairing_id.in_(pairings), reason[:500])
    return count


def _void(session: Session, now: datetime, which: ColumnElement[bool], reason: str) -> int:
    done = session.execute(
        update(DealSet)
        .where(which, DealSet.state == SetState.WAITING)
        .values(state=SetState.VOID, reason=reason, finished=now, job=None)
        .execution_options(synchronize_session=False)
    )
    return int(done.rowcount)  # type: ignore[attr-defined]
