"""One process at a time: a lock that the system takes back from a dead holder."""

from __future__ import annotations

import fcntl
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, text


@contextmanager
def sole_process(engine: Engine, name: str) -> Iterator[bool]:
    """Hold the place `name` at a database while the block runs; False when somebody else has it.

    SQLite is used on one machine only, so a lock on a file beside it does; PostgreSQL has advisory
    locks, which end with their connection.
    """
    if engine.url.get_backend_name() == "sqlite":
        with Path(f"{engine.url.database}.{name}").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True
        return
    key = zlib.crc32(name.encode())
    with engine.connect() as connection:
        mine = connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": key})
        connection.commit()
        try:
            yield bool(mine)
        finally:
            if mine:
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": key})
                connection.commit()
