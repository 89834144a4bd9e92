"""The reconciler against a real queue server: what is due is queued, and queued again when lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from kibitz_worker.errors import QueueServerError
from kibitz_worker.halls import HallNote
from kibitz_worker.reconcile import Reconciler, finish
from kibitz_worker.settings import Settings
from kibitz_worker.store import Store
from kibitz_worker.store.bots import host_version, submit_version
from kibitz_worker.store.models import (
    DealSet,
    Outbox,
    SetState,
    Snapshot,
    Tournament,
    TournamentState,
    User,
    Version,
    VersionState,
    WorkerProcess,
)
from kibitz_worker.store.tournaments import create_tournament
from kibitz_worker.valkey import QueueServer, open_queue_server
from kibitz_worker.work.outbox import SETS, UNTRUSTED, LostJobs, waiting_jobs
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.verify import check
from redis import Redis
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer
from sqlalchemy import select

from tests.worker.leagues import house_bots, league
from tests.worker.work.played import holder, lease_first, play


@pytest.fixture
def server(settings: Settings) -> Iterator[QueueServer]:
    with open_queue_server(settings) as opened:
        yield opened


@pytest.fixture
def connection(server: QueueServer) -> Iterator[Redis]:
    with server.connect() as client:
        yield client


@pytest.fixture
def reconciler(store: Store, connection: Redis, settings: Settings) -> Reconciler:
    return Reconciler(store, connection, settings)


def worker(store: Store, sandbox: str = "strict", jobs: int = 1, name: str = "w:1") -> None:
    with store.write() as session:
        now = store.now(session)
        row = {"started": now, "seen": now + timedelta(minutes=5), "reason": "no luck here"}
        session.add(WorkerProcess(id=name + sandbox, name=name, jobs=jobs, sandbox=sandbox, **row))


def jobs(connection: Redis, queue: str = SETS) -> list[Job]:
    found = Queue(queue, connection=connection, serializer=JSONSerializer).jobs
    return [job for job in found if isinstance(job, Job)]


def begin(store: Store, **league_options: int) -> str:
    with store.write() as session:
        return league(session, **league_options).id  # type: ignore[arg-type]


def test_jobs_carry_ids_only_and_no_more_than_the_workers_take(
    store: Store, reconciler: Reconciler, connection: Redis
) -> None:
    begin(store, sets=20)
    worker(store, jobs=2)
    for _ in range(3):
        reconciler.tick()
    queued = jobs(connection)
    assert len(queued) == 2
    for job in queued:
        assert job.func_name == "kibitz_worker.jobs.play_sets"
        assert set(job.kwargs) == {"sets"}
        assert set(job.kwargs["sets"].values()) == {1}
        first = min(job.kwargs["sets"])
        assert job.id.startswith(f"sets-{first}-a1-")
    taken = [key for job in queued for key in job.kwargs["sets"]]
    assert len(taken) == len(set(taken))


def test_without_workers_nothing_is_queued_and_the_page_says_so(
    store: Store, reconciler: Reconciler, connection: Redis
) -> None:
    tournament = begin(store)
    reconciler.tick()
    assert jobs(connection) == []
    with store.read() as session:
        assert session.get_one(Tournament, tournament).reason == "no worker is up"
    worker(store)
    reconciler.tick()
    assert len(jobs(connection)) == 1
    with store.read() as session:
        assert session.get_one(Tournament, tournament).reason is None


def test_a_flushed_queue_is_filled_again_under_new_ids(
    store: Store, reconciler: Reconciler, connection: Redis
) -> None:
    begin(store)
    worker(store)
    reconciler.tick()
    (before,) = jobs(connection)
    connection.flushall()
    reconciler.tick()
    (after,) = jobs(connection)
    assert after.kwargs == before.kwargs
    assert after.id != before.id


def test_a_job_that_left_its_queue_and_never_began_counts_as_lost_after_a_while(
    store: Store, reconciler: Reconciler, connection: Redis
) -> None:
    begin(store)
    worker(store)
    reconciler.tick()
    (job,) = jobs(connection)
    connection.delete(f"rq:queue:{SETS}")
    lost = LostJobs(connection)
    now = time.monotonic()
    assert lost.among({job.id: SETS}, now) == set()
    assert lost.among({job.id: SETS}, now + LostJobs.PATIENCE - 1) == set()
    assert lost.among({job.id: SETS}, now + LostJobs.PATIENCE + 1) == {job.id}


def test_what_a_crash_left_in_the_outbox_is_sent_and_nothing_is_sent_twice(
    store: Store, reconciler: Reconciler, connection: Redis
) -> None:
    begin(store)
    worker(store)
    reconciler.tick()
    with store.write() as session:
        session.scalars(select(Outbox)).one().sent = None
    reconciler.tick()
    assert len(jobs(connection)) == 1


def test_a_queue_server_that_is_down_is_an_error_and_loses_no_job(
    store: Store, reconciler: Reconciler, server: QueueServer, settings: Settings
) -> None:
    begin(store)
    worker(store)
    server.stop()
    with pytest.raises(QueueServerError) as caught:
        reconciler.tick()
    assert caught.value.reason == "REDIS_UNREACHABLE"
    with open_queue_server(settings) as again, again.connect() as client:
        Reconciler(store, client, settings).tick()
        assert waiting_jobs(client, SETS) == 1


def finish_all(store: Store, tournament: str) -> None:
    who = holder()
    with store.write() as session:
        for _ in range(2):
            kept = session.get_one(Tournament, tournament)
            waiting = select(DealSet).where(DealSet.state == SetState.WAITING)
            deal_set, plan = lease_first(session, kept, who)
            for match in plan.matches:
                store_match(session, store.now(session), who, check(plan, play(plan, match)))
            assert finish_set(session, store.now(session), who, deal_set.id)
            if session.scalars(waiting).first() is None:
                return


def test_a_tournament_is_closed_once_and_its_last_standings_are_complete(
    store: Store, reconciler: Reconciler
) -> None:
    tournament = begin(store, sets=1)
    finish_all(store, tournament)
    reconciler.tick()
    with store.read() as session:
        kept = session.get_one(Tournament, tournament)
        assert kept.state is TournamentState.FINISHED
        assert kept.finished is not None
        snapshots = session.scalars(select(Snapshot)).all()
        assert {s.tournament_id for s in snapshots} == {None, tournament}
        assert {s.sets for s in snapshots} == {1}
        players = {row["player"] for row in snapshots[0].payload["rows"]}
        assert players == {"random/1", "careful/1"}
    with store.write() as session:
        assert not finish(session, store.now(session), tournament)
    reconciler.tick()
    with store.read() as session:
        assert len(session.scalars(select(Snapshot)).all()) == 2


def test_a_restarted_keeper_does_not_rate_again_what_is_rated(
    store: Store, reconciler: Reconciler, connection: Redis, settings: Settings
) -> None:
    tournament = begin(store, sets=1)
    finish_all(store, tournament)
    reconciler.tick()
    Reconciler(store, connection, settings).tick()
    with store.read() as session:
        assert len(session.scalars(select(Snapshot)).all()) == 2


def enter(store: Store, kind: str) -> str:
    with store.write() as session:
        begun = league(session)
        owner = session.scalars(select(User).where(User.name == "ana")).one()
        begun.state = TournamentState.CANCELLED
        if kind == "hosted":
            version = host_version(session, owner, "heart", ["german_whist"])
        else:
            version, _ = submit_version(
                session, owner, "heart", content_hash="1", path="x", games=["german_whist"]
            )
            version.state = VersionState.ADMITTED
        versions = [version, *house_bots(session, ["careful"])]
        return create_tournament(session, owner, "german_whist", versions).id


def test_submitted_bots_go_to_the_queue_of_sandboxed_workers(
    store: Store, reconciler: Reconciler, connection: Redis
) -> None:
    enter(store, "submitted")
    worker(store)
    reconciler.tick()
    assert jobs(connection, SETS) == []
    functions = {job.func_name for job in jobs(connection, UNTRUSTED)}
    assert "kibitz_worker.jobs.admit" in functions


def test_without_a_sandbox_submissions_are_refused_with_the_reason(
    store: Store, reconciler: Reconciler, connection: Redis
) -> None:
    tournament = enter(store, "submitted")
    with store.write() as session:
        pending = session.scalars(select(Version).where(Version.path == "x")).one()
        pending.state = VersionState.PENDING
    worker(store, sandbox="none")
    reconciler.tick()
    assert jobs(connection, UNTRUSTED) == []
    with store.read() as session:
        version = session.scalars(select(Version).where(Version.path == "x")).one()
        assert version.state is VersionState.REFUSED
        assert "NO_SANDBOX" in (version.reason or "")
        assert "no luck here" in (version.reason or "")
        assert "--trust" in (version.reason or "")
    reconciler.tick()
    with store.read() as session:
        kept = session.get_one(Tournament, tournament)
        assert kept.state is TournamentState.FINISHED
        assert kept.reason == "1 set could not be played"


def test_sets_wait_for_a_self_hosted_bot_to_connect(
    store: Store, reconciler: Reconciler, connection: Redis
) -> None:
    tournament = enter(store, "hosted")
    worker(store, name="here:1")
    reconciler.tick()
    assert jobs(connection) == []
    with store.read() as session:
        reason = session.get_one(Tournament, tournament).reason
    assert reason == "waits for ana/heart/1 to connect"
    with store.write() as session:
        version = session.scalars(select(Version).where(Version.spec.is_(None))).one()
        version.seen = store.now(session)
    reconciler.tick()
    with store.read() as session:
        reason = session.get_one(Tournament, tournament).reason
    assert reason == "waits for bots to be at one referee: ana/heart/1 (nowhere)"
    note = HallNote(connection, "here")
    assert note.write([version.id])
    reconciler.tick()
    queue = Queue("sets@here", connection=connection, serializer=JSONSerializer)
    assert queue.count == 1
    assert jobs(connection) == []  # for no other machine
    note.take_away()  # it stops, and another one takes the bots
    assert HallNote(connection, "there").write([version.id])
    worker(store, name="there:1")
    reconciler.tick()
    there = Queue("sets@there", connection=connection, serializer=JSONSerializer)
    assert there.count == 1
