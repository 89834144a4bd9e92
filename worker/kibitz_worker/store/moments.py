"""What time it is: the database's own time, so that machines with wrong clocks agree."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import cast, func, select
from sqlalchemy.orm import Session

from kibitz_worker.store.models.table import Instant


def database_now(session: Session) -> datetime:
    """Return the time by the clock of the database's machine.

    Every moment that is stored comes from here, for moments of two clocks cannot be compared.
    SQLite has no machine of its own.
    """
    if session.get_bind().dialect.name == "sqlite":
        return datetime.now(UTC)
    with session.no_autoflush:
        return session.scalars(select(cast(func.clock_timestamp(), Instant))).one()
