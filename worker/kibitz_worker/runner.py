"""A job process: an RQ worker that takes jobs one by one, each in a process of its own."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import signal
from types import FrameType
from typing import Any

import kibitz
import redis
import structlog
from rq import Queue, Worker
from rq.executions import Execution
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker import DequeueStrategy
from sqlalchemy.orm import configure_mappers

import kibitz_worker.jobs  # noqa: F401 - imported once here, so that jobs need not do it each
from kibitz_worker.clients import waiting_client
from kibitz_worker.errors import StoreError
from kibitz_worker.lifeline import end_with_parent
from kibitz_worker.logs import set_up_logs
from kibitz_worker.play.context import probed_layer
from kibitz_worker.reconcile import retry_of
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.store import open_store
from kibitz_worker.valkey import queue_url
from kibitz_worker.work.expiry import take_back_job
from kibitz_worker.work.holder import worker_name
from kibitz_worker.work.outbox import SETS, UNTRUSTED, queue_of

log = structlog.get_logger(__name__)


class Runner(Worker):
    """An RQ worker that passes the wish to stop on to its job, and frees what a dead job held."""

    settings: Settings
    max_connection_wait_time = 5.0
    """The longest pause, in seconds, before a queue server out of reach is tried again."""

    def request_stop(self, signum: Any, frame: FrameType | None) -> None:
        """Stop after the job, and let the job know, which then hands back what takes long."""
        if self.horse_pid:
            try:
                os.kill(self.horse_pid, signal.SIGTERM)
            except ProcessLookupError:
                log.debug("the job has just ended")
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def maintain_heartbeats(self, job: Job, execution: Execution) -> None:
        """Tell Redis that the job goes on; out of its reach, the job goes on all the same."""
        try:
            super().maintain_heartbeats(job, execution)
        except (redis.RedisError, OSError) as error:
            log.warning("the queue server is out of reach", job=job.id, error=str(error))

    def handle_work_horse_killed(self, job: Job, retpid: Any, ret_val: Any, rusage: Any) -> None:
        """Free the sets of a job whose process was killed, without waiting for its lease."""
        log.warning("job process died", job=job.id, status=ret_val)
        try:
            with (
                open_store(self.settings.database, migrate=False) as store,
                store.write() as session,
            ):
                take_back_job(session, store.now(session), retry_of(self.settings), job.id)
        except StoreError as error:
            log.warning("its sets wait for their lease to end", job=job.id, error=str(error))
        super().handle_work_horse_killed(  # type: ignore[no-untyped-call]
            job, retpid, ret_val, rusage
        )


def queues(settings: Settings) -> list[str]:
    """Return the queues that this process may take jobs of, those of its own hall first."""
    may_run_strangers = settings.trust or probed_layer().safe
    kinds = [SETS, UNTRUSTED] if may_run_strangers else [SETS]
    return [*(queue_of(kind, settings.hall) for kind in kinds), *kinds]


def warm_up() -> None:
    """Do once what else every job would do anew: its process is a copy of this one.

    Jobs would do it, what is more, while they keep all others from writing to the database.
    """
    configure_mappers()
    for name in kibitz.games():
        kibitz.game(name)
    gc.freeze()  # what is here stays, and its memory is shared as long as nobody looks through it


def main() -> None:
    """Take jobs until SIGTERM."""
    end_with_parent()
    settings = load_settings()
    set_up_logs(settings.log_level)
    warm_up()
    with waiting_client(queue_url(settings)) as connection:
        runner = Runner(
            [
                Queue(name, connection=connection, serializer=JSONSerializer)
                for name in queues(settings)
            ],
            name=f"{worker_name()}:{secrets.token_hex(4)}",
            connection=connection,
            serializer=JSONSerializer,
            job_monitoring_interval=5,
        )
        runner.settings = settings
        runner.log.setLevel(logging.WARNING)
        # By turns, so that leagues of house bots and submitted ones do not keep each other waiting.
        runner.work(logging_level="WARNING", dequeue_strategy=DequeueStrategy.ROUND_ROBIN)


if __name__ == "__main__":
    main()
