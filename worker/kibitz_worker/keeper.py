"""The keeper: one process among all workers of a database that schedules, rates and looks around.

It is started by every worker; those that find the place taken wait for it.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable

import redis
import structlog

from kibitz_worker.errors import WorkerError
from kibitz_worker.lifeline import end_with_parent
from kibitz_worker.logs import set_up_logs
from kibitz_worker.play.referee import Referee
from kibitz_worker.presence import Presence
from kibitz_worker.reconcile import Reconciler
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.store import Store, open_store
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
        with store.sole(PLACE) as mine:
            if mine:
                await _work(settings, store, connection, stop)
        await _pause(stop, LOOK_SECONDS)


async def _work(
    settings: Settings, store: Store, connection: redis.Redis, stop: asyncio.Event
) -> None:
    reconciler = Reconciler(store, connection, settings)
    async with Referee(settings.control_socket) as referee, asyncio.TaskGroup() as group:
        presence = Presence(store, referee)

        async def tick() -> None:
            await asyncio.to_thread(reconciler.tick)

        group.create_task(_repeat("reconciler", tick, TICK_SECONDS, stop))
        group.create_task(_repeat("presence", presence.look, LOOK_SECONDS, stop))


async def _repeat(
    name: str, work: Callable[[], Awaitable[None]], seconds: float, stop: asyncio.Event
) -> None:
    """Do something again and again; trouble is logged once and makes the pauses longer."""
    failures = 0
    while not stop.is_set():
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
        await _pause(stop, min(LONGEST_PAUSE, seconds * 2**failures))


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
