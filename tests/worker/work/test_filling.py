"""Jobs grow until they take as long as they should, and shrink when they take longer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kibitz_worker.store import Store
from kibitz_worker.store.models import Outcome, Tournament
from kibitz_worker.work.attempts import running_attempt
from kibitz_worker.work.filling import FIRST_SETS, MOST_SETS, job_size
from kibitz_worker.work.leases import lease_sets
from sqlalchemy.orm import Session

from tests.worker.leagues import league
from tests.worker.work.played import NOW, holder, sets_of


def play_job(session: Session, tournament: Tournament, sets: int, seconds: float) -> None:
    waiting = [s for s in sets_of(session, tournament) if s.attempts == 0][:sets]
    lease_sets(session, NOW, holder(f"job {seconds}"), {s.id: 1 for s in waiting})
    for deal_set in waiting:
        attempt = running_attempt(session, deal_set)
        assert attempt is not None
        attempt.outcome = Outcome.DONE
        attempt.ended = NOW + timedelta(seconds=seconds)
    session.flush()


@pytest.mark.parametrize(
    ("sets", "seconds", "next_size"),
    [(2, 1, 8), (3, 5, 6), (3, 9.9, 6), (8, 20, 4), (4, 400, 1), (30, 0.1, 120)],
)
def test_the_size_follows_the_last_job(
    store: Store, sets: int, seconds: float, next_size: int
) -> None:
    with store.write() as session:
        tournament = league(session, sets=200)
        assert job_size(session, tournament, 1, 10) == FIRST_SETS
        play_job(session, tournament, 5, 3)
        play_job(session, tournament, sets, seconds)
        assert job_size(session, tournament, 1, 10) == next_size <= MOST_SETS


def test_the_last_sets_are_shared_among_the_workers(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, sets=26)
        play_job(session, tournament, 16, 1)
        assert job_size(session, tournament, 1, 10) == 10
        assert job_size(session, tournament, 4, 10) == 3
