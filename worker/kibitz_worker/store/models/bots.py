"""Bots and their immutable versions."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from kibitz_worker.store.models.lease import Leased
from kibitz_worker.store.models.states import BotKind, VersionState, texts
from kibitz_worker.store.models.table import RowId, Table
from kibitz_worker.store.models.users import User


def bot_label(kind: BotKind, owner: str, name: str) -> str:
    """Return ``careful`` for a bot of the house, ``ana/heart`` for a bot of a user."""
    return name if kind is BotKind.HOUSE else f"{owner}/{name}"


class Bot(Table):
    """A bot: a name under its owner; what plays are its versions."""

    __tablename__ = "bots"
    __table_args__ = (UniqueConstraint("owner_id", "name"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str] = mapped_column(String(40))
    kind: Mapped[BotKind] = mapped_column(texts(BotKind))
    description: Mapped[str] = mapped_column(Text, default="")
    created: Mapped[datetime]

    owner: Mapped[User] = relationship(lazy="joined", innerjoin=True)
    versions: Mapped[list[Version]] = relationship(back_populates="bot", order_by="Version.number")

    @property
    def label(self) -> str:
        """``careful`` for a bot of the house, ``ana/heart`` for a bot of a user."""
        return bot_label(self.kind, self.owner.name, self.name)


class Version(Table):
    """One immutable state of a bot.

    `spec` is what starts a house bot (``careful``), `path` the folder of a submitted one
    below the data folder. `games` are the games it plays. `token_id` is the token by which a
    self-hosted version connects, `seen` when it was last connected. `log` is the tail of its
    standard error at admission, `failures` counts the sets in a row that failed because of it.
    """

    __tablename__ = "versions"
    __table_args__ = (
        UniqueConstraint("bot_id", "number"),
        UniqueConstraint("bot_id", "content_hash"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    number: Mapped[int]
    content_hash: Mapped[str] = mapped_column(String(64))
    spec: Mapped[str | None] = mapped_column(Text)
    path: Mapped[str | None] = mapped_column(Text)
    games: Mapped[list[str]]
    state: Mapped[VersionState] = mapped_column(texts(VersionState), index=True)
    reason: Mapped[str | None] = mapped_column(Text)
    log: Mapped[str | None] = mapped_column(Text)
    failures: Mapped[int] = mapped_column(default=0)
    created: Mapped[datetime]
    admitted: Mapped[datetime | None]
    token_id: Mapped[int | None] = mapped_column(ForeignKey("tokens.id"))
    seen: Mapped[datetime | None]

    bot: Mapped[Bot] = relationship(back_populates="versions", lazy="joined", innerjoin=True)

    @property
    def label(self) -> str:
        """The bot's label and the number: ``careful/1``, ``ana/heart/3``."""
        return f"{self.bot.label}/{self.number}"


class Admission(Leased, Table):
    """The trial of a submitted version: waiting, leased, done; void when it cannot be held."""

    __tablename__ = "admissions"

    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True)
    created: Mapped[datetime]

    version: Mapped[Version] = relationship()
