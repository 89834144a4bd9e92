"""What a database says when something is wrong, in the words and reasons of the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL
from sqlalchemy.exc import DatabaseError, OperationalError

from kibitz_worker.errors import ConflictError, InvalidError, StoreError

PASSING = frozenset({"DATABASE_BUSY", "DATABASE_UNREACHABLE", "DISK_FULL", "DISK_FAILS"})
"""Reasons of trouble that goes away: the same transaction may be tried again later."""

_SQLITE = (
    ("database or disk is full", "the disk that holds the database is full", "DISK_FULL"),
    ("disk I/O error", "the disk that holds the database fails", "DISK_FAILS"),
    ("readonly database", "the database file cannot be written", "DATA_DIR_NOT_WRITABLE"),
    ("unable to open database", "the database file cannot be opened", "DATA_DIR_NOT_WRITABLE"),
    ("database is locked", "the database stayed locked by another process", "DATABASE_BUSY"),
    ("not a database", "the file is not a database of Kibitz", "DATABASE_DAMAGED"),
    ("malformed", "the database file is damaged", "DATABASE_DAMAGED"),
)

_POSTGRESQL = {
    "53100": ("the disk that holds the database is full", "DISK_FULL"),
    "58030": ("the disk that holds the database fails", "DISK_FAILS"),
    "53300": ("the database has no connection left", "DATABASE_BUSY"),
    "55P03": ("the database stayed locked by another process", "DATABASE_BUSY"),
    "40001": ("two transactions got in each other's way", "DATABASE_BUSY"),
    "40P01": ("two transactions waited for each other", "DATABASE_BUSY"),
    "42501": ("this user may not change the database", "DATABASE_FORBIDDEN"),
}
"""By SQLSTATE; https://www.postgresql.org/docs/current/errcodes-appendix.html."""


@contextmanager
def explained(url: URL) -> Iterator[None]:
    """Turn errors of the database in a block into a StoreError with a reason.

    ConflictError (CHANGED_MEANWHILE) when somebody else has just stored what must exist once;
    InvalidError (VALUE_INVALID) for values that the database cannot hold.
    """
    try:
        yield
    except DatabaseError as error:
        found = _explanation(error, url.render_as_string(hide_password=True))
        if found is None:
            raise
        raise found from error


def _explanation(error: DatabaseError, where: str) -> StoreError | None:
    text, state = str(error.orig), getattr(error.orig, "sqlstate", None) or ""
    if state == "23505" or text.startswith("UNIQUE constraint failed"):
        words = "somebody else has just stored the same; look again and repeat it if need be"
        return ConflictError(words, reason="CHANGED_MEANWHILE")
    if state.startswith("22") or "cannot contain NUL" in text:
        words = f"the database cannot hold a value that was given: {text.splitlines()[0]}"
        return InvalidError(words, reason="VALUE_INVALID")
    if state in _POSTGRESQL:
        message, reason = _POSTGRESQL[state]
        return StoreError(f"{message} ({where})", reason=reason)
    for part, message, reason in _SQLITE:
        if part in text and not state:
            return StoreError(f"{message} ({where})", reason=reason)
    if isinstance(error, OperationalError):
        words = f"the database {where} cannot be reached: {text.strip()}"
        return StoreError(words, reason="DATABASE_UNREACHABLE")
    return None
