"""Counts of what workers did, kept in Redis and shown at /metrics.

They are for graphs and alarms; nothing that counts depends on them, and a lost Redis begins anew.
"""

from __future__ import annotations

from collections.abc import Mapping

import redis
import structlog

KEY = "kibitz:counters"

COUNTERS = {
    "jobs": "Jobs that have ended.",
    "sets": "Sets that were finished.",
    "matches": "Matches that were stored.",
    "deals": "Deals that were stored.",
    "sets_failed": "Attempts at sets that failed.",
    "job_seconds": "Seconds that jobs took.",
    "play_seconds": "Seconds in which the bots of a job played.",
}
"""By name: what is counted; all only grow."""

log = structlog.get_logger(__name__)


def count(connection: redis.Redis, amounts: Mapping[str, float], machine: str = "") -> None:
    """Add to counters, and to those of a machine; a server that does not answer counts nothing."""
    try:
        with connection.pipeline(transaction=False) as pipe:
            for name, amount in amounts.items():
                for key in (KEY, *([f"{KEY}:{machine}"] if machine else [])):
                    if amount:
                        pipe.hincrbyfloat(key, name, amount)
            pipe.execute()
    except (redis.RedisError, OSError) as error:
        log.debug("not counted", error=str(error))


def counted(connection: redis.Redis, machine: str = "") -> dict[str, float]:
    """Return all counters, or those of a machine; what nobody has counted yet is 0.

    Raises redis.RedisError.
    """
    found = connection.hgetall(f"{KEY}:{machine}" if machine else KEY)
    values = {key.decode(): float(value) for key, value in found.items()}  # type: ignore[union-attr]
    return {name: values.get(name, 0.0) for name in COUNTERS}
