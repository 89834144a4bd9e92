"""Users and their tokens."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from kibitz_worker.store.models.table import RowId, Table


class User(Table):
    """Somebody who owns bots and tournaments."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    name: Mapped[str] = mapped_column(String(40), unique=True)
    created: Mapped[datetime]


class Token(Table):
    """A secret text that stands for a user; only its SHA-256 is kept."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    created: Mapped[datetime]
    revoked: Mapped[datetime | None]

    user: Mapped[User] = relationship()
