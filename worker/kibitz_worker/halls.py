"""Halls: the referees that self-hosted bots connect to, and who is at which, as noted in Redis.

Every host whose referee listens for such bots notes them under a key that lapses soon after the
last note: a host that dies is gone from the list by itself, one that stops takes its note away, and
when Redis loses its data the next notes bring everything back.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

import redis

from kibitz_worker.clients import answering

NOTED_SECONDS = 10
"""A hall that was not noted for so long is closed."""

NOTE_EVERY = 2.5
"""Seconds between two notes."""

_NAMES = "kibitz:halls"


@dataclass(frozen=True)
class Halls:
    """Which versions of self-hosted bots are at which hall, by the name of its host."""

    guests: Mapping[str, Set[int]] = field(default_factory=dict)

    def __contains__(self, name: object) -> bool:
        return name in self.guests

    def meeting(self, versions: Iterable[int], key: str) -> str | None:
        """Return the hall where all these versions are; None when there is none.

        The same `key` gives the same hall as long as it is open, whichever others open or close:
        the rule that no bot meets a deck at two tables at a time is kept by one referee.
        """
        wanted = set(versions)
        open_to = [name for name, here in self.guests.items() if wanted <= here]
        return max(open_to, key=lambda name: _weight(key, name), default=None)

    def of(self, version: int) -> list[str]:
        """Return the halls where a version is, in order."""
        return sorted(name for name, here in self.guests.items() if version in here)


def _weight(key: str, name: str) -> bytes:
    return hashlib.sha256(f"{key}/{name}".encode()).digest()


class HallNote:
    """The note of one hall; `token` tells its writer from another one of the same name."""

    def __init__(self, connection: redis.Redis, name: str) -> None:
        self._connection, self.name = connection, name
        self._token = secrets.token_hex(8)

    def write(self, versions: Iterable[int]) -> bool:
        """Note who is here; False when another host has a note under this name.

        Raises QueueServerError (REDIS_UNREACHABLE).
        """
        key = _key(self.name)
        with answering():
            found = self._connection.get(key)
            if found is not None and json.loads(found)["token"] != self._token:
                return False
            note = {"token": self._token, "versions": sorted(versions)}
            with self._connection.pipeline() as pipeline:
                pipeline.set(key, json.dumps(note), ex=NOTED_SECONDS)
                pipeline.sadd(_NAMES, self.name)
                pipeline.execute()
        return True

    def take_away(self) -> None:
        """Close the hall at once. Raises QueueServerError (REDIS_UNREACHABLE)."""
        key = _key(self.name)
        with answering():
            found = self._connection.get(key)
            if found is not None and json.loads(found)["token"] == self._token:
                self._connection.delete(key)
                self._connection.srem(_NAMES, self.name)


def open_halls(connection: redis.Redis) -> Halls:
    """Return all halls that are open; forget the names of the others.

    Raises QueueServerError (REDIS_UNREACHABLE).
    """
    with answering():
        names = sorted(name.decode() for name in connection.smembers(_NAMES))  # type: ignore[union-attr]
        notes = connection.mget([_key(name) for name in names]) if names else []
        found = dict(zip(names, notes, strict=True))
        closed = [name for name, note in found.items() if note is None]
        if closed:
            connection.srem(_NAMES, *closed)
    return Halls(
        {
            name: frozenset(json.loads(note)["versions"])
            for name, note in found.items()
            if note is not None
        }
    )


def _key(name: str) -> str:
    return f"kibitz:hall:{name}"
