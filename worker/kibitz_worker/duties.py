"""Duties: what a process does again and again while a place is its own, whatever goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager

import structlog

from kibitz_worker.errors import StoreError, WorkerError
from kibitz_worker.store.sole import Place

LOOK_SECONDS = 1.0
LONGEST_PAUSE = 10.0

log = structlog.get_logger(__name__)


class Watch:
    """Whether a duty goes on: until SIGTERM, and while the place is this process's own."""

    def __init__(self, name: str, place: Place, stop: asyncio.Event) -> None:
        self._name, self._place, self._stop = name, place, stop
        self._lost = False

    async def goes_on(self) -> bool:
        """Ask whether the place is still this process's."""
        if not self._stop.is_set() and not self._lost:
            self._lost = not await asyncio.to_thread(self._place.held)
            if self._lost:
                log.warning(f"the place of the {self._name} was lost with its connection")
        return not (self._stop.is_set() or self._lost)

    async def repeat(self, part: str, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Do something again and again; trouble is logged once and makes the pauses longer."""
        failures = 0
        while await self.goes_on():
            try:
                await work()
                if failures:
                    log.info("works again", part=part)
                failures = 0
            except WorkerError as error:
                failures += 1
                if failures == 1:
                    log.warning(
                        "does not work for now", part=part, reason=error.reason, error=str(error)
                    )
            except Exception:
                failures += 1
                log.exception("failed", part=part)
            await pause(self._stop, min(LONGEST_PAUSE, seconds * 2.0 ** min(failures, 10)))


async def on_duty(
    name: str,
    stop: asyncio.Event,
    place: Callable[[], AbstractContextManager[Place | None]],
    work: Callable[[Watch], Awaitable[None]],
) -> None:
    """Do the work of a place whenever it is to be had, until `stop`."""
    while not stop.is_set():
        try:
            with place() as mine:
                if mine is not None:
                    await work(Watch(name, mine, stop))
        except StoreError as error:
            log.warning("no database for now", reason=error.reason, error=str(error))
        await pause(stop, LOOK_SECONDS)


async def pause(stop: asyncio.Event, seconds: float) -> None:
    """Wait so long, or until asked to stop."""
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
