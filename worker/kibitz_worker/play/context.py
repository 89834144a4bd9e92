"""What a job has at hand: settings, store, live stream, its lease and where bots may run."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
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
from kibitz_worker.work.attempts import Retry
from kibitz_worker.work.holder import Holder
from kibitz_worker.work.leases import renew

LAYER = "KIBITZ_SANDBOX_LAYER"
"""Environment variable by which a worker tells its job processes what its probe has found."""

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
        """Run a write transaction in a thread, so that the event loop goes on."""
        return await asyncio.to_thread(self._write, action)

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
