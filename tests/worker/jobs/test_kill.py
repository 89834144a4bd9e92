"""Kill -9 of everything that can be killed changes no result, loses none and counts none twice."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kibitz_worker.house import add_house_bots
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.models import Attempt, DealSet, Match, Outcome, SetState, Snapshot
from kibitz_worker.store.tournaments import create_tournament
from kibitz_worker.work.verify import play_of
from redis import RedisError
from sqlalchemy import select
from sqlalchemy.orm import undefer

from tests.worker.jobs.machine import Machine, machine, wait_for

SETS = 16


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a league that has not begun; copies of it have the same decks."""
    folder = tmp_path_factory.mktemp("planned")
    with open_store(folder) as store, store.write() as session:
        bots = [version for version in add_house_bots(session) if version.bot.name != "search"]
        create_tournament(
            session,
            create_user(session, "ana"),
            "german_whist",
            bots,
            options={"end": "hands:4"},
            sets_per_pairing=SETS,
        )
    return folder


def results(store: Store) -> dict[str, Any]:
    """Everything that counts: sets, what was played in them, and the last standings."""
    with store.read() as session:
        sets = session.scalars(select(DealSet).order_by(DealSet.number)).all()
        matches = session.scalars(
            select(Match).order_by(Match.id).options(undefer(Match.record))
        ).all()
        snapshots = session.scalars(select(Snapshot).order_by(Snapshot.id)).all()
        last = {snapshot.tournament_id: snapshot.payload for snapshot in snapshots}
        return {
            "sets": [(s.id, s.state, s.scores, s.margins, s.deals) for s in sets],
            "matches": [(m.id, m.returns, m.totals, play_of(m.record or "")) for m in matches],
            "ratings": sorted((key or "", value) for key, value in last.items()),
        }


@pytest.fixture(scope="module")
def undisturbed(planned: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("undisturbed") / "data"
    shutil.copytree(planned, folder)
    with machine(folder) as one:
        one.start_worker()
        wait_for(one.finished, "the undisturbed league")
        found = results(one.store)
    assert len(found["sets"]) == SETS
    assert len(found["matches"]) == 2 * SETS
    assert all(state is SetState.DONE for _, state, *_ in found["sets"])
    assert found["ratings"][0][1]["sets"] == SETS
    return found


def leased(one: Machine) -> bool:
    return one.count(SetState.LEASED) > 0


def a_job_is_playing(one: Machine) -> bool:
    return leased(one) and len(one.processes("kibitz.bots")) >= 4


def kill_job(one: Machine) -> None:
    """The job process alone: RQ's horse, whose command is that of its runner."""
    runner = one.processes("kibitz_worker.runner")[0]
    children = [child for child in runner.children() if "runner" in " ".join(child.cmdline())]
    for child in children:
        child.kill()
    assert children


def kill_runner_and_job(one: Machine) -> None:
    assert one.kill("kibitz_worker.runner") >= 2


def kill_keeper(one: Machine) -> None:
    assert one.kill("kibitz_worker.keeper") == 1


def flush_queue(one: Machine) -> None:
    with one.queue() as client:
        client.flushall()


def kill_queue(one: Machine) -> None:
    with one.queue() as client:
        pid = int(client.info("server")["process_id"])
    assert one.kill("valkey-server") == 1
    wait_for(lambda: answered_by_another(one, pid), "a new queue server")


def answered_by_another(one: Machine, pid: int) -> bool:
    try:
        with one.queue() as client:
            return int(client.info("server")["process_id"]) != pid
    except RedisError:
        return False


def kill_bots(one: Machine) -> None:
    assert one.kill("kibitz.bots") >= 1


def kill_all(one: Machine) -> None:
    one.kill_worker()
    one.start_worker()


def kill_referee(one: Machine) -> None:
    assert one.referee is not None
    one.referee.kill()
    one.referee.wait()
    one.start_referee()


Disaster = Callable[[Machine], None]
DISASTERS: list[tuple[Disaster, ...]] = [
    (kill_job, kill_keeper, flush_queue),
    (kill_runner_and_job, kill_bots, kill_queue),
    (kill_all,),
    (kill_referee,),
]


@pytest.mark.parametrize(
    "disasters", DISASTERS, ids=lambda some: "-".join(f.__name__ for f in some)
)
def test_results_are_those_of_an_undisturbed_run(
    planned: Path,
    undisturbed: dict[str, Any],
    tmp_path: Path,
    disasters: tuple[Disaster, ...],
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(planned, folder)
    with machine(folder) as one:
        one.start_worker()
        for disaster in disasters:
            wait_for(lambda: a_job_is_playing(one), "a job that plays")
            disaster(one)
        struck = time.monotonic()
        wait_for(one.finished, "the league after what was done to it")
        assert time.monotonic() - struck < 120
        assert results(one.store) == undisturbed
        with one.store.read() as session:
            outcomes = session.scalars(select(Attempt.outcome)).all()
        assert outcomes.count(Outcome.DONE) == SETS
        assert Outcome.RUNNING not in outcomes
        if {kill_job, kill_runner_and_job, kill_all}.intersection(disasters):
            assert Outcome.LOST in outcomes
        wait_for(lambda: not one.processes("kibitz.bots"), "the bots to be gone", 10)
