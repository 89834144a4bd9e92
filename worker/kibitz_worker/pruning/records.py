"""Records of tournaments that are long over: archived, checked, and only then forgotten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from kibitz.archive import verify
from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from kibitz_worker.archiving import OVER, write_archive
from kibitz_worker.errors import ConflictError
from kibitz_worker.pruning.archived import archive_path
from kibitz_worker.store import Store
from kibitz_worker.store.models import Match, MatchState, Tournament
from kibitz_worker.store.tournaments import tournament_with_id
from kibitz_worker.work.annulment import tally_of

AT_ONCE = 200
"""Records forgotten in one transaction, so that nobody waits long for his turn."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Old:
    """A tournament whose records may go: how many there are, of how many bytes."""

    id: str
    name: str
    finished: datetime
    records: int
    bytes: int


def old_tournaments(session: Session, before: datetime, keep: int) -> list[Old]:
    """Return tournaments that were over before a moment and have records, the oldest first.

    The `keep` last ones that are over stay, however old they are.
    """
    query = (
        select(Tournament.id, Tournament.name, Tournament.finished)
        .where(Tournament.state.in_(OVER), Tournament.finished.is_not(None))
        .order_by(Tournament.finished.desc(), Tournament.id)
        .offset(keep)
    )
    found = []
    for key, name, finished in session.execute(query):
        if finished is None or finished >= before:
            continue
        count, size = session.execute(
            select(func.count(), func.sum(func.length(Match.record))).where(*_forgettable(key))
        ).one()
        if count:
            found.append(Old(key, name, finished, count, int(size)))
    return found[::-1]


def _forgettable(tournament_id: str) -> tuple[ColumnElement[bool], ...]:
    """Without its ledger a match would be missing in tables of roles and of luck."""
    return (
        Match.tournament_id == tournament_id,
        Match.state == MatchState.DONE,
        Match.record.is_not(None),
        Match.ledger.is_not(None),
    )


def archive(
    store: Store, tournament_id: str, folder: Path, progress: Progress = lambda *_: None
) -> Path:
    """Write the archive of a tournament that is over, check it, and return its file.

    Raises NotFoundError, ConflictError (TOURNAMENT_NOT_OVER, ARCHIVE_WRONG: it does not verify).
    """
    with store.read() as session:
        tournament = tournament_with_id(session, tournament_id)
        path = archive_path(folder, tournament_id, tally_of(session, tournament_id))
        if not path.exists():
            write_archive(session, tournament, path)
        noted = tournament.commitment
    report = verify(path, commitment=noted, on_progress=lambda _, done, of: progress(done, of))
    if not report.ok:
        first = report.findings[0]
        raise ConflictError(
            f"the archive of tournament {tournament_id} ({path}) does not verify, so nothing of it "
            f"is deleted: {first.where}: {first.message}",
            reason="ARCHIVE_WRONG",
        )
    return path


def forget_records(
    store: Store, tournament_id: str, progress: Progress = lambda *_: None
) -> tuple[int, int]:
    """Forget the records of a tournament; return how many, and how many bytes they had."""
    rows = freed = 0
    with store.read() as session:
        total = session.scalar(select(func.count()).where(*_forgettable(tournament_id))) or 0
    while True:
        with store.write() as session:
            query = (
                select(Match.id, func.length(Match.record))
                .where(*_forgettable(tournament_id))
                .order_by(Match.id)
                .limit(AT_ONCE)
            )
            found = session.execute(query).all()
            if not found:
                return rows, freed
            gone = update(Match).where(Match.id.in_([key for key, _ in found])).values(record=None)
            session.execute(gone.execution_options(synchronize_session=False))
        rows += len(found)
        freed += sum(size for _, size in found)
        progress(rows, total)
