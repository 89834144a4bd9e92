"""The log of a league: every decision about it, and why."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import Event, League


def tell(
    session: Session,
    now: datetime,
    league: League,
    kind: str,
    why: str,
    *,
    user_id: int | None = None,
) -> None:
    """Write down a decision about a league, by an UPPER_SNAKE word and in a sentence."""
    session.add(Event(at=now, user_id=user_id, kind=kind, subject=league.id, reason=why[:500]))
    session.flush()


def told_last(session: Session, league: League) -> Event | None:
    """Return the latest decision about a league."""
    query = select(Event).where(Event.subject == league.id).order_by(Event.id.desc()).limit(1)
    return session.scalar(query)
