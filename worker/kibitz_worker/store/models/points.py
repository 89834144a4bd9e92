"""The history of ratings: what was published when a round was over."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from kibitz_worker.store.models.bots import Version
from kibitz_worker.store.models.table import RowId, Table
from kibitz_worker.store.models.tournaments import Tournament


class RatingPoint(Table):
    """A version's rating after a completed round that it played in.

    `snapshot` is the number of the snapshot that was published then. `before` is the elo from which
    the round was expected: that of the last snapshot before it, None for a newcomer. `expected` and
    `actual` are points won from opponents in the round's sets, one for each opponent beaten and a
    half for a draw; `games` is how many there were to win.
    """

    __tablename__ = "rating_points"
    __table_args__ = (
        UniqueConstraint("tournament_id", "round", "version_id"),
        Index("ix_rating_points_pool_version_id", "pool", "version_id"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    pool: Mapped[str] = mapped_column(String(64))
    game: Mapped[str] = mapped_column(String(40))
    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"))
    round: Mapped[int]
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    snapshot: Mapped[int] = mapped_column(RowId, index=True)
    created: Mapped[datetime]
    elo: Mapped[float]
    elo_low: Mapped[float]
    elo_high: Mapped[float]
    rank: Mapped[int]
    sets: Mapped[int]
    games: Mapped[int]
    before: Mapped[float | None]
    expected: Mapped[float | None]
    actual: Mapped[float]

    tournament: Mapped[Tournament] = relationship()
    version: Mapped[Version] = relationship()
