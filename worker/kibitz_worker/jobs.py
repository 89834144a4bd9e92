"""The functions that RQ calls; their names and arguments are kept by queues, so they are fixed.

A job carries ids only. Everything it needs it reads from the settings and the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from rq import get_current_job

from kibitz_worker.clients import client
from kibitz_worker.play.admission import admit as hold_trial
from kibitz_worker.play.context import Job, open_job
from kibitz_worker.play.sets import play_sets as play_leased
from kibitz_worker.settings import load_settings
from kibitz_worker.store import open_store
from kibitz_worker.valkey import queue_url
from kibitz_worker.work.holder import Holder, worker_name

T = TypeVar("T")


def play_sets(sets: dict[str, int]) -> int:
    """Play sets, given as id: number of the attempt; return how many were still to be had."""
    return run(lambda job: play_leased(job, sets))


def admit(version_id: int, attempt: int) -> bool:
    """Hold the trial of a submitted version; return whether it was still to be had."""
    return run(lambda job: hold_trial(job, version_id, attempt))


def run(work: Callable[[Job], Awaitable[T]]) -> T:
    """Run the work of a job with a store and a lease of its own."""
    settings = load_settings()
    current = get_current_job()
    holder = Holder(worker_name(), current.id if current else None, settings.lease_seconds)
    with (
        open_store(settings.database, migrate=False) as store,
        client(queue_url(settings)) as connection,
    ):

        async def main() -> T:
            return await work(open_job(settings, store, connection, holder))

        return asyncio.run(main())
