"""A database with a million stored matches, made from the tournament that was really played.

The rows of the tournament are copied under new ids again and again, records and all, by the
database itself; the last copy is a running one.
"""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.cli.console import progress
from kibitz_worker.store import Store
from kibitz_worker.store.models import (
    Attempt,
    DealSet,
    Entrant,
    Match,
    Pairing,
    SetState,
    Snapshot,
    Table,
    Tournament,
    TournamentState,
)
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.orm import Session

TABLES: tuple[type[Table], ...] = (Tournament, Entrant, Pairing, DealSet, Attempt, Match, Snapshot)
OWN = {Tournament: "id = :key", Attempt: "set_id LIKE :key || '-%'"}
NUMBERS = {"pairing_id": "pairings", "attempt_id": "attempts"}
NUMBERED = {"entrants", "pairings", "attempts", "snapshots"}
"""Tables whose ids are numbers; `NUMBERS` says which columns hold such an id."""

NAMES = {"id", "tournament_id", "set_id", "twin_id"}
"""Columns that hold the id of a tournament, or begin with it."""


@dataclass(frozen=True)
class Filled:
    """What stands in the database: how many matches, and a tournament that is over, one running."""

    matches: int
    finished: str
    running: str


def fill(store: Store, matches: int) -> Filled:
    """Copy the one tournament of a database until there are so many matches."""
    with store.read() as session:
        key = session.scalars(select(Tournament.id)).one()
        have = session.scalar(select(func.count()).select_from(Match)) or 0
        spans = {name: _last(session, name) for name in NUMBERED}
    copies = max(1, -(-matches // have) - 1)
    with progress("{task.completed:.0f} of {task.total:.0f} tournaments") as bar:
        for number in bar.track(range(1, copies + 1), description="storing"):
            with store.write() as session:
                _copy(session, key, number, spans)
    running = name_of(copies)
    with store.write() as session:
        _let_run(session, running)
        if not store.is_sqlite:
            _count_on(session)
            session.execute(text("ANALYZE"))
    return Filled(have * (copies + 1), key, running)


def name_of(number: int) -> str:
    """Return the id of a copy."""
    return f"copy{number:04}"


def _last(session: Session, table: str) -> int:
    return session.scalar(text(f"SELECT coalesce(max(id), 0) FROM {table}")) or 0


def _count_on(session: Session) -> None:
    """Let PostgreSQL number new rows from where the copies end."""
    for name in NUMBERED:
        sequence = func.pg_get_serial_sequence(name, "id")
        session.execute(select(func.setval(sequence, _last(session, name) + 1)))


def _copy(session: Session, key: str, number: int, spans: dict[str, int]) -> None:
    values = {"key": key, "new": name_of(number), "more": f", {number}"}
    for table in TABLES:
        name = table.__tablename__
        columns = [column.name for column in table.__table__.c]
        copied = ", ".join(_value(name, column, number, spans) for column in columns)
        mine = OWN.get(table, "tournament_id = :key")
        named = ", ".join(f'"{column}"' for column in columns)
        statement = text(f"INSERT INTO {name} ({named}) SELECT {copied} FROM {name} WHERE {mine}")
        used = {word: value for word, value in values.items() if f":{word}" in statement.text}
        session.execute(statement, used)


def _value(table: str, column: str, number: int, spans: dict[str, int]) -> str:
    source = NUMBERS.get(column, table if column == "id" and table in NUMBERED else None)
    if source is not None:
        return f'"{column}" + {number * spans[source]}'
    if column in NAMES:
        return f'replace("{column}", :key, :new)'
    return f'"{column}"' + (" || :more" if (table, column) == ("tournaments", "name") else "")


def _let_run(session: Session, key: str) -> None:
    """Let a tournament go on, with a tenth of its sets to play."""
    session.execute(
        update(Tournament)
        .where(Tournament.id == key)
        .values(state=TournamentState.RUNNING, finished=None, tally=None)
    )
    count = session.scalar(select(func.count()).where(DealSet.tournament_id == key)) or 0
    left = (DealSet.tournament_id == key, DealSet.number >= count - max(1, count // 10))
    keys = session.scalars(select(DealSet.id).where(*left)).all()
    session.execute(delete(Match).where(Match.set_id.in_(keys)))
    nothing = {"finished": None, "scores": None, "margins": None, "deals": 0, "attempts": 0}
    again = update(DealSet).where(*left).values(state=SetState.WAITING, job=None, **nothing)
    session.execute(again)
    session.execute(delete(Attempt).where(Attempt.set_id.in_(keys)))
