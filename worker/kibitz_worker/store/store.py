"""The store: the database that is the truth about users, bots, tournaments and results."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.orm import Session

from kibitz_worker.errors import StoreError
from kibitz_worker.store.engine import database_url, open_engines
from kibitz_worker.store.migrate import upgrade
from kibitz_worker.store.moments import database_now
from kibitz_worker.store.sole import Place, sole_process
from kibitz_worker.store.troubles import explained


class Store:
    """A database, opened once a process.

    `read()` gives a session that sees one state of the database; `write()` one that holds the
    write lock, commits when the block ends and rolls back when it raises. Objects stay readable
    after their session. Create a store after a fork, never before.
    """

    def __init__(self, url: URL) -> None:
        self.url = url
        self._writer, self._reader = open_engines(url)

    @property
    def is_sqlite(self) -> bool:
        """True when the database is a file that one writer at a time may change."""
        return self.url.get_backend_name() == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Give a session for reading: one consistent state, no locks held against writers."""
        with explained(self.url), Session(self._reader, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Give a session for changes: committed at the end of the block or not at all."""
        with (
            explained(self.url),
            Session(self._writer, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def sole(self, name: str) -> Iterator[Place | None]:
        """Give a place to one process at a time among all that work on this database, else None.

        The place is free again when the holder's block ends or its process dies; ask
        `Place.held` now and then whether the database still knows of it.
        """
        with explained(self.url), sole_process(self._writer, name) as place:
            yield place

    def now(self, session: Session) -> datetime:
        """Return the database's own time, so that machines with wrong clocks agree on leases."""
        return database_now(session)

    def compact(self) -> int:
        """Give room that is free in a SQLite file back to the disk; return how many bytes.

        A PostgreSQL server sees to that itself: nothing is done there. Raises StoreError
        (DISK_FULL where there is no room for the file twice).
        """
        if not self.is_sqlite:
            return 0
        file = Path(self.url.database or "")
        before = file.stat().st_size
        with explained(self.url):
            connection = self._writer.raw_connection()
            try:
                cursor = connection.cursor()
                for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
                    cursor.execute(statement)
                cursor.close()
            finally:
                connection.close()
        return before - file.stat().st_size

    def close(self) -> None:
        """Give all connections back."""
        self._writer.dispose()
        self._reader.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(target: str | Path, *, migrate: bool = True) -> Store:
    """Open the database at `target`: a URL, or a data folder that holds (or gets) ``kibitz.db``.

    With `migrate` the tables are brought up to date first (safe when several processes do it).
    Raises StoreError: DATA_DIR_NOT_WRITABLE, DATA_DIR_ON_NETWORK, DATABASE_URL_INVALID,
    DATABASE_UNREACHABLE, DATABASE_NEWER (made by a later Kibitz), DISK_FULL.
    """
    if isinstance(target, str) and "://" in target:
        url = database_url(target, Path())
    else:
        url = database_url(None, prepare_folder(Path(target)))
    store = Store(url)  # first, since it refuses databases that cannot be used
    if migrate:
        with explained(url):
            upgrade(url)
    return store


def prepare_folder(folder: Path) -> Path:
    """Create the data folder where it is missing and return it absolute.

    Raises StoreError (DATA_DIR_NOT_WRITABLE, DISK_FULL) when nothing can be written there.
    """
    folder = folder.expanduser().absolute()
    probe = folder / f".probe-{os.getpid()}-{time.monotonic_ns()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe.write_bytes(b"kibitz")
        probe.unlink()
    except OSError as error:
        raise folder_error(folder, error) from error
    return folder


def folder_error(folder: Path, error: OSError) -> StoreError:
    """Say what keeps the data folder from being used."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return StoreError(
            f"the disk that holds {folder} is full; free some space, or move the folder and "
            "set KIBITZ_DATA_DIR",
            reason="DISK_FULL",
        )
    return StoreError(
        f"the data folder {folder} cannot be written ({error.strerror}); make it writable or "
        "set KIBITZ_DATA_DIR to another folder",
        reason="DATA_DIR_NOT_WRITABLE",
    )
