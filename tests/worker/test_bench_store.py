"""The database of the benchmark of tournaments could have been played."""

from __future__ import annotations

from kibitz_worker.refit import Refit
from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, Match, SetState, Tournament, TournamentState
from sqlalchemy import func, select

from bench.tournament_play import figures
from bench.tournament_queries import reports
from bench.tournament_store import fill, name_of
from tests.api.conftest import nobody
from tests.worker.leagues import league
from tests.worker.test_archiving import play_all


def test_copies_of_a_tournament_are_tournaments(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, sets=3)
        play_all(session, tournament)
        key = tournament.id
    Refit(store, nobody()).refresh()
    filled = fill(store, 24)
    assert (filled.matches, filled.finished, filled.running) == (24, key, name_of(3))
    with store.read() as session:
        states = dict(session.execute(select(Tournament.id, Tournament.state)).all())
        assert states[name_of(3)] is TournamentState.RUNNING
        assert states[name_of(1)] is states[key] is TournamentState.FINISHED
        for match in session.scalars(select(Match)):
            assert match.id.startswith(f"{match.tournament_id}-")
            assert match.set.tournament_id == match.set.pairing.tournament_id == match.tournament_id
        waiting = select(func.count(DealSet.id)).where(DealSet.state == SetState.WAITING)
        assert session.scalar(waiting) == 1
    assert reports(store, filled, 2) > 0
    with store.read() as session:
        assert session.scalar(waiting) == 0


def test_what_is_not_play_is_counted_for_both_job_processes() -> None:
    counts = {"deals": 4000, "sets": 100, "jobs": 5, "play_seconds": 15.0, "job_seconds": 18.0}
    found = figures(counts, 10.0)
    assert found["deals_per_s"] == 400
    assert found["play_share"] == 0.75
    assert found["overhead_ms_per_set"] == 50
    assert found["job_overhead_ms"] == 600
