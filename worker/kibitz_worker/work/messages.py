"""Messages of seats: stored with the result of their match, forgotten when they are old."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from datetime import datetime, timedelta

from kibitz.v1 import log_pb2
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, undefer

from kibitz_worker.store.models import SeatMessages

PART = 500
"""So many rows are looked at together when the oldest are to go."""


def store_messages(
    session: Session, now: datetime, match_id: str, logs: Mapping[int, bytes], seats: list[int]
) -> None:
    """Store the logs of some seats of a match; `seats` are the versions by seat."""
    for seat, log in logs.items():
        packed = zlib.compress(log, 6)
        session.add(
            SeatMessages(
                match_id=match_id,
                seat=seat,
                version_id=seats[seat],
                log=packed,
                size=len(packed),
                stored=now,
            )
        )


def messages_of(session: Session, match_id: str, seat: int) -> log_pb2.MessageLog | None:
    """Return the log of a seat; None where none was kept, or it is forgotten already."""
    row = session.get(SeatMessages, (match_id, seat), options=[undefer(SeatMessages.log)])
    return None if row is None else log_pb2.MessageLog.FromString(zlib.decompress(row.log))


def prune_messages(session: Session, now: datetime, days: float, most_bytes: int) -> int:
    """Forget what is older, and of the rest the oldest beyond so many bytes; return how many."""
    old = SeatMessages.stored < now - timedelta(days=days)
    gone = session.execute(delete(SeatMessages).where(old)).rowcount  # type: ignore[attr-defined]
    kept = session.scalar(select(func.sum(SeatMessages.size))) or 0
    while kept > most_bytes:
        query = select(SeatMessages).order_by(SeatMessages.stored, SeatMessages.match_id)
        for row in session.scalars(query.limit(PART)).all():
            if kept <= most_bytes:
                break
            kept -= row.size
            gone += 1
            session.delete(row)
        session.flush()
    return int(gone)
