"""Leases: one process at a time works at a set, and is found out when it has died.

The holder's token belongs to one start of one process. It renews the lease while it lives; a
lease that has run out is taken away, and whatever its former holder reports later is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from kibitz_worker.store.models import (
    Admission,
    Attempt,
    DealSet,
    Leased,
    Outcome,
    SetState,
    Tournament,
    TournamentState,
)
from kibitz_worker.work.holder import Holder


def lease_sets(
    session: Session, now: datetime, holder: Holder, sets: Mapping[str, int]
) -> dict[str, Attempt]:
    """Take those of `sets` (id: number of the attempt) that are still to be had.

    A set that another job has taken, that is done, or whose tournament does not run is left out,
    so that a job that runs twice plays nothing twice.
    """
    query = (
        select(DealSet)
        .join(Tournament)
        .where(
            DealSet.id.in_(list(sets)),
            DealSet.state == SetState.WAITING,
            Tournament.state == TournamentState.RUNNING,
        )
        .order_by(DealSet.number)
        .with_for_update(of=DealSet, skip_locked=True)
    )
    taken = {}
    for deal_set in session.scalars(query):
        if deal_set.attempts + 1 != sets[deal_set.id]:
            continue
        _take(deal_set, now, holder)
        attempt = Attempt(
            set_id=deal_set.id,
            number=deal_set.attempts,
            job=holder.job,
            worker=holder.worker,
            started=now,
            outcome=Outcome.RUNNING,
        )
        session.add(attempt)
        taken[deal_set.id] = attempt
    session.flush()
    return taken


def lease_admission(
    session: Session, now: datetime, holder: Holder, version_id: int, attempt: int
) -> Admission | None:
    """Take the trial of a version, or return None when it is not to be had any more."""
    query = (
        select(Admission)
        .where(Admission.version_id == version_id, Admission.state == SetState.WAITING)
        .with_for_update(of=Admission, skip_locked=True)
    )
    admission = session.scalar(query)
    if admission is None or admission.attempts + 1 != attempt:
        return None
    _take(admission, now, holder)
    return admission


def _take(unit: Leased, now: datetime, holder: Holder) -> None:
    unit.state = SetState.LEASED
    unit.attempts += 1
    unit.lease_token = holder.token
    unit.lease_until = now + timedelta(seconds=holder.lease_seconds)
    unit.worker = holder.worker
    unit.job = holder.job
    unit.reason = None


def renew(session: Session, now: datetime, holder: Holder) -> None:
    """Say that the holder lives: all its leases run anew."""
    until = now + timedelta(seconds=holder.lease_seconds)
    for table in (DealSet, Admission):
        session.execute(
            update(table)
            .where(table.lease_token == holder.token, table.state == SetState.LEASED)
            .values(lease_until=until)
        )


def held(session: Session, holder: Holder, sets: Iterable[str]) -> set[str]:
    """Return which of the sets the holder still holds and should go on with."""
    query = (
        select(DealSet.id)
        .join(Tournament)
        .where(
            DealSet.id.in_(list(sets)),
            DealSet.lease_token == holder.token,
            DealSet.state == SetState.LEASED,
            Tournament.state != TournamentState.CANCELLED,
        )
    )
    return set(session.scalars(query))


def let_go(unit: Leased, *, due: datetime | None, reason: str | None) -> None:
    """Put a unit back among the waiting ones, from `due` on."""
    unit.state = SetState.WAITING
    unit.lease_token = None
    unit.lease_until = None
    unit.worker = None
    unit.job = None
    unit.due = due
    unit.reason = reason


def settle(unit: Leased, state: SetState, now: datetime, reason: str | None = None) -> None:
    """End a unit for good, as done or void."""
    unit.state = state
    unit.lease_token = None
    unit.lease_until = None
    unit.job = None
    unit.finished = now
    unit.reason = reason
