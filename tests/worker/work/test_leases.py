"""One holder at a time, found out when it dies; failures are attempts, never results."""

from __future__ import annotations

from datetime import timedelta

from kibitz_worker.store import Store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.bots import submit_version
from kibitz_worker.store.models import (
    Attempt,
    DealSet,
    Match,
    Outcome,
    SetState,
    TournamentState,
    VersionState,
)
from kibitz_worker.store.tournaments import cancel_tournament, create_tournament, pause_tournament
from kibitz_worker.work.attempts import Failure, fail_set, release_set
from kibitz_worker.work.expiry import drop_pointless, take_back, take_back_job
from kibitz_worker.work.leases import held, lease_sets, renew
from kibitz_worker.work.plan import plan_set
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.verify import check
from sqlalchemy import func, select

from tests.worker.leagues import house_bots, league
from tests.worker.work.played import NOW, RETRY, holder, lease_first, play, sets_of

SECOND = timedelta(seconds=1)


def test_a_set_is_leased_once_and_only_for_the_attempt_the_job_was_made_for(store: Store) -> None:
    with store.write() as session:
        tournament = league(session)
        first, second = sets_of(session, tournament)
        assert set(lease_sets(session, NOW, holder(), {first.id: 1, second.id: 2})) == {first.id}
        assert lease_sets(session, NOW, holder(), {first.id: 1}) == {}
        assert (first.state, first.attempts) == (SetState.LEASED, 1)
        assert second.state is SetState.WAITING


def test_a_paused_tournament_leases_nothing(store: Store) -> None:
    with store.write() as session:
        tournament = league(session)
        pause_tournament(session, tournament.id, "lunch")
        assert lease_sets(session, NOW, holder(), {sets_of(session, tournament)[0].id: 1}) == {}


def test_a_living_holder_keeps_its_lease_and_a_silent_one_loses_it(store: Store) -> None:
    with store.write() as session:
        tournament = league(session)
        who = holder(seconds=30)
        first, _ = lease_first(session, tournament, who)
        assert take_back(session, NOW + 29 * SECOND, RETRY) == 0
        renew(session, NOW + 29 * SECOND, who)
        session.expire_all()
        assert take_back(session, NOW + 58 * SECOND, RETRY) == 0
        assert held(session, who, [first.id]) == {first.id}
        assert take_back(session, NOW + 60 * SECOND, RETRY) == 1
        assert held(session, who, [first.id]) == set()
        attempt = session.scalars(select(Attempt)).one()
        assert attempt.outcome is Outcome.LOST
        assert attempt.reason is not None
        assert "WORKER_LOST" in attempt.reason
        assert first.due is not None
        assert NOW + 62 * SECOND < first.due < NOW + 66 * SECOND
        renew(session, NOW + 61 * SECOND, who)
        assert first.state is SetState.WAITING


def test_a_job_that_is_known_to_be_dead_is_taken_back_at_once(store: Store) -> None:
    with store.write() as session:
        first, _ = lease_first(session, league(session), holder("job-1"))
        assert take_back_job(session, NOW, RETRY, "job-2") == 0
        assert take_back_job(session, NOW, RETRY, "job-1") == 1
        assert first.state is SetState.WAITING


def test_failures_wait_longer_each_time_and_end_void_with_the_reason(store: Store) -> None:
    with store.write() as session:
        tournament = league(session)
        waits = []
        for attempt in (1, 2, 3):
            first, _ = lease_first(session, tournament, holder())
            assert first.attempts == attempt
            fail_set(session, NOW, first, Failure("INFRASTRUCTURE", "no luck"), RETRY)
            waits.append((first.due or NOW) - NOW)
            first.due = None
        assert 3 * SECOND <= waits[0] <= 5 * SECOND
        assert 6 * SECOND <= waits[1] <= 10 * SECOND
        assert first.state is SetState.VOID
        assert first.reason == "3 attempts failed, the last one: INFRASTRUCTURE: no luck"
        assert session.scalar(select(func.count()).select_from(Attempt)) == 3
        assert first.scores is None


