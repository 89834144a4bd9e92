"""The log of a tournament: what was decided about it, and why."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import Event


def note(session: Session, now: datetime, kind: str, why: str, *, tournament_id: str) -> None:
    """Write down a decision about a tournament, by an UPPER_SNAKE word and in a sentence."""
    session.add(Event(at=now, kind=kind, subject=tournament_id, reason=why[:500]))
    session.flush()


def notes_of(session: Session, tournament_id: str, most: int = 20) -> list[Event]:
    """Return the latest decisions, the last one first."""
    query = select(Event).where(Event.subject == tournament_id)
    return list(session.scalars(query.order_by(Event.id.desc()).limit(most)))
