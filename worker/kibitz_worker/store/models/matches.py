"""Sets, their matches and the attempts to play them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from kibitz_worker.store.models.lease import Leased
from kibitz_worker.store.models.states import MatchState, Outcome, texts
from kibitz_worker.store.models.table import PackedJson, PackedText, RowId, Table
from kibitz_worker.store.models.tournaments import Pairing, Tournament


class DealSet(Leased, Table):
    """A duplicate set: decks played under all their seatings by the entrants of a pairing.

    `id` is ``{tournament}-{pairing}-{n}``, `number` counts through the whole tournament and keys
    the decks; a set with a `twin_id` has the cards of that one instead. When done, `scores` are the
    returns added over the set, `margins` the scores minus the table's mean added over the set, both
    by position in the pairing's `entrants`; `deals` is how many deals each of them played. `par`
    caches what the reference bot scores in all seats of its decks (`par[half][deal][seat]`),
    once somebody has asked for it.
    """

    __tablename__ = "sets"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        Index("ix_sets_tournament_id_state_deals", "tournament_id", "state", "deals"),
        Index("ix_sets_state_due", "state", "due"),
    )

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"))
    pairing_id: Mapped[int] = mapped_column(ForeignKey("pairings.id"), index=True)
    number: Mapped[int]
    twin_id: Mapped[str | None] = mapped_column(ForeignKey("sets.id"))
    scores: Mapped[list[float] | None]
    margins: Mapped[list[float] | None]
    deals: Mapped[int] = mapped_column(default=0)
    par: Mapped[Any | None] = mapped_column(PackedJson, nullable=True, deferred=True)

    tournament: Mapped[Tournament] = relationship()
    pairing: Mapped[Pairing] = relationship()
    matches: Mapped[list[Match]] = relationship(back_populates="set", order_by="Match.number")


class Match(Table):
    """One seating of a set: `id` is ``{set}-{number}``; `tournament_id` is its set's, for lists.

    `seating` gives for each seat the position in the pairing's `entrants`. `decks` (a list of
    ``{"deck": [codes], "cut": code or null}``, one a deal) is stored before the first card is
    shown. `returns`, `totals` and `margins` are by seat. `forfeits` (null for none) and
    `penalties` hold what the referee told (``kibitz.v1.Forfeit``, ``Penalty``). `ledger` has for
    each deal what tables of roles and luck are made of (`kibitz_worker.work.ledger`). `record` is
    the text of the kibitz-record, `record_hash` its SHA-256.
    """

    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("set_id", "number"),
        Index("ix_matches_finished_id", "finished", "id"),
        Index("ix_matches_tournament_id_finished_id", "tournament_id", "finished", "id"),
        Index(
            "ix_matches_forfeited",
            "tournament_id",
            sqlite_where=text("forfeits IS NOT NULL"),
            postgresql_where=text("forfeits IS NOT NULL"),
        ),
    )

    id: Mapped[str] = mapped_column(String(48), primary_key=True)
    set_id: Mapped[str] = mapped_column(ForeignKey("sets.id"))
    tournament_id: Mapped[str | None] = mapped_column(String(16))
    number: Mapped[int]
    half: Mapped[int]
    lane: Mapped[int]
    seating: Mapped[list[int]]
    state: Mapped[MatchState] = mapped_column(texts(MatchState), default=MatchState.WAITING)
    decks: Mapped[Any] = mapped_column(PackedJson, deferred=True)
    returns: Mapped[list[float] | None]
    totals: Mapped[list[float] | None]
    margins: Mapped[list[float] | None]
    deals: Mapped[int] = mapped_column(default=0)
    forfeits: Mapped[list[Any] | None]
    penalties: Mapped[list[Any] | None]
    ledger: Mapped[Any | None] = mapped_column(PackedJson, nullable=True, deferred=True)
    record: Mapped[str | None] = mapped_column(PackedText, deferred=True)
    record_hash: Mapped[str | None] = mapped_column(String(64))
    attempt_id: Mapped[int | None] = mapped_column(ForeignKey("attempts.id"))
    finished: Mapped[datetime | None]

    set: Mapped[DealSet] = relationship(back_populates="matches")


class Attempt(Table):
    """One try of one worker to play a set: `job` is ``{set}-a{number}`` or the job it came in.

    `blame_version_id` is the version that made it fail, where that is known. A finished one has
    `started` when its first match was under way.
    """

    __tablename__ = "attempts"
    __table_args__ = (
        UniqueConstraint("set_id", "number"),
        Index("ix_attempts_outcome_started", "outcome", "started"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    set_id: Mapped[str] = mapped_column(ForeignKey("sets.id"))
    number: Mapped[int]
    job: Mapped[str | None] = mapped_column(String(80))
    worker: Mapped[str] = mapped_column(String(80))
    started: Mapped[datetime]
    ended: Mapped[datetime | None]
    outcome: Mapped[Outcome] = mapped_column(texts(Outcome))
    reason: Mapped[str | None] = mapped_column(Text)
    blame_version_id: Mapped[int | None] = mapped_column(ForeignKey("versions.id"), index=True)
    log: Mapped[str | None] = mapped_column(Text)
