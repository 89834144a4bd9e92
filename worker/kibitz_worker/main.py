"""A worker: job processes and a keeper, started, watched and stopped together."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO, cast

import structlog

from kibitz_worker.children import Child
from kibitz_worker.errors import WorkerError
from kibitz_worker.house import add_house_bots
from kibitz_worker.leagues.twin_check import keep_twin_checks
from kibitz_worker.lifeline import PARENT
from kibitz_worker.logs import Lossy, set_up_logs
from kibitz_worker.metrics import serve
from kibitz_worker.play.context import LAYER
from kibitz_worker.sandbox import Layer, probe
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import WorkerProcess
from kibitz_worker.valkey import QueueServer, open_queue_server
from kibitz_worker.work.holder import worker_name
from kibitz_worker.work.workers import report_worker

LOOK_SECONDS = 0.2
REPORT_SECONDS = 5.0
DRAIN_SECONDS = 12.0
OLD_OUTPUT_SECONDS = 3600.0

log = structlog.get_logger(__name__)


class WorkerMain:
    """The processes of one worker and its place in the store's list of workers."""

    def __init__(self, settings: Settings, store: Store, queue: QueueServer) -> None:
        self._settings = settings
        self._store = store
        self._queue = queue
        self._stop = threading.Event()
        self._reported = 0.0
        self._children = [Child("keeper", "kibitz_worker.keeper", child_environment(settings))]
        self._row: WorkerProcess | None = None

    def stop(self, *_: object) -> None:
        """Ask for the end; a signal handler."""
        self._stop.set()

    def run(self) -> None:
        """Keep everything running until asked to stop, then drain."""
        stop_metrics = serve(self._settings, self._store, self._running)
        try:
            self._look()
            layer = probe()  # takes its time, in which the keeper comes up
            self._take_jobs(layer)
            say(self._settings, self._store, self._queue, layer)
            while not self._stop.is_set():
                self._look()
                self._stop.wait(LOOK_SECONDS)
        finally:
            self._drain()
            stop_metrics()

    def _running(self) -> int:
        return sum(child.running for child in self._children)

    def _take_jobs(self, layer: Layer) -> None:
        settings = self._settings
        environment = child_environment(settings, layer)
        self._children += [
            Child(f"runner {number}", "kibitz_worker.runner", environment)
            for number in range(1, settings.workers + 1)
        ]
        now = self._now()
        self._row = WorkerProcess(
            id=secrets.token_hex(16),
            name=worker_name(),
            jobs=settings.workers,
            sandbox="trust" if settings.trust and not layer.safe else layer.name,
            reason=layer.reason[:500],
            started=now,
            seen=now,
        )
        self._reported = 0.0

    def _now(self) -> datetime:
        """Ask the database for the time, since this machine's clock may be wrong."""
        try:
            with self._store.read() as session:
                return self._store.now(session)
        except WorkerError:
            return datetime.now(UTC)

    def _look(self) -> None:
        for child in self._children:
            child.keep_running()
        if time.monotonic() - self._reported >= REPORT_SECONDS:
            self._reported = time.monotonic()
            self._report()
            self._look_at_queue()

    def _report(self, *, stopped: bool = False) -> None:
        if self._row is None:
            return
        try:
            with self._store.write() as session:
                now = self._store.now(session)
                self._row.stopped = now if stopped else None
                report_worker(session, now, self._row)
        except WorkerError as error:
            log.warning("cannot report to the database", reason=error.reason, error=str(error))

    def _look_at_queue(self) -> None:
        """Bring back a queue server of the data folder that has died."""
        if self._settings.redis_url or self._queue.alive():
            return
        log.warning("the queue server does not answer, it is started again")
        self._queue.stop()
        try:
            self._queue = open_queue_server(self._settings)
        except WorkerError as error:
            log.warning("no queue server", reason=error.reason, error=str(error))

    def _drain(self) -> None:
        for child in self._children:
            child.terminate()
        until = time.monotonic() + DRAIN_SECONDS
        for child in self._children:
            child.wait(max(0.0, until - time.monotonic()))
        self._report(stopped=True)
        self._queue.stop()


def child_environment(settings: Settings, layer: Layer | None = None) -> dict[str, str]:
    """Give the processes the settings of this one and what it has found out."""
    found = {**os.environ, **settings.environment(), PARENT: str(os.getpid())}
    if layer is not None:
        found[LAYER] = json.dumps(layer.to_json())
    return found


def clear_output(folder: Path) -> None:
    """Remove what killed jobs have left of their bots' output."""
    for job in folder.glob("job-*"):
        try:
            if time.time() - job.stat().st_mtime > OLD_OUTPUT_SECONDS:
                shutil.rmtree(job, ignore_errors=True)
        except OSError:
            continue


def run(settings: Settings) -> None:
    """Run a worker until SIGTERM or Ctrl-C. Raises WorkerError when it cannot start."""
    with open_store(settings.database) as store, open_queue_server(settings) as queue:
        with store.write() as session:
            add_house_bots(session)
            keep_twin_checks(session, store.now(session), settings.twin_check)
        clear_output(settings.data_dir / "lanes")
        worker = WorkerMain(settings, store, queue)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, worker.stop)
        worker.run()


def say(settings: Settings, store: Store, queue: QueueServer, layer: Layer) -> None:
    """Print the one line by which one sees that the worker is up."""
    jobs = f"{settings.workers} job process{'es' if settings.workers > 1 else ''}"
    print(
        f"worker {worker_name()}: {jobs}, sandbox {layer.name}, queue {queue.url}, "
        f"database {store.url.render_as_string(hide_password=True)}",
        file=cast(TextIO, Lossy(sys.stdout)),
        flush=True,
    )


def main() -> None:
    """The command ``python -m kibitz_worker``."""
    try:
        settings = load_settings()
        set_up_logs(settings.log_level)
        run(settings)
    except WorkerError as error:
        sys.exit(f"kibitz worker: {error} [{error.reason}]")
