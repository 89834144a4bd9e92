"""Clocks that are set: what was written by the old time is put right by the new one.

Leases, pauses and signs of life are moments of the database's clock. When that clock is set back,
dead holders would keep their leases and pauses would last by so much longer; when it is set
forward, living ones would lose them all.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import update
from sqlalchemy.orm import Session

from kibitz_worker.store.models import (
    Admission,
    DealSet,
    SetState,
    Version,
    WorkerProcess,
)

JUMP_SECONDS = 2.0
"""Two looks at the clock may disagree with the time between them by so much."""

SLACK = timedelta(seconds=5)


class Clock:
    """Compares the database's clock with this process's own, which nobody can set."""

    def __init__(self) -> None:
        self._last: tuple[datetime, float] | None = None

    def jumped(self, now: datetime, monotonic: float) -> float:
        """Return by how many seconds the clock was set since the last look; 0.0 for none."""
        before, self._last = self._last, (now, monotonic)
        if before is None:
            return 0.0
        jump = (now - before[0]).total_seconds() - (monotonic - before[1])
        return jump if abs(jump) > JUMP_SECONDS else 0.0


def after_jump(session: Session, now: datetime, lease_seconds: float) -> None:
    """Let all leases run anew, end all pauses, and take nobody for seen in the future."""
    for table in (DealSet, Admission):
        session.execute(
            update(table)
            .where(table.state == SetState.LEASED)
            .values(lease_until=now + timedelta(seconds=lease_seconds))
            .execution_options(synchronize_session=False)
        )
        session.execute(
            update(table)
            .where(table.state == SetState.WAITING, table.due.is_not(None))
            .values(due=None)
            .execution_options(synchronize_session=False)
        )
    no_future(session, now)


def no_future(session: Session, now: datetime) -> None:
    """Bring signs of life that seem to come from the future down to now."""
    for table in (Version, WorkerProcess):
        session.execute(
            update(table)
            .where(table.seen > now + SLACK)
            .values(seen=now)
            .execution_options(synchronize_session=False)
        )


def shorten_leases(session: Session, now: datetime, lease_seconds: float) -> None:
    """Let no lease run longer than one can be given: the clock was set back with nobody looking."""
    most = now + timedelta(seconds=lease_seconds)
    for table in (DealSet, Admission):
        session.execute(
            update(table)
            .where(table.state == SetState.LEASED, table.lease_until > most + SLACK)
            .values(lease_until=most)
            .execution_options(synchronize_session=False)
        )
