"""Tournaments, who plays in them, and which tables they hold."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from kibitz_worker.store.models.bots import Version
from kibitz_worker.store.models.states import TournamentKind, TournamentState, texts
from kibitz_worker.store.models.table import RowId, Table
from kibitz_worker.store.models.users import User


class Tournament(Table):
    """A tournament: a game with all its options, a format, a clock, a secret for its decks.

    `commitment` is the SHA-256 of `secret`; the secret is published when the tournament is over.
    Each step of `priority` doubles its share of the workers. `absence` says what becomes of sets
    whose self-hosted bot does not come within `wait_seconds`: they ``wait``, are made ``void``, or
    count as ``forfeit``. `reason` says why it stands where it stands. `pool` names the rating pool
    (game and options).
    `format_options` are those of the format; `planned` is true once it will plan no more sets.
    With `one_owner` false, bots of one user may not meet.
    `tally` counts the sets of a finished tournament by state. A rematch `replays` the match with
    that id; another version sits in its `replayed_seat`.
    """

    __tablename__ = "tournaments"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    kind: Mapped[TournamentKind] = mapped_column(
        texts(TournamentKind), default=TournamentKind.TOURNAMENT
    )
    game: Mapped[str] = mapped_column(String(40), index=True)
    options: Mapped[dict[str, Any]]
    pool: Mapped[str] = mapped_column(String(64), index=True)
    format: Mapped[str] = mapped_column(String(40))
    format_options: Mapped[dict[str, Any]] = mapped_column(default=dict)
    sets_per_pairing: Mapped[int]
    planned: Mapped[bool] = mapped_column(default=True)
    clock: Mapped[dict[str, Any]]
    policy: Mapped[str] = mapped_column(String(40))
    state: Mapped[TournamentState] = mapped_column(texts(TournamentState), index=True)
    rated: Mapped[bool]
    priority: Mapped[int] = mapped_column(default=0)
    absence: Mapped[str] = mapped_column(String(16), default="wait")
    wait_seconds: Mapped[int] = mapped_column(default=0)
    tally: Mapped[dict[str, Any] | None]
    replays: Mapped[str | None] = mapped_column(String(48), index=True)
    replayed_seat: Mapped[int | None]
    secret: Mapped[bytes] = mapped_column(LargeBinary)
    commitment: Mapped[str] = mapped_column(String(64))
    reason: Mapped[str | None] = mapped_column(Text)
    one_owner: Mapped[bool] = mapped_column(default=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[datetime]
    started: Mapped[datetime | None]
    finished: Mapped[datetime | None]

    owner: Mapped[User] = relationship()
    entrants: Mapped[list[Entrant]] = relationship(
        back_populates="tournament", order_by="Entrant.number"
    )

    @property
    def partners_change(self) -> bool:
        """Whether a table has a bot a seat, those of one side opposite each other."""
        return self.format == "individual"


class Entrant(Table):
    """A version in a tournament, numbered from 0.

    `nonce` is what its owner added to the luck of its sets (`kibitz.fair`), before play began.
    Who has `left` a ladder is given no more sets.
    """

    __tablename__ = "entrants"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        UniqueConstraint("tournament_id", "version_id"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"))
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    number: Mapped[int]
    nonce: Mapped[str | None] = mapped_column(String(64))
    left: Mapped[datetime | None]

    tournament: Mapped[Tournament] = relationship(back_populates="entrants")
    version: Mapped[Version] = relationship(lazy="joined", innerjoin=True)


class Pairing(Table):
    """Entrants that meet at one table; `entrants` holds their numbers in the tournament."""

    __tablename__ = "pairings"
    __table_args__ = (UniqueConstraint("tournament_id", "number"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"))
    round: Mapped[int] = mapped_column(default=0)
    number: Mapped[int]
    entrants: Mapped[list[int]]

    tournament: Mapped[Tournament] = relationship()
