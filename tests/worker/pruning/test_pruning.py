"""Records go when an archive holds them, other old things as they are; ratings know of nothing."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from kibitz.archive import verify
from kibitz_worker.errors import ConflictError, NotFoundError
from kibitz_worker.pruning import leftovers, records
from kibitz_worker.pruning.archived import record_of
from kibitz_worker.refit import Refit
from kibitz_worker.store import Store
from kibitz_worker.store.models import (
    Attempt,
    DealSet,
    Match,
    RatingPoint,
    SeatMessages,
    Snapshot,
    Tournament,
    TournamentState,
)
from kibitz_worker.work.annulment import annul_set
from sqlalchemy import func, select

from tests.api.conftest import nobody
from tests.worker.leagues import league
from tests.worker.test_archiving import play_all
from tests.worker.work.played import LATER, NOW

OLD = LATER + timedelta(days=1)


def played(store: Store, sets: int = 1) -> str:
    with store.write() as session:
        tournament = league(session, sets=sets)
        play_all(session, tournament)
        return tournament.id


def standings(store: Store) -> list[object]:
    """Fit all ratings anew and return what they say."""
    Refit(store, nobody()).refresh()
    with store.read() as session:
        return [snapshot.payload for snapshot in session.scalars(select(Snapshot))]


def test_records_are_forgotten_when_the_archive_holds_them(store: Store, tmp_path: Path) -> None:
    key = played(store)
    before = standings(store)
    with store.read() as session:
        texts = {m.id: m.record for m in session.scalars(select(Match))}
        [old] = records.old_tournaments(session, OLD, 0)
        assert (old.id, old.records) == (key, len(texts))
        assert records.old_tournaments(session, OLD, 1) == []
        assert records.old_tournaments(session, NOW, 0) == []
    path = records.archive(store, key, tmp_path)
    seen: list[tuple[int, int]] = []
    assert records.forget_records(store, key, lambda *now: seen.append(now)) == (
        old.records,
        old.bytes,
    )
    assert seen[-1] == (old.records, old.records)
    with store.read() as session:
        assert records.old_tournaments(session, OLD, 0) == []
        for match in session.scalars(select(Match)):
            assert match.record is None
            assert record_of(match, tmp_path) == texts[match.id]
    with store.write() as session:
        for snapshot in session.scalars(select(Snapshot)):
            session.delete(snapshot)
    assert standings(store) == before
    path.unlink()
    with store.read() as session, pytest.raises(NotFoundError) as refused:
        record_of(session.scalars(select(Match)).first() or Match(), tmp_path)
    assert refused.value.reason == "RECORD_ARCHIVED"


def test_an_annulled_set_makes_an_archive_from_the_one_before(store: Store, tmp_path: Path) -> None:
    key = played(store, sets=2)
    first = records.archive(store, key, tmp_path)
    records.forget_records(store, key)
    with store.write() as session:
        one = session.scalars(select(DealSet.id).order_by(DealSet.number)).first() or ""
        annul_set(session, LATER, one, user_id=None, reason="a broken machine")
    second = records.archive(store, key, tmp_path)
    assert second != first
    assert verify(second).ok
    assert verify(second).void == 1


def test_nothing_is_deleted_of_what_does_not_verify(store: Store, tmp_path: Path) -> None:
    key = played(store)
    with store.write() as session:
        session.get_one(Tournament, key).commitment = "00" * 32
    with pytest.raises(ConflictError) as refused:
        records.archive(store, key, tmp_path)
    assert refused.value.reason == "ARCHIVE_WRONG"
    with store.write() as session:
        session.get_one(Tournament, key).state = TournamentState.RUNNING
    with pytest.raises(ConflictError) as refused:
        records.archive(store, key, tmp_path / "other")
    assert refused.value.reason == "TOURNAMENT_NOT_OVER"


def test_old_things_go_and_what_is_shown_stays(store: Store) -> None:
    played(store)
    standings(store)
    with store.write() as session:
        newest = session.scalars(select(Snapshot)).all()
        assert newest
        for snapshot in newest:
            session.add(
                Snapshot(
                    game=snapshot.game,
                    pool=snapshot.pool,
                    options=snapshot.options,
                    tournament_id=snapshot.tournament_id,
                    created=snapshot.created + timedelta(seconds=1),
                    sets=1,
                    deals=1,
                    payload={},
                )
            )
        attempt = session.scalars(select(Attempt)).first()
        match = session.scalars(select(Match)).first()
        assert attempt is not None
        assert match is not None
        attempt.log = "no model file"
        heard = SeatMessages(match_id=match.id, seat=0, version_id=1, log=b"xyz", size=3)
        heard.stored = NOW
        session.add(heard)
    for kind, (find, how) in leftovers.KINDS.items():
        with store.read() as session:
            assert leftovers.measure(session, find(NOW - timedelta(days=9999))) == (0, 0)
            count, size = leftovers.measure(session, find(OLD))
        assert count >= 1, kind
        assert size > 0
        leftovers.forget(store, find(OLD), how, lambda _: None)
        with store.read() as session:
            assert leftovers.measure(session, find(OLD)) == (0, 0)
    with store.read() as session:
        kept = set(session.scalars(select(Snapshot.id)))
        per_target = select(func.max(Snapshot.id)).group_by(Snapshot.pool, Snapshot.tournament_id)
        told = set(session.scalars(select(RatingPoint.snapshot)))
        assert kept == set(session.scalars(per_target)) | told
        assert told
        assert session.scalar(select(func.count(Attempt.id)).where(Attempt.log.is_not(None))) == 0
