"""Whose turn it is, who plays how much, who stays away, and what is struck out."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from kibitz_worker.errors import ConflictError, InvalidError, NotFoundError, WorkerError
from kibitz_worker.live import Live
from kibitz_worker.refit import Refit
from kibitz_worker.store import Store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.bots import host_version, submit_version
from kibitz_worker.store.models import (
    DealSet,
    Event,
    Match,
    SetState,
    Snapshot,
    Tournament,
    TournamentState,
    Version,
    VersionState,
    WorkerProcess,
)
from kibitz_worker.store.running import Running
from kibitz_worker.store.tournaments import create_tournament
from kibitz_worker.work.absence import settle_absences
from kibitz_worker.work.annulment import annul_set
from kibitz_worker.work.attempts import Failure, fail_set
from kibitz_worker.work.filling import fill_sets
from kibitz_worker.work.holder import Holder
from kibitz_worker.work.leases import lease_sets
from kibitz_worker.work.outbox import SETS, UNTRUSTED
from kibitz_worker.work.plan import plan_set
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.verify import check
from redis import Redis
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from tests.worker.leagues import house_bots, league
from tests.worker.work.played import NOW, RETRY, holder, play, sets_of

NORMAL = Running()
ROOM = {SETS: 12, UNTRUSTED: 0}


def of_owner(
    session: Session, name: str, count: int, running: Running = NORMAL
) -> list[Tournament]:
    owner = create_user(session, name)
    bots = house_bots(session, ["random", "careful"])
    return [
        create_tournament(
            session,
            owner,
            "german_whist",
            bots,
            options={"end": "hands:2"},
            sets_per_pairing=90,
            running=running,
        )
        for _ in range(count)
    ]


def jobs_of(session: Session) -> Counter[str]:
    query = select(DealSet.tournament_id, DealSet.job).where(DealSet.job.is_not(None)).distinct()
    return Counter(tournament for tournament, _ in session.execute(query))


def test_owners_share_the_workers_however_many_tournaments_they_have(store: Store) -> None:
    with store.write() as session:
        many = of_owner(session, "ana", 3)
        (one,) = of_owner(session, "ben", 1)
        assert fill_sets(session, NOW, ROOM, 12, 10) == 12
        jobs = jobs_of(session)
        assert jobs[one.id] == 6
        assert [jobs[each.id] for each in many] == [2, 2, 2]


def test_each_step_of_priority_doubles_the_share(store: Store) -> None:
    with store.write() as session:
        (low,) = of_owner(session, "ana", 1)
        (high,) = of_owner(session, "ben", 1, Running(priority=1))
        fill_sets(session, NOW, ROOM, 12, 10)
        jobs = jobs_of(session)
        assert (jobs[high.id], jobs[low.id]) == (8, 4)


def test_a_bot_plays_in_so_many_jobs_and_leaves_the_workers_to_others(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, bots=("random", "careful", "search"), sets=90)
        assert fill_sets(session, NOW, ROOM, 12, 10, bot_jobs=1) == 1
        in_hand = select(DealSet.pairing_id).where(DealSet.job.is_not(None)).distinct()
        playing = session.scalars(in_hand).one()
        assert fill_sets(session, NOW, ROOM, 12, 10, bot_jobs=2) == 2
        pairings = session.scalars(in_hand).all()
        assert playing in pairings
        assert len(pairings) == 3
        assert jobs_of(session)[tournament.id] == 3


@pytest.mark.parametrize(
    ("running", "reason"),
    [
        (Running(priority=6), "PRIORITY_INVALID"),
        (Running(absence="cry"), "ABSENCE_INVALID"),
        (Running(absence="void", wait_seconds=-1), "ABSENCE_INVALID"),
    ],
)
def test_values_that_cannot_be_are_refused(store: Store, running: Running, reason: str) -> None:
    with pytest.raises(InvalidError) as caught, store.write() as session:
        of_owner(session, "ana", 1, running)
    assert caught.value.reason == reason


def with_guest(session: Session, absence: str, wait_seconds: int = 600) -> Tournament:
    owner = create_user(session, "ana")
    guest = host_version(session, owner, "heart", ["german_whist"])
    made = create_tournament(
        session,
        owner,
        "german_whist",
        [*house_bots(session, ["random", "careful"]), guest],
        options={"end": "hands:2"},
        running=Running(absence=absence, wait_seconds=wait_seconds),
    )
    made.started = NOW
    return made


def test_a_bot_that_stays_away_forfeits_its_sets_after_the_deadline(store: Store) -> None:
    with store.write() as session:
        tournament = with_guest(session, "forfeit")
        assert settle_absences(session, NOW + timedelta(seconds=599)) == 0
        assert settle_absences(session, NOW + timedelta(seconds=601)) == 2
        session.expire_all()
        sets = sets_of(session, tournament)
        assert [one.state for one in sets].count(SetState.DONE) == 2
        for one in sets:
            if 2 in one.pairing.entrants:
                assert one.reason == "ABSENT: ana/heart/1 forfeited it"
                assert one.scores is not None
                assert one.scores[one.pairing.entrants.index(2)] == min(one.scores)
                assert sum(one.scores) == 0
            else:
                assert one.state is SetState.WAITING
        matches = session.scalars(select(Match).where(Match.forfeits.is_not(None))).all()
        assert {f["reason"] for match in matches for f in match.forfeits or ()} == {"ABSENT"}
        assert settle_absences(session, NOW + timedelta(hours=2)) == 0


def test_a_deadline_runs_from_when_the_bot_was_last_seen_and_sets_can_be_void(
    store: Store,
) -> None:
    with store.write() as session:
        tournament = with_guest(session, "void")
        guest = session.scalars(select(Version).where(Version.spec.is_(None))).one()
        guest.seen = NOW + timedelta(hours=1)
        session.flush()
        assert settle_absences(session, NOW + timedelta(hours=1, seconds=10)) == 0
        assert settle_absences(session, NOW + timedelta(hours=1, seconds=599)) == 0
        assert settle_absences(session, NOW + timedelta(hours=1, seconds=601)) == 2
        reasons = {one.reason for one in sets_of(session, tournament)}
        assert reasons == {None, "ABSENT: ana/heart/1 did not come in 600 s"}


def test_a_tournament_that_waits_settles_nothing(store: Store) -> None:
    with store.write() as session:
        with_guest(session, "wait", 0)
        assert settle_absences(session, NOW + timedelta(days=300)) == 0


def finish_first(session: Session, tournament: Tournament) -> DealSet:
    who = holder()
    first = next(s for s in sets_of(session, tournament) if s.state is SetState.WAITING)
    lease_sets(session, NOW, who, {first.id: first.attempts + 1})
    plan = plan_set(session, first)
    for match in plan.matches:
        store_match(session, NOW, who, check(plan, play(plan, match)))
    assert finish_set(session, NOW, who, first.id)
    return first


def test_an_annulled_set_counts_no_more_and_is_played_again_with_new_decks(store: Store) -> None:
    refit = Refit(store, Live(Redis.from_url("unix:///nonexistent/redis.sock")))
    with store.write() as session:
        tournament = league(session, sets=2)
        first, second = finish_first(session, tournament), finish_first(session, tournament)
    refit.refresh(final=tournament.id)
    with store.write() as session:
        made = annul_set(session, NOW, first.id, user_id=tournament.owner_id, reason=" a  bug ")
        assert made is not None
        assert (made.number, made.id) == (2, f"{tournament.id}-0-2")
        kept = session.get_one(DealSet, first.id)
        assert (kept.state, kept.reason) == (SetState.ANNULLED, "annulled: a bug")
        assert kept.scores == first.scores
        again = finish_first(session, tournament)
        assert again.id == made.id
    refit.refresh(final=tournament.id)
    with store.write() as session:
        newest = session.scalars(select(Snapshot).order_by(Snapshot.id.desc())).first()
        assert newest is not None
        assert newest.sets == 2
        event = session.scalars(select(Event).where(Event.kind == "SET_ANNULLED")).one()
        assert (event.kind, event.subject, event.reason) == ("SET_ANNULLED", first.id, "a bug")
        session.get_one(Tournament, tournament.id).state = TournamentState.FINISHED
        assert annul_set(session, NOW, second.id, user_id=None, reason="late") is None


@pytest.mark.parametrize(
    ("set_id", "reason", "error", "wanted"),
    [
        ("none", "why", NotFoundError, "SET_UNKNOWN"),
        ("", "why", ConflictError, "SET_NOT_DONE"),
        ("", " ", InvalidError, "REASON_MISSING"),
    ],
)
def test_what_cannot_be_annulled_is_told(
    store: Store, set_id: str, reason: str, error: type[WorkerError], wanted: str
) -> None:
    with store.write() as session:
        key = set_id or sets_of(session, league(session))[0].id
        with pytest.raises(error) as caught:
            annul_set(session, NOW, key, user_id=None, reason=reason)
    assert caught.value.reason == wanted


def test_one_broken_machine_among_several_puts_no_version_away(store: Store) -> None:
    with store.write() as session:
        owner = create_user(session, "ana")
        bad, _ = submit_version(session, owner, "bad", content_hash="1", path="x", games=["whist"])
        bad.state = VersionState.ADMITTED
        versions = [*house_bots(session, ["careful"]), bad]
        made = create_tournament(session, owner, "whist", versions, sets_per_pairing=8)
        for host in ("good:1", "broken:1"):
            row = {"started": NOW, "seen": NOW, "sandbox": "strict"}
            session.add(WorkerProcess(id=host, name=host, jobs=1, **row))
        failure = Failure("BOT_DIES", blame_version_id=bad.id)
        for deal_set in sets_of(session, made)[:4]:
            lease_sets(session, NOW, Holder("broken:7", "j", 30), {deal_set.id: 1})
            fail_set(session, NOW, deal_set, failure, RETRY)
        session.flush()
        assert session.scalar(state_of(bad)) is VersionState.ADMITTED
        other = sets_of(session, made)[4]
        lease_sets(session, NOW, Holder("good:7", "j", 30), {other.id: 1})
        fail_set(session, NOW, other, failure, RETRY)
        session.flush()
        assert session.scalar(state_of(bad)) is VersionState.QUARANTINED
        assert "5 sets in a row failed because of it on broken, good" in (bad.reason or "")
        assert other.id in (bad.reason or "")


def state_of(version: Version) -> Select[VersionState]:
    return select(Version.state).where(Version.id == version.id)
