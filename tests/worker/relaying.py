"""A relay that carries tables from a referee into Redis, in a thread."""

from __future__ import annotations

import asyncio
import threading

import redis
from kibitz_worker.play.referee import Referee as Control
from kibitz_worker.relay import Relay

from tests.referee.parties import Referee


class Relaying:
    """A relay at work in a thread of its own."""

    def __init__(self, referee: Referee, connection: redis.Redis) -> None:
        self._referee, self._connection = referee, connection
        self._stop = threading.Event()
        self.looks = 0
        self._thread = threading.Thread(target=lambda: asyncio.run(self._work()))

    async def _work(self) -> None:
        async def goes_on() -> bool:
            return not self._stop.is_set()

        async with Control(self._referee.control) as control:
            relay = Relay(control, self._connection, goes_on)
            while not self._stop.is_set():
                await relay.look()
                self.looks += 1
                await asyncio.sleep(0.05)

    def __enter__(self) -> Relaying:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(20)
        assert not self._thread.is_alive()
