"""The columns of work that one process at a time may hold."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from kibitz_worker.store.models.states import SetState, texts


class Leased:
    """Columns of a unit of work.

    `lease_token` belongs to one start of one process, so a worker that crashed and came back is
    never taken for its former self. `due` is the earliest moment of the next attempt (back-off).
    `job` is the job that has been written to the outbox for the next attempt, or holds the lease.
    """

    state: Mapped[SetState] = mapped_column(texts(SetState), default=SetState.WAITING)
    attempts: Mapped[int] = mapped_column(default=0)
    due: Mapped[datetime | None]
    job: Mapped[str | None] = mapped_column(String(80))
    lease_token: Mapped[str | None] = mapped_column(String(32))
    lease_until: Mapped[datetime | None]
    worker: Mapped[str | None] = mapped_column(String(80))
    reason: Mapped[str | None] = mapped_column(Text)
    finished: Mapped[datetime | None]
