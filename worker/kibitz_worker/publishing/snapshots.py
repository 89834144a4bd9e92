"""Writing snapshots: one number for everything that was fitted together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import exists, select
from sqlalchemy.orm import Session, defer

from kibitz_worker.store.models import RatingPoint, Snapshot

SPACING = timedelta(seconds=60)
"""Older snapshots are thinned out to this distance; the newest always stays."""


@dataclass(frozen=True)
class Target:
    """What a snapshot is about: a rating pool, or one tournament."""

    pool: str
    tournament: str | None


def newest(session: Session, target: Target, count: int) -> list[Snapshot]:
    """The newest snapshots of a target, newest first, without what stands in them."""
    query = select(Snapshot).where(Snapshot.pool == target.pool)
    if target.tournament is None:
        query = query.where(Snapshot.tournament_id.is_(None))
    else:
        query = query.where(Snapshot.tournament_id == target.tournament)
    query = query.order_by(Snapshot.id.desc()).limit(count).options(defer(Snapshot.payload))
    return list(session.scalars(query))


def thin(session: Session, target: Target) -> None:
    """Drop the last but one snapshot when it came too soon after the one before it.

    One with which a round ended stays: the history is told from it.
    """
    found = newest(session, target, 3)
    if len(found) < 3 or found[1].created - found[2].created >= SPACING:
        return
    if not session.scalar(select(exists().where(RatingPoint.snapshot == found[1].id))):
        session.delete(found[1])
