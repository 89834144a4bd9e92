"""The keeper: one process among all workers of a database that schedules and rates.

It is started by every worker; those that find the place taken wait for it. Meanwhile one on each
machine is the steward of its referee: tells it of tokens, notes who is connected, shows its tables.
"""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import redis

from kibitz_worker.clients import client
from kibitz_worker.duties import LOOK_SECONDS, Watch, on_duty
from kibitz_worker.halls import HallNote
from kibitz_worker.lifeline import end_with_parent
from kibitz_worker.logs import set_up_logs
from kibitz_worker.play.referee import Referee
from kibitz_worker.presence import Presence
from kibitz_worker.reconcile import Reconciler
from kibitz_worker.relay import Relay
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.sole import sole_at
from kibitz_worker.valkey import queue_url

TICK_SECONDS = 0.5
PLACE = "keeper"


async def keep(settings: Settings, store: Store, connection: redis.Redis) -> None:
    """Do the work of keeper and steward, as far as nobody else does, until SIGTERM."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)

    async def schedule(watch: Watch) -> None:
        reconciler = Reconciler(store, connection, settings)

        async def tick() -> None:
            await asyncio.to_thread(reconciler.tick)

        await watch.repeat("reconciler", tick, TICK_SECONDS)

    async def serve(watch: Watch) -> None:
        await steward(settings, store, connection, watch)

    beside = Path(f"{settings.control_socket}.steward")
    async with asyncio.TaskGroup() as group:
        group.create_task(on_duty(PLACE, stop, lambda: store.sole(PLACE), schedule))
        group.create_task(on_duty("steward", stop, lambda: sole_at(beside), serve))


async def steward(settings: Settings, store: Store, connection: redis.Redis, watch: Watch) -> None:
    """Look after the referee of this machine while the place is ours."""
    async with Referee(settings.control_socket) as referee, asyncio.TaskGroup() as group:
        relay = Relay(referee, connection, watch.goes_on, settings.hall)
        group.create_task(watch.repeat("relay", relay.look, LOOK_SECONDS))
        if settings.referee_listen:
            note = HallNote(connection, settings.hall)
            presence = Presence(store, referee, note)
            group.create_task(presence_of(presence, watch))


async def presence_of(presence: Presence, watch: Watch) -> None:
    """Note who is connected while the place is ours; then take the note away."""
    try:
        await watch.repeat("presence", presence.look, LOOK_SECONDS)
    finally:
        await presence.leave()


def main() -> None:
    """Run the keeper of the settings in the environment."""
    end_with_parent()
    settings = load_settings()
    set_up_logs(settings.log_level)
    with (
        open_store(settings.database, migrate=False) as store,
        client(queue_url(settings)) as connection,
    ):
        asyncio.run(keep(settings, store, connection))


if __name__ == "__main__":
    main()