def test_what_is_given_back_on_purpose_uses_up_no_attempt(store: Store) -> None:
    with store.write() as session:
        tournament = league(session)
        for _ in range(10):
            first, _ = lease_first(session, tournament, holder())
            release_set(session, NOW, first, "the worker was asked to stop")
        assert (first.state, first.due) == (SetState.WAITING, None)
        fail_set_once(session, tournament)
        assert first.state is SetState.WAITING


def fail_set_once(session: object, tournament: object) -> None:
    first, _ = lease_first(session, tournament, holder())  # type: ignore[arg-type]
    fail_set(session, NOW, first, Failure("INFRASTRUCTURE"), RETRY)  # type: ignore[arg-type]


def test_results_of_a_failed_attempt_are_kept_and_not_played_again(store: Store) -> None:
    with store.write() as session:
        tournament = league(session)
        who = holder()
        first, plan = lease_first(session, tournament, who)
        store_match(session, NOW, who, check(plan, play(plan, plan.matches[0])))
        fail_set(session, NOW, first, Failure("INFRASTRUCTURE"), RETRY)
        again = holder("second")
        _, rest = lease_first(session, tournament, again)
        assert [match.id for match in rest.matches] == [plan.matches[1].id]
        store_match(session, NOW, again, check(rest, play(rest, rest.matches[0])))
        assert finish_set(session, NOW, again, first.id)
        attempts = session.scalars(select(Match.attempt_id).order_by(Match.number)).all()
        assert len(set(attempts)) == 2


def test_a_version_that_keeps_failing_is_put_away_and_the_league_goes_on(store: Store) -> None:
    with store.write() as session:
        owner = create_user(session, "ana")
        bad, _ = submit_version(session, owner, "bad", content_hash="1", path="x", games=["whist"])
        bad.state = VersionState.ADMITTED
        versions = [*house_bots(session, ["random", "careful"]), bad]
        tournament = create_tournament(session, owner, "whist", versions, sets_per_pairing=2)
        failure = Failure("BOT_DIES", "it ended again and again", blame_version_id=bad.id, log="oh")
        mine = [s for s in sets_of(session, tournament) if 2 in s.pairing.entrants]
        for deal_set in mine[:2]:
            assert bad.state is VersionState.ADMITTED
            lease_sets(session, NOW, holder(), {deal_set.id: 1})
            fail_set(session, NOW, deal_set, failure, RETRY)
        assert bad.state is VersionState.QUARANTINED
        assert "2 sets in a row" in (bad.reason or "")
        assert bad.log == "oh"
        assert drop_pointless(session, NOW) == len(mine)
        session.expire_all()
        left = [s for s in sets_of(session, tournament) if s.state is SetState.WAITING]
        assert {tuple(s.pairing.entrants) for s in left} == {(0, 1)}
        assert all("bad/1 is quarantined" in (s.reason or "") for s in mine)


def test_house_bots_are_never_put_away(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, sets=5)
        version = tournament.entrants[0].version
        for deal_set in sets_of(session, tournament):
            lease_sets(session, NOW, holder(), {deal_set.id: 1})
            fail_set(session, NOW, deal_set, Failure("X", blame_version_id=version.id), RETRY)
        assert version.state is VersionState.ADMITTED


def test_a_cancelled_tournament_plays_nothing_more(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, sets=3)
        who = holder()
        first, plan = lease_first(session, tournament, who)
        cancel_tournament(session, tournament.id, "rain")
        assert drop_pointless(session, NOW) == 2
        assert held(session, who, [first.id]) == set()
        release_set(session, NOW, first, "cancelled")
        session.flush()
        assert drop_pointless(session, NOW) == 1
        assert tournament.state is TournamentState.CANCELLED
        states = session.scalars(select(DealSet.state)).all()
        assert set(states) == {SetState.VOID}
        assert plan_set(session, first).matches == plan.matches
