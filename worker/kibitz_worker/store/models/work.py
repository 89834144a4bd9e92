"""What keeps the work going: outbox, workers, snapshots of ratings, and single values."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from kibitz_worker.store.models.table import PackedJson, RowId, Table


class Outbox(Table):
    """A job to enqueue, written in the transaction that made it due; `sent` once RQ has it."""

    __tablename__ = "outbox"

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    queue: Mapped[str] = mapped_column(String(40))
    job: Mapped[str] = mapped_column(String(80), unique=True)
    payload: Mapped[dict[str, Any]]
    created: Mapped[datetime]
    sent: Mapped[datetime | None] = mapped_column(index=True)


class WorkerProcess(Table):
    """A start of a worker with so many job processes; `seen` is its last sign of life.

    `sandbox` is the layer that submitted bots run in there (``none`` if they are refused), `reason`
    why it is no better one.
    """

    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    jobs: Mapped[int] = mapped_column(default=1)
    sandbox: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(Text)
    started: Mapped[datetime]
    seen: Mapped[datetime]
    stopped: Mapped[datetime | None]


class Snapshot(Table):
    """Ratings and crosstable fitted together: every page shows one snapshot and its id.

    `pool` is a game with its options; `tournament_id` is set for the standings of one tournament.
    """

    __tablename__ = "snapshots"
    __table_args__ = (
        Index("ix_snapshots_game_id", "game", "id"),
        Index("ix_snapshots_pool_id", "pool", "id"),
        Index("ix_snapshots_tournament_id_id", "tournament_id", "id"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    pool: Mapped[str] = mapped_column(String(64))
    options: Mapped[dict[str, Any]]
    tournament_id: Mapped[str | None] = mapped_column(ForeignKey("tournaments.id"))
    created: Mapped[datetime]
    sets: Mapped[int]
    deals: Mapped[int]
    payload: Mapped[Any] = mapped_column(PackedJson)


class Meta(Table):
    """A single named value."""

    __tablename__ = "meta"

    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class Event(Table):
    """Something that was decided, by somebody or by a plan, and why; never altered.

    `kind` is an UPPER_SNAKE word (``SET_ANNULLED``), `subject` the id of what it is about.
    """

    __tablename__ = "events"
    __table_args__ = (Index("ix_events_subject", "subject"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    at: Mapped[datetime]
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    kind: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(String(80))
    reason: Mapped[str] = mapped_column(Text)


class Creation(Table):
    """What a request under a key of the asker's has made, so that asking again makes nothing more.

    `asked` is the SHA-256 of the request, `subject` the id of what was made.
    """

    __tablename__ = "creations"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    asked: Mapped[str] = mapped_column(String(64))
    subject: Mapped[str] = mapped_column(String(80))
    at: Mapped[datetime] = mapped_column(index=True)
