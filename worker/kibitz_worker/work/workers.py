"""The workers that are up, and what they can run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import WorkerProcess
from kibitz_worker.work.holder import hall_named
from kibitz_worker.work.outbox import SETS, hall_of

SILENT = timedelta(seconds=30)
FORGOTTEN = timedelta(days=7)
REFUSED = "none"


@dataclass(frozen=True)
class Crew:
    """Job processes that are up: all of them, and those that may run submitted bots."""

    all: int
    sandboxed: int
    reason: str | None
    by_hall: Mapping[str, Hands] = field(default_factory=dict)

    def taking(self, queue: str) -> int:
        """Return how many of them take jobs of a queue."""
        hall = hall_of(queue)
        there = self.by_hall.get(hall, Hands()) if hall else self
        return there.all if queue.startswith(SETS) else there.sandboxed


@dataclass(frozen=True)
class Hands:
    """Job processes that are up at one machine: all, and those that may run submitted bots."""

    all: int = 0
    sandboxed: int = 0


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
    by_hall: dict[str, Hands] = {}
    for worker in up:
        there = by_hall.get(hall_named(worker.name), Hands())
        sandboxed = worker.jobs if worker.sandbox != REFUSED else 0
        by_hall[hall_named(worker.name)] = Hands(
            there.all + worker.jobs, there.sandboxed + sandboxed
        )
    return Crew(
        all=sum(hands.all for hands in by_hall.values()),
        sandboxed=sum(hands.sandboxed for hands in by_hall.values()),
        reason=next((w.reason for w in up if w.sandbox == REFUSED and w.reason), None),
        by_hall=by_hall,
    )
