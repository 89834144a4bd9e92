"""Requests that make something, each under a key of its own, so that sending one twice is no harm.

A key is the asker's: any text that no other request of theirs has. It is remembered for a week.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from sqlalchemy import delete
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError
from kibitz_worker.store.ids import sha256_hex
from kibitz_worker.store.models import Creation
from kibitz_worker.store.moments import database_now

KEPT = timedelta(days=7)


class Made(Protocol):
    """What has an id."""

    id: str


T = TypeVar("T", bound=Made)


def once(
    session: Session,
    user_id: int,
    key: str | None,
    asked: str,
    make: Callable[[], T],
    find: Callable[[str], T],
) -> T:
    """Return what `make` makes, or under a key that was used before what was made then.

    `asked` is the whole request as text. Without a key everything is made anew. Two requests at
    the same time wait for each other: the first one's key is held until its transaction ends.
    Raises ConflictError (KEY_REUSED) when something else was asked for under the key, and whatever
    `make` raises, which frees the key with the transaction.
    """
    if key is None:
        return make()
    row = {
        "user_id": user_id,
        "key": key,
        "asked": sha256_hex(asked),
        "subject": "",
        "at": database_now(session),
    }
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    new = insert(Creation).values(row).on_conflict_do_nothing().returning(Creation.key)
    taken = session.scalar(new)
    kept = session.get_one(Creation, (user_id, key), populate_existing=True)
    if taken is not None:
        made = make()
        kept.subject = made.id
        return made
    if kept.asked != row["asked"]:
        raise ConflictError(
            f"the key {key!r} was used for another request; give each request a key of its own",
            reason="KEY_REUSED",
        )
    return find(kept.subject)


def forget_creations(session: Session, now: datetime) -> None:
    """Forget keys that were used long ago."""
    session.execute(delete(Creation).where(Creation.at < now - KEPT))
