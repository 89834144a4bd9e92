"""Bringing the tables up to date; the steps are shipped inside the package."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, create_engine, text

from kibitz_worker.errors import StoreError

FOLDER = Path(__file__).parent / "migrations"
ADVISORY_LOCK = 0x6B696269  # "kibi": one migration at a time on a PostgreSQL server


def configuration(connection: Connection) -> Config:
    """Return the alembic configuration for an open connection."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.attributes["connection"] = connection
    return config


@cache
def head() -> str:
    """Return the revision that this version of Kibitz needs."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    revision = ScriptDirectory.from_config(config).get_current_head()
    assert revision is not None  # noqa: S101 - the package ships at least one step
    return revision


def current(connection: Connection) -> str | None:
    """Return the revision of the database, None when it has no tables yet."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(url: URL, revision: str = "head") -> None:
    """Bring the database to `revision`; does nothing when it is there.

    Raises StoreError (DATABASE_NEWER) when a later version of Kibitz has changed the tables.
    """
    with _one_at_a_time(url) as connection:
        if current(connection) == head() and revision == "head":
            return
        try:
            command.upgrade(configuration(connection), revision)
        except CommandError as error:
            raise StoreError(
                f"the database was made by a newer Kibitz (revision {current(connection)}); "
                "install that version or use another data folder",
                reason="DATABASE_NEWER",
            ) from error
        connection.commit()


def downgrade(url: URL, revision: str) -> None:
    """Take the tables back to `revision` (``base`` removes them)."""
    with _one_at_a_time(url) as connection:
        command.downgrade(configuration(connection), revision)
        connection.commit()


@contextmanager
def _one_at_a_time(url: URL) -> Iterator[Connection]:
    engine = create_engine(url)
    try:
        if url.get_backend_name() == "sqlite":
            lock = Path(f"{url.database}.lock")
            with lock.open("w") as file, engine.connect() as connection:
                fcntl.flock(file, fcntl.LOCK_EX)
                yield connection
        else:
            with engine.connect() as connection:
                connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": ADVISORY_LOCK})
                connection.commit()
                try:
                    yield connection
                finally:
                    connection.rollback()
                    connection.execute(
                        text("SELECT pg_advisory_unlock(:key)"), {"key": ADVISORY_LOCK}
                    )
                    connection.commit()
    finally:
        engine.dispose()
