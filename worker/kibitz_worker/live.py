"""Live progress: what workers tell those who watch, by way of a stream in Redis.

Nothing depends on it: a message that cannot be sent is left out, the database is the truth.
"""

from __future__ import annotations

import time

import redis
import structlog
from redis.typing import EncodableT, FieldT

from kibitz_worker.counters import count
from kibitz_worker.work.holder import machine_name

STREAM = "kibitz:live"
KEPT = 10_000
"""About so many messages stay readable for viewers that come back."""

SLOW_SECONDS = 1.0
PAUSE_SECONDS = 10.0
"""After an answer was waited for in vain, nothing is said for so long: play goes on meanwhile."""

log = structlog.get_logger(__name__)


class Live:
    """Publishes to the stream; `kind` says what happened, the other fields which thing it is."""

    def __init__(self, connection: redis.Redis) -> None:
        self._connection = connection
        self._failed = False
        self._silent_until = 0.0

    def publish(self, kind: str, **fields: str | int | float | None) -> None:
        """Add a message.

        Kinds: set_started, progress, match_finished, set_finished, set_failed, snapshot,
        tournament_finished, version.
        """
        if time.monotonic() < self._silent_until:
            return
        began = time.monotonic()
        message: dict[FieldT, EncodableT] = {"kind": kind}
        message |= {key: str(value) for key, value in fields.items() if value is not None}
        try:
            self._connection.xadd(STREAM, message, maxlen=KEPT, approximate=True)
            self._failed = False
        except (redis.RedisError, OSError) as error:
            if not self._failed:
                log.warning("live progress is not published", error=str(error))
            self._failed = True
            now = time.monotonic()
            if now - began > SLOW_SECONDS:
                self._silent_until = now + PAUSE_SECONDS

    def count(self, **amounts: float) -> None:
        """Add to the counters that operators watch; see `kibitz_worker.counters`."""
        if time.monotonic() >= self._silent_until:
            count(self._connection, amounts, machine_name())
