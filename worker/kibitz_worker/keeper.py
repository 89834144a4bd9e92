"""The keeper: one process among all workers of a database that schedules, rates and looks around.

It is started by every worker; those that find the place taken wait for it.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable

import redis
import structlog

from kibitz_worker.errors import StoreError, WorkerError
from kibitz_worker.lifeline import end_with_parent
from kibitz_worker.logs import set_up_logs
from kibitz_worker.play.referee import Referee
from kibitz_worker.presence import Presence
from kibitz_worker.reconcile import Reconciler
from kibitz_worker.relay import Relay
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.sole import Place
from kibitz_worker.valkey import queue_url

TICK_SECONDS = 0.5
LOOK_SECONDS = 1.0
LONGEST_PAUSE = 10.0
PLACE = "keeper"

log = structlog.get_logger(__name__)


async def keep(settings: Settings, store: Store, connection: redis.Redis) -> None:
    """Do the keeper's work until SIGTERM."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    while not stop.is_set():
        try:
            with store.sole(PLACE) as place:
                if place is not None:
                    await _work(settings, store, connection, Watch(place, stop))
        except StoreError as error:
            log.warning("no database for now", reason=error.reason, error=str(error))
        await _pause(stop, LOOK_SECONDS)


class Watch:
    """Whether the keeper goes on: until SIGTERM, and while the place is its own."""

    def __init__(self, place: Place, stop: asyncio.Event) -> None:
        self._place = place
        self._stop = stop
        self._lost = False

    async def goes_on(self) -> bool:
        """Ask the database whether the place is still this process's."""
        if not self._stop.is_set() and not self._lost:
            self._lost = not await asyncio.to_thread(self._place.held)
            if self._lost:
                log.warning("the place of the keeper was lost with its connection")
        return not (self._stop.is_set() or self._lost)

    async def pause(self, seconds: float) -> None:
        """Wait so long, or until asked to stop."""
        await _pause(self._stop, seconds)


async def _work(settings: Settings, store: Store, connection: redis.Redis, watch: Watch) -> None:
    reconciler = Reconciler(store, connection, settings)
    async with Referee(settings.control_socket) as referee, asyncio.TaskGroup() as group:
        presence = Presence(store, referee)
        relay = Relay(referee, connection, watch.goes_on)

        async def tick() -> None:
            await asyncio.to_thread(reconciler.tick)

        group.create_task(_repeat("reconciler", tick, TICK_SECONDS, watch))
        group.create_task(_repeat("presence", presence.look, LOOK_SECONDS, watch))
        group.create_task(_repeat("relay", relay.look, LOOK_SECONDS, watch))


async def _repeat(
    name: str, work: Callable[[], Awaitable[None]], seconds: float, watch: Watch
) -> None:
    """Do something again and again; trouble is logged once and makes the pauses longer."""
    failures = 0
    while await watch.goes_on():
        try:
            await work()
            if failures:
                log.info("works again", part=name)
            failures = 0
        except WorkerError as error:
            failures += 1
            if failures == 1:
                log.warning(
                    "does not work for now", part=name, reason=error.reason, error=str(error)
                )
        except Exception:
            failures += 1
            log.exception("failed", part=name)
        await watch.pause(min(LONGEST_PAUSE, seconds * 2.0 ** min(failures, 10)))


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


def main() -> None:
    """Run the keeper of the settings in the environment."""
    end_with_parent()
    settings = load_settings()
    set_up_logs(settings.log_level)
    with (
        open_store(settings.database, migrate=False) as store,
        redis.Redis.from_url(queue_url(settings)) as connection,
    ):
        asyncio.run(keep(settings, store, connection))


if __name__ == "__main__":
    main()
