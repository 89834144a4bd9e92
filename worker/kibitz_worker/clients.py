"""Clients of the queue server that find out when it, or the way to it, is gone."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis

from kibitz_worker.errors import QueueServerError

ANSWER_SECONDS = 5.0
"""So long a command may take; those that wait on purpose have a client of `waiting_client`."""

_LINK: dict[int, int] = {
    getattr(socket, name): value
    for name, value in (
        ("TCP_KEEPIDLE", 10),
        ("TCP_KEEPINTVL", 3),
        ("TCP_KEEPCNT", 3),
        ("TCP_USER_TIMEOUT", 20_000),
    )
    if hasattr(socket, name)
}
"""How soon a link that is cut or half open is given up: by default it would take hours."""


def client(url: str) -> redis.Redis:
    """Return a client whose commands fail after some seconds at the latest."""
    made: redis.Redis = redis.Redis.from_url(
        url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS, **_link(url)
    )
    return made


def waiting_client(url: str) -> redis.Redis:
    """Return a client that may wait for long, but not at the end of a link that is cut."""
    made: redis.Redis = redis.Redis.from_url(
        url, socket_connect_timeout=ANSWER_SECONDS, **_link(url)
    )
    return made


@contextmanager
def answering() -> Iterator[None]:
    """Turn trouble with the queue server in a block into QueueServerError (REDIS_UNREACHABLE)."""
    try:
        yield
    except (redis.RedisError, OSError) as error:
        raise QueueServerError(
            f"the queue server does not answer: {error}", reason="REDIS_UNREACHABLE"
        ) from error


def _link(url: str) -> dict[str, Any]:
    if url.startswith("unix:"):
        return {}
    return {"socket_keepalive": True, "socket_keepalive_options": _LINK}
