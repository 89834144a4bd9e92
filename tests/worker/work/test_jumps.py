"""The clock is set while sets are played: nobody living loses a set, no dead one keeps it."""

from __future__ import annotations

from datetime import timedelta

from kibitz_worker.store import Store
from kibitz_worker.store.models import SetState, Version, WorkerProcess
from kibitz_worker.work.attempts import Failure, fail_set
from kibitz_worker.work.expiry import take_back
from kibitz_worker.work.jumps import Clock, after_jump, no_future, shorten_leases
from kibitz_worker.work.leases import renew

from tests.worker.leagues import league
from tests.worker.work.played import NOW, RETRY, holder, lease_first

LEASE = 30.0
HOUR = timedelta(hours=1)


def test_a_clock_that_runs_is_told_from_one_that_was_set() -> None:
    clock = Clock()
    assert clock.jumped(NOW, 100.0) == 0
    assert clock.jumped(NOW + timedelta(seconds=61), 160.0) == 0
    assert clock.jumped(NOW - HOUR, 160.0) == -3661
    assert clock.jumped(NOW + HOUR, 160.5) == 7199.5
    assert clock.jumped(NOW + HOUR, 160.5) == 0


def test_a_clock_set_forward_takes_no_lease_from_the_living(store: Store) -> None:
    with store.write() as session:
        who = holder()
        first, _ = lease_first(session, league(session), who)
        later = NOW + HOUR
        after_jump(session, later, LEASE)
        assert take_back(session, later, RETRY) == 0
        renew(session, later + timedelta(seconds=20), who)
        assert take_back(session, later + timedelta(seconds=45), RETRY) == 0
        session.expire_all()
        assert (first.state, first.lease_token) == (SetState.LEASED, who.token)
        assert take_back(session, later + timedelta(seconds=60), RETRY) == 1


def test_a_clock_set_back_frees_what_the_dead_held_after_the_time_of_a_lease(store: Store) -> None:
    with store.write() as session:
        first, _ = lease_first(session, league(session), holder())
        earlier = NOW - HOUR
        shorten_leases(session, earlier, LEASE)
        assert take_back(session, earlier + timedelta(seconds=20), RETRY) == 0
        assert take_back(session, earlier + timedelta(seconds=40), RETRY) == 1
        assert first.state is SetState.WAITING


def test_a_clock_set_back_makes_no_pause_longer_and_nobody_present(store: Store) -> None:
    with store.write() as session:
        tournament = league(session)
        first, _ = lease_first(session, tournament, holder())
        fail_set(session, NOW, first, Failure("INFRASTRUCTURE"), RETRY)
        assert first.due is not None
        version = session.get_one(Version, tournament.entrants[0].version_id)
        version.seen = NOW
        row = {"started": NOW, "seen": NOW}
        session.add(WorkerProcess(id="w", name="w", jobs=1, sandbox="strict", **row))
        session.flush()
        after_jump(session, NOW - HOUR, LEASE)
        session.expire_all()
        assert first.due is None
        assert version.seen == session.get_one(WorkerProcess, "w").seen == NOW - HOUR
        no_future(session, NOW)
        session.expire_all()
        assert version.seen == NOW - HOUR
