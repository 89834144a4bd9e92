"""What may be forgotten without an archive: messages of seats, texts of attempts, old snapshots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, exists, func, select, update
from sqlalchemy.orm import Session, aliased

from kibitz_worker.store import Store
from kibitz_worker.store.models import Attempt, RatingPoint, SeatMessages, Snapshot

AT_ONCE = 200

Query = Select[*tuple[Any, ...]]
Forget = Callable[[Session, Sequence[Any]], None]


def old_messages(before: datetime) -> Query:
    """Return the query for messages of seats: match, seat, bytes."""
    return (
        select(SeatMessages.match_id, SeatMessages.seat, SeatMessages.size)
        .where(SeatMessages.stored < before)
        .order_by(SeatMessages.match_id, SeatMessages.seat)
    )


def forget_messages(session: Session, rows: Sequence[Any]) -> None:
    """Forget messages of seats as `old_messages` gives them."""
    for match_id, seat, _ in rows:
        session.execute(
            delete(SeatMessages).where(SeatMessages.match_id == match_id, SeatMessages.seat == seat)
        )


def old_texts(before: datetime) -> Query:
    """Return the query for what bots wrote in attempts that failed: id, bytes."""
    return (
        select(Attempt.id, func.length(Attempt.log).label("size"))
        .where(Attempt.started < before, Attempt.log.is_not(None))
        .order_by(Attempt.id)
    )


def forget_texts(session: Session, rows: Sequence[Any]) -> None:
    """Forget what was written in attempts; their reasons stay."""
    ids = [key for key, _ in rows]
    session.execute(update(Attempt).where(Attempt.id.in_(ids)).values(log=None))


def old_snapshots(before: datetime) -> Query:
    """Return the query for snapshots that nothing shows any more: id, bytes.

    The newest of each pool and tournament stays, and those with which a round ended: the history
    of ratings is told from them.
    """
    newer = aliased(Snapshot)
    same = newer.tournament_id.is_not_distinct_from(Snapshot.tournament_id)
    return (
        select(Snapshot.id, func.length(Snapshot.payload).label("size"))
        .where(
            Snapshot.created < before,
            exists().where(newer.pool == Snapshot.pool, same, newer.id > Snapshot.id),
            ~exists().where(RatingPoint.snapshot == Snapshot.id),
        )
        .order_by(Snapshot.id)
    )


def forget_snapshots(session: Session, rows: Sequence[Any]) -> None:
    """Forget snapshots as `old_snapshots` gives them."""
    session.execute(delete(Snapshot).where(Snapshot.id.in_([key for key, _ in rows])))


KINDS: dict[str, tuple[Callable[[datetime], Query], Forget]] = {
    "messages": (old_messages, forget_messages),
    "attempts": (old_texts, forget_texts),
    "snapshots": (old_snapshots, forget_snapshots),
}
"""By name: how the old ones are found (their bytes as `size`), and forgotten."""


def measure(session: Session, query: Query) -> tuple[int, int]:
    """Return how many rows a query of `KINDS` finds, and their bytes together."""
    rows = query.order_by(None).subquery()
    count, size = session.execute(
        select(func.count(), func.sum(rows.c.size)).select_from(rows)
    ).one()
    return count, int(size or 0)


def forget(store: Store, query: Query, how: Forget, progress: Callable[[int], None]) -> None:
    """Forget what a query of `KINDS` finds, some rows a transaction."""
    done = 0
    while True:
        with store.write() as session:
            rows = session.execute(query.limit(AT_ONCE)).all()
            if not rows:
                return
            how(session, rows)
        done += len(rows)
        progress(done)
