"""Engines: how a SQLite file or a PostgreSQL server is opened for reading and for writing."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from kibitz_worker.errors import StoreError
from kibitz_worker.store.texts import make_storable

BUSY_MS = 30_000
"""How long a SQLite writer waits for its turn before it gives up, in milliseconds."""

NETWORK_FILE_SYSTEMS = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs"}
"""Write-ahead logging needs shared memory, which these do not have between machines."""

SILENT_SECONDS = 10
"""A connection on which nothing comes or goes is looked after when it was silent for so long."""

_SERVER_SIDE = {
    "tcp_keepalives_idle": SILENT_SECONDS,
    "tcp_keepalives_interval": 3,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    # What a process that was cut off had locked is free again after the time of a lease.
    "idle_in_transaction_session_timeout": 30_000,
    "lock_timeout": BUSY_MS,
}

PATIENCE: dict[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": SILENT_SECONDS,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    "options": " ".join(f"-c {name}={value}" for name, value in _SERVER_SIDE.items()),
}
"""How soon both ends of a PostgreSQL connection find out that the other is gone.

By default a machine that was cut off keeps its locks for two hours, and waits as long itself.
"""


def database_url(url: str | None, data_dir: Path) -> URL:
    """Return the URL to open: `url` when given, else the SQLite file in the data folder.

    Raises StoreError (DATABASE_URL_INVALID) for texts that are no URL or another kind of database.
    """
    if not url:
        return URL.create("sqlite", database=str(data_dir / "kibitz.db"))
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError(
            f"{url!r} is not a database URL; use postgresql://USER@HOST/NAME or leave it empty "
            "for SQLite in the data folder",
            reason="DATABASE_URL_INVALID",
        ) from error
    if parsed.get_backend_name() not in {"sqlite", "postgresql"}:
        raise StoreError(
            f"{parsed.get_backend_name()} databases are not supported; use SQLite or PostgreSQL",
            reason="DATABASE_URL_INVALID",
        )
    return parsed


def open_engines(url: URL) -> tuple[Engine, Engine]:
    """Return the engine for write transactions and the one for read transactions."""
    if url.get_backend_name() == "postgresql":
        engine = create_engine(url, pool_pre_ping=True, connect_args=PATIENCE)
        make_storable(engine)
        reader = engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        return engine, reader
    _refuse_network_file_system(url)
    return _sqlite_engine(url, "BEGIN IMMEDIATE"), _sqlite_engine(url, "BEGIN")


def _sqlite_engine(url: URL, begin: str) -> Engine:
    # A deferred transaction that reads and then writes fails at once when another writer came
    # between, whatever the busy timeout: writers must take the lock when they begin.
    engine = create_engine(url, connect_args={"timeout": BUSY_MS / 1000})
    make_storable(engine)
    event.listen(engine, "connect", _configure_sqlite)

    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "begin", start)
    return engine


def _configure_sqlite(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _refuse_network_file_system(url: URL) -> None:
    if not url.database or url.database == ":memory:":
        raise StoreError(
            "the database must be a file: an in-memory one cannot be shared by processes",
            reason="DATABASE_URL_INVALID",
        )
    folder = Path(url.database).resolve().parent
    kind = file_system_of(folder)
    if kind in NETWORK_FILE_SYSTEMS:
        raise StoreError(
            f"{folder} lies on a network file system ({kind}), where SQLite loses data; "
            "use a local folder (KIBITZ_DATA_DIR) or PostgreSQL (KIBITZ_DATABASE_URL)",
            reason="DATA_DIR_ON_NETWORK",
        )


def file_system_of(folder: Path) -> str | None:
    """Return the type of the file system that holds `folder`, or None where it is not told."""
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    best, kind = -1, None
    for line in lines:
        mount, this = line.split(" ")[1:3]
        mount = mount.replace("\\040", " ")
        if folder.is_relative_to(mount) and len(mount) >= best:
            best, kind = len(mount), this
    return kind
