"""What a job has at hand: settings, store, live stream, its lease and where bots may run."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from random import uniform
from typing import TypeVar

import redis
import structlog
from sqlalchemy.orm import Session

from kibitz_worker.errors import StoreError
from kibitz_worker.live import Live
from kibitz_worker.play.processes import Given
from kibitz_worker.sandbox import Layer, Limits
from kibitz_worker.settings import Settings
from kibitz_worker.store import Store
from kibitz_worker.store.troubles import PASSING
from kibitz_worker.work.attempts import Retry
from kibitz_worker.work.holder import Holder
from kibitz_worker.work.leases import renew

LAYER = "KIBITZ_SANDBOX_LAYER"
"""Environment variable by which a worker tells its job processes what its probe has found."""

PATIENCE_SECONDS = 120.0
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0

UNPROBED = Layer("none", "this process was not started by a worker that has probed the sandbox")

T = TypeVar("T")
log = structlog.get_logger(__name__)


@dataclass
class Job:
    """A job under way. `stopping` is set when the worker has been asked to stop."""

    settings: Settings
    store: Store
    live: Live
    holder: Holder
    stopping: asyncio.Event

    @property
    def retry(self) -> Retry:
        """What follows a failure."""
        settings = self.settings
        return Retry(settings.max_attempts, settings.backoff_seconds, settings.quarantine_after)

    @property
    def given(self) -> Given:
        """What the bot processes of this job get."""
        folder = self.settings.data_dir / "lanes"
        folder.mkdir(mode=0o700, exist_ok=True)
        return Given(
            socket=self.settings.bot_socket,
            folder=folder,
            layer=probed_layer(),
            trust=self.settings.trust,
            limits=Limits(),
        )

    async def write(self, action: Callable[[Session, datetime], T]) -> T:
        """Run a write transaction in a thread, so that the event loop goes on.

        Trouble that passes (a database that restarts, a full disk) is waited for, as long as the
        work is worth waiting for; so actions must bear being run twice. Raises StoreError.
        """
        until = time.monotonic() + PATIENCE_SECONDS
        pause = FIRST_PAUSE
        while True:
            try:
                return await asyncio.to_thread(self._write, action)
            except StoreError as error:
                hopeless = error.reason not in PASSING or self.stopping.is_set()
                if hopeless or time.monotonic() + pause > until:
                    raise
                log.warning("the database is waited for", reason=error.reason, error=str(error))
            await asyncio.sleep(pause * uniform(0.75, 1.25))  # noqa: S311 - no secret
            pause = min(LONGEST_PAUSE, 2 * pause)

    def _write(self, action: Callable[[Session, datetime], T]) -> T:
        with self.store.write() as session:
            return action(session, self.store.now(session))

    @asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        """Renew the leases of this job while the block runs."""
        task = asyncio.create_task(self._beat(), name="heartbeat")
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.holder.lease_seconds / 4)
            try:
                await self.write(lambda session, now: renew(session, now, self.holder))
            except StoreError as error:
                log.warning("heartbeat missed", error=str(error))

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Note a SIGTERM in `stopping` while the block runs."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self.stopping.set)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGTERM)


def probed_layer() -> Layer:
    """Return the layer that the worker found; none for processes started otherwise."""
    text = os.environ.get(LAYER)
    return Layer.from_json(json.loads(text)) if text else UNPROBED


def open_job(settings: Settings, store: Store, connection: redis.Redis, holder: Holder) -> Job:
    """Return a job; call it inside the event loop."""
    return Job(settings, store, Live(connection), holder, asyncio.Event())
