"""The workers that are up, and what they can run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import WorkerProcess

SILENT = timedelta(seconds=30)
FORGOTTEN = timedelta(days=7)
REFUSED = "none"


@dataclass(frozen=True)
class Crew:
    """Job processes that are up: all of them, and those that may run submitted bots."""

    all: int
    sandboxed: int
    reason: str | None


def report_worker(session: Session, now: datetime, process: WorkerProcess) -> None:
    """Say that a worker lives."""
    process.seen = now
    session.merge(process)
    session.execute(delete(WorkerProcess).where(WorkerProcess.seen < now - FORGOTTEN))


def crew(session: Session, now: datetime) -> Crew:
    """Return who is up now."""
    query = select(WorkerProcess).where(
        WorkerProcess.seen >= now - SILENT, WorkerProcess.stopped.is_(None)
    )
    up = list(session.scalars(query))
    return Crew(
        all=sum(worker.jobs for worker in up),
        sandboxed=sum(worker.jobs for worker in up if worker.sandbox != REFUSED),
        reason=next((w.reason for w in up if w.sandbox == REFUSED and w.reason), None),
    )
