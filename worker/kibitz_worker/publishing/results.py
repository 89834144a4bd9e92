"""Reading finished sets as the ratings take them: once, and what is new of a growing tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

import numpy as np
from sqlalchemy import Row, Text, cast, func, select
from sqlalchemy.orm import Session

from kibitz_worker.publishing.kept_sums import Unkept, read_all, worth_keeping
from kibitz_worker.publishing.ledgers import Ledgers, read_ledgers
from kibitz_worker.ratings import SetColumns
from kibitz_worker.ratings.results import Floats
from kibitz_worker.store.models import DealSet, Entrant, Pairing, SetState, Tournament


class Mark(NamedTuple):
    """What tells two states of a tournament's finished sets apart, annulled ones included."""

    sets: int
    numbers: int
    last: datetime | None


NOTHING = Mark(0, 0, None)


@dataclass(slots=True)
class Results:
    """The finished sets of a tournament as read so far; `unkept` sums are worth keeping."""

    names: tuple[str, ...]
    mark: Mark = NOTHING
    columns: list[SetColumns] = field(default_factory=list)
    ledgers: Ledgers = field(default_factory=Ledgers)
    unkept: list[Unkept] = field(default_factory=list)

    @property
    def sets(self) -> int:
        """How many sets there are."""
        return sum(len(columns) for columns in self.columns)

    @property
    def deals(self) -> int:
        """How many deals a player of each set has played, added up."""
        return sum(int(columns.deals.sum()) for columns in self.columns)


def marks(session: Session) -> dict[str, Mark]:
    """The marks of all tournaments with finished sets, by a single look at the database."""
    query = (
        select(
            DealSet.tournament_id,
            func.count(),
            func.sum(DealSet.number),
            func.max(DealSet.finished),
        )
        .where(DealSet.state == SetState.DONE)
        .group_by(DealSet.tournament_id)
    )
    return {key: Mark(sets, numbers, last) for key, sets, numbers, last in session.execute(query)}


def read_results(
    session: Session, tournament: Tournament, mark: Mark, before: Results | None
) -> Results:
    """Return the finished sets of a tournament, given what had been read before.

    Where sets were only added since, only those are read; else (one was annulled, or finished at
    the very moment of the last look) everything is.
    """
    names = _labels(session, tournament.id)
    if before is not None and before.mark.last is not None and before.names == names:
        fresh = _read(session, tournament, names, before.mark.last)
        if before.sets + fresh.sets == mark.sets:
            if not worth_keeping(before.mark.sets, mark.sets):
                fresh.ledgers = read_ledgers(session, tournament.id, names, after=before.mark.last)
                return _joined(before, fresh, mark)
            found = _joined(before, fresh, mark)
            found.ledgers, found.unkept = read_all(session, tournament.id, names)
            return found
    found = _read(session, tournament, names, None)
    found.ledgers, found.unkept = read_all(session, tournament.id, names)
    found.mark = mark
    return found


def _labels(session: Session, key: str) -> tuple[str, ...]:
    entrants = session.scalars(
        select(Entrant).where(Entrant.tournament_id == key).order_by(Entrant.number)
    )
    return tuple(entrant.version.label for entrant in entrants)


TEXTS_AT_ONCE = 50_000


def _read(
    session: Session, tournament: Tournament, names: tuple[str, ...], after: datetime | None
) -> Results:
    """Read columns as texts, a part at a time: objects and lists would take most of the time."""
    pairings = select(Pairing.id, Pairing.entrants).where(Pairing.tournament_id == tournament.id)
    entrants = dict(session.execute(pairings).all())
    query = (
        select(
            DealSet.pairing_id,
            cast(DealSet.scores, Text),
            cast(DealSet.margins, Text),
            DealSet.deals,
        )
        .where(DealSet.tournament_id == tournament.id, DealSet.state == SetState.DONE)
        .order_by(DealSet.number)
    )
    if after is not None:
        query = query.where(DealSet.finished > after)
    sizes = sorted({len(players) for players in entrants.values()})
    parts: dict[int, list[SetColumns]] = {size: [] for size in sizes}
    partners = tournament.partners_change
    rows = session.connection().execute(query.execution_options(yield_per=TEXTS_AT_ONCE))
    for part in rows.partitions():
        for size in sizes:
            chosen = [row for row in part if len(entrants[row[0]]) == size] if sizes[1:] else part
            if chosen:
                parts[size].append(_part(names, chosen, entrants, size, partners=partners))
    return Results(names, columns=[join(found) for found in parts.values() if found])


def _part(
    names: tuple[str, ...],
    rows: Sequence[Row[int, str, str, int]],
    entrants: Mapping[int, list[int]],
    size: int,
    *,
    partners: bool,
) -> SetColumns:
    keys, scores, margins, deals = zip(*rows, strict=True)
    return SetColumns(
        names=names,
        players=np.array([entrants[key] for key in keys], dtype=np.int64),
        scores=numbers_of(scores, size),
        deals=np.array(deals, dtype=np.int64),
        margins=numbers_of(margins, size),
        partners=partners,
    )


def numbers_of(lists: Sequence[str], size: int) -> Floats:
    """Numbers of lists written as JSON, a row a list of so many.

    Raises ValueError where a list has another length.
    """
    text = ",".join(lists).replace("[", "").replace("]", "")
    return np.fromstring(text, dtype=np.float64, sep=",").reshape(len(lists), size)


def columns_of(
    names: tuple[str, ...], rows: Sequence[object], *, partners: bool = False
) -> SetColumns:
    """Columns of rows with `scores`, `margins`, `deals` and `entrants` (indices into the names)."""
    return SetColumns(
        names=names,
        players=np.array([row.entrants for row in rows], dtype=np.int64),  # type: ignore[attr-defined]
        scores=np.array([row.scores for row in rows], dtype=np.float64),  # type: ignore[attr-defined]
        deals=np.array([row.deals for row in rows], dtype=np.int64),  # type: ignore[attr-defined]
        margins=np.array([row.margins for row in rows], dtype=np.float64),  # type: ignore[attr-defined]
        partners=partners,
    )


def _joined(before: Results, fresh: Results, mark: Mark) -> Results:
    sizes = {columns.players.shape[1] for columns in (*before.columns, *fresh.columns)}
    columns = [
        join([c for c in (*before.columns, *fresh.columns) if c.players.shape[1] == size])
        for size in sorted(sizes)
    ]
    before.ledgers.add(fresh.ledgers)
    return Results(before.names, mark, columns, before.ledgers)


def join(parts: Sequence[SetColumns]) -> SetColumns:
    """Put columns over the same names and number of players one after the other."""
    if len(parts) == 1:
        return parts[0]
    return SetColumns(
        names=parts[0].names,
        players=np.concatenate([part.players for part in parts]),
        scores=np.concatenate([part.scores for part in parts]),
        deals=np.concatenate([part.deals for part in parts]),
        margins=np.concatenate([np.asarray(part.margins) for part in parts]),
        partners=parts[0].partners,
    )
