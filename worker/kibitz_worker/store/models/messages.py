"""What went between bots and their seats, kept for a while for the bots' owners."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from kibitz_worker.store.models.table import Table


class SeatMessages(Table):
    """The messages of one seat of a match.

    `log` is a ``kibitz.v1.MessageLog`` in its wire form, compressed (zlib), of `size` bytes.
    """

    __tablename__ = "seat_messages"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    log: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    size: Mapped[int]
    stored: Mapped[datetime] = mapped_column(index=True)
