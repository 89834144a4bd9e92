"""Leagues, their divisions and members, and the seasons they have played."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from kibitz_worker.store.models.bots import Bot, Version
from kibitz_worker.store.models.states import texts
from kibitz_worker.store.models.table import RowId, Table
from kibitz_worker.store.models.tournaments import Tournament
from kibitz_worker.store.models.users import User


class LeagueState(StrEnum):
    """Whether a league begins further seasons."""

    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


class SeasonState(StrEnum):
    """Where a season stands; while PREPARING its tournaments are being created."""

    PREPARING = "preparing"
    RUNNING = "running"
    CLOSED = "closed"


class Moved(StrEnum):
    """What a season has come to for a bot."""

    UP = "up"
    DOWN = "down"
    STAYED = "stayed"
    OUT = "out"


class League(Table):
    """A row of seasons, each with one tournament a division.

    From `game` to `wait_seconds` it is what its tournaments are (`Tournament`). `cron` and
    `time_zone` say when seasons begin, none before `starts`; without `cron` each begins when the
    one before it is over. `due` is the date of the season that is made next. After `most_seasons`
    the league ends by itself. `late` says what becomes of a season that is not finished when the
    next is due: they ``wait`` for it, or ``close`` it. Bots are brought by ``anybody`` who owns
    one, or by the ``organiser`` alone (`joining`), and come in at the ``lowest`` place or by their
    ``rating`` (`newcomers`). `reason` says why it stands where it stands.
    """

    __tablename__ = "leagues"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    game: Mapped[str] = mapped_column(String(40), index=True)
    options: Mapped[dict[str, Any]]
    pool: Mapped[str] = mapped_column(String(64))
    format: Mapped[str] = mapped_column(String(40))
    format_options: Mapped[dict[str, Any]]
    sets_per_pairing: Mapped[int]
    clock: Mapped[dict[str, Any]]
    policy: Mapped[str] = mapped_column(String(40))
    rated: Mapped[bool]
    one_owner: Mapped[bool]
    priority: Mapped[int] = mapped_column(default=0)
    absence: Mapped[str] = mapped_column(String(16), default="wait")
    wait_seconds: Mapped[int] = mapped_column(default=0)
    cron: Mapped[str | None] = mapped_column(String(120))
    time_zone: Mapped[str] = mapped_column(String(64))
    starts: Mapped[datetime]
    due: Mapped[datetime | None]
    most_seasons: Mapped[int | None]
    late: Mapped[str] = mapped_column(String(16))
    joining: Mapped[str] = mapped_column(String(16))
    newcomers: Mapped[str] = mapped_column(String(16))
    state: Mapped[LeagueState] = mapped_column(texts(LeagueState), index=True)
    reason: Mapped[str | None] = mapped_column(Text)
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[datetime]
    ended: Mapped[datetime | None]

    owner: Mapped[User] = relationship()
    divisions: Mapped[list[Division]] = relationship(order_by="Division.number")


class Division(Table):
    """A division of a league, 0 the highest: how many bots it holds.

    `movers` is how many change places with the division below it after each season.
    """

    __tablename__ = "divisions"

    league_id: Mapped[str] = mapped_column(ForeignKey("leagues.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(40))
    size: Mapped[int]
    movers: Mapped[int]


class Member(Table):
    """A bot in a league; the row stays when it leaves.

    It plays as `version_id`, or without one as its newest version. It stands at `place` (from 0) of
    `division`, or without one on the waiting list, where it came at `since`. Once it has `left` it
    keeps its place until the season under way is over.
    """

    __tablename__ = "members"
    __table_args__ = (
        UniqueConstraint("league_id", "bot_id"),
        Index("ix_members_bot_id", "bot_id"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    league_id: Mapped[str] = mapped_column(ForeignKey("leagues.id"))
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    version_id: Mapped[int | None] = mapped_column(ForeignKey("versions.id"))
    division: Mapped[int | None]
    place: Mapped[int | None]
    since: Mapped[datetime]
    joined: Mapped[datetime]
    left: Mapped[datetime | None]

    bot: Mapped[Bot] = relationship(lazy="joined", innerjoin=True)
    version: Mapped[Version | None] = relationship()


class Season(Table):
    """One season of a league, numbered from 1; it was due at `due` and made at `made`."""

    __tablename__ = "seasons"
    __table_args__ = (UniqueConstraint("league_id", "number"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    league_id: Mapped[str] = mapped_column(ForeignKey("leagues.id"))
    number: Mapped[int]
    due: Mapped[datetime]
    made: Mapped[datetime]
    state: Mapped[SeasonState] = mapped_column(texts(SeasonState), index=True)
    reason: Mapped[str | None] = mapped_column(Text)
    closed: Mapped[datetime | None]

    divisions: Mapped[list[SeasonDivision]] = relationship(order_by="SeasonDivision.division")
    placings: Mapped[list[Placing]] = relationship(order_by="Placing.division, Placing.seed")


class SeasonDivision(Table):
    """A division in one season: its tournament, or the `reason` why it has none."""

    __tablename__ = "season_divisions"

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    division: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tournament_id: Mapped[str | None] = mapped_column(ForeignKey("tournaments.id"), unique=True)
    reason: Mapped[str | None] = mapped_column(Text)

    tournament: Mapped[Tournament | None] = relationship()


class Placing(Table):
    """A member in one season: where it began and, once the season is closed, where it ended.

    What follows `version_id` is written once, when the season is closed, and never changed: `rank`
    in its division (none if it was not played), the share of opponents beaten, the mean margin per
    deal, the sets played, where the bot went and why.
    """

    __tablename__ = "placings"
    __table_args__ = (
        UniqueConstraint("season_id", "member_id"),
        UniqueConstraint("season_id", "division", "seed"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"))
    member_id: Mapped[int] = mapped_column(ForeignKey("members.id"), index=True)
    division: Mapped[int]
    seed: Mapped[int]
    version_id: Mapped[int | None] = mapped_column(ForeignKey("versions.id"))
    rank: Mapped[int | None]
    share: Mapped[float | None]
    margin: Mapped[float | None]
    sets: Mapped[int] = mapped_column(default=0)
    moved: Mapped[Moved | None] = mapped_column(texts(Moved))
    reason: Mapped[str | None] = mapped_column(Text)

    member: Mapped[Member] = relationship()
    version: Mapped[Version | None] = relationship()
