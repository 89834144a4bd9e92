"""One process at a time: a lock that the system takes back from a dead holder."""

from __future__ import annotations

import fcntl
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError


class Place:
    """A place that this process holds, as far as it knows."""

    def __init__(self, held: Callable[[], bool] = lambda: True) -> None:
        self._held = held
        self._one = threading.Lock()

    def held(self) -> bool:
        """Ask whether it is still this process's: a restarted database has forgotten it."""
        with self._one:
            return self._held()


@contextmanager
def sole_at(path: Path) -> Iterator[Place | None]:
    """Hold a place among the processes of this machine, marked by a file; None if it is taken."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        yield Place()


@contextmanager
def sole_process(engine: Engine, name: str) -> Iterator[Place | None]:
    """Hold the place `name` at a database while the block runs; None when somebody else has it.

    SQLite is used on one machine only, so a lock on a file beside it does; PostgreSQL has advisory
    locks, which end with their connection.
    """
    if engine.url.get_backend_name() == "sqlite":
        with sole_at(Path(f"{engine.url.database}.{name}")) as place:
            yield place
        return
    with engine.connect() as connection:
        key = zlib.crc32(name.encode())
        mine = connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": key})
        connection.commit()
        try:
            yield Place(lambda: _answers(connection)) if mine else None
        finally:
            if mine:
                # A closed connection frees the lock in any case; one given back would keep it.
                connection.invalidate()


def _answers(connection: Connection) -> bool:
    try:
        connection.scalar(text("SELECT 1"))
        connection.commit()
    except DBAPIError:
        return False
    return True
