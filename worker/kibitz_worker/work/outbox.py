"""The outbox: jobs are written in the transaction that makes them due, and sent to RQ afterwards.

So no crash between the two can lose a job, and none can be queued for work that was rolled back.
A job that RQ has lost all the same (a flushed or replaced server, a killed worker) is found by
asking RQ for it and written again under a new id.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import redis
from rq import Queue
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer
from sqlalchemy import delete, exists, select
from sqlalchemy.orm import Session

from kibitz_worker.clients import answering
from kibitz_worker.store import Store
from kibitz_worker.store.models import Admission, DealSet, Outbox
from kibitz_worker.store.moments import database_now

SETS = "sets"
"""Queue of jobs that run only bots the operator trusts."""

UNTRUSTED = "untrusted"
"""Queue of jobs that run submitted bots; taken only by workers with a sandbox (or --trust)."""


def queue_of(kind: str, hall: str) -> str:
    """Return the queue of jobs for self-hosted bots that are at a hall.

    `kind` is SETS or UNTRUSTED; only the workers of that host take them.
    """
    return f"{kind}@{hall}"


def hall_of(queue: str) -> str | None:
    """Return the hall whose queue it is; None for a queue that all workers take jobs of."""
    return queue.partition("@")[2] or None


FUNCTIONS = {"sets": "kibitz_worker.jobs.play_sets", "admission": "kibitz_worker.jobs.admit"}

JOB_SECONDS = 3600
"""RQ ends a job after this time; leases and clocks end trouble long before."""

KEEP = timedelta(hours=1)


def write_job(session: Session, queue: str, kind: str, unit: str, **arguments: Any) -> str:
    """Write a job to the outbox and return its id; it is sent when the transaction is over.

    `unit` names unit and attempt. A random part keeps RQ from mixing it up with a job of the same
    unit that it still remembers.
    """
    job = f"{kind}-{unit}-{secrets.token_hex(4)}"
    payload = {"function": FUNCTIONS[kind], "arguments": arguments}
    session.add(Outbox(queue=queue, job=job, payload=payload, created=database_now(session)))
    return job


def send_jobs(store: Store, connection: redis.Redis) -> int:
    """Hand all unsent jobs to RQ; return how many. Sending one twice leaves one in the queue.

    Raises QueueServerError (REDIS_UNREACHABLE); what was not sent stays in the outbox.
    """
    with store.read() as session:
        waiting = list(
            session.scalars(select(Outbox).where(Outbox.sent.is_(None)).order_by(Outbox.id))
        )
    if not waiting:
        return 0
    with answering():
        for row in waiting:
            _enqueue(connection, row)
    with store.write() as session:
        now = store.now(session)
        for row in waiting:
            kept = session.get(Outbox, row.id)
            if kept is not None:
                kept.sent = now
        session.execute(
            delete(Outbox).where(
                Outbox.sent < now - KEEP,
                ~exists().where(DealSet.job == Outbox.job),
                ~exists().where(Admission.job == Outbox.job),
            )
        )
    return len(waiting)


def _enqueue(connection: redis.Redis, row: Outbox) -> None:
    if Job.exists(row.job, connection=connection):
        return
    queue = Queue(row.queue, connection=connection, serializer=JSONSerializer)
    queue.enqueue_call(
        row.payload["function"],
        kwargs=row.payload["arguments"],
        job_id=row.job,
        timeout=JOB_SECONDS,
        result_ttl=60,
        failure_ttl=3600,
    )


class LostJobs:
    """Finds the jobs that RQ has lost: neither in their queue nor seen to have begun their work.

    A job that was taken out of its queue has a moment to lease its sets; after that it counts as
    lost, whatever the registries of RQ say of it.
    """

    PATIENCE = 20.0

    def __init__(self, connection: redis.Redis) -> None:
        self._connection = connection
        self._missing: dict[str, float] = {}

    def among(self, sent: Mapping[str, str], now: float) -> set[str]:
        """Return which jobs (id: queue) with units still waiting are lost; `now` is monotonic.

        Raises QueueServerError (REDIS_UNREACHABLE).
        """
        with answering():
            queued = {
                job
                for name in set(sent.values())
                for job in Queue(name, connection=self._connection).job_ids
            }
            gone = [job for job in sent if job not in queued]
            known = Job.fetch_many(gone, self._connection, JSONSerializer) if gone else []
        begun = {job.id for job in known if job and job.get_status(refresh=False) in _BEGINNING}
        self._missing = {job: self._missing.get(job, now) for job in begun}
        slow = {job for job, since in self._missing.items() if now - since > self.PATIENCE}
        return (set(gone) - begun) | slow


_BEGINNING = {JobStatus.QUEUED, JobStatus.STARTED}


def waiting_jobs(connection: redis.Redis, queue: str) -> int:
    """Return how many jobs of a queue no worker has taken yet.

    Raises QueueServerError (REDIS_UNREACHABLE).
    """
    with answering():
        return Queue(queue, connection=connection, serializer=JSONSerializer).count
