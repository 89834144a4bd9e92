"""Several machines: one that is cut off or dies costs time, and no result; clocks may be wrong.

One host has the database and the queue server; each of the others a worker with its referee.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kibitz_worker.store.models import Attempt, Outcome
from kibitz_worker.work.holder import hall_named
from sqlalchemy import select

from tests.machines.fleet import LEASE, Fleet, Worker, clock, fleet
from tests.machines.hosts import Host, missing
from tests.postgres import missing as no_postgres
from tests.worker.jobs.disasters import plan_league, played_undisturbed, results
from tests.worker.jobs.machine import wait_for

SETS = 12
AHEAD, FAR_AHEAD = 420, 1080

WHY_NOT = missing() or no_postgres()
pytestmark = [
    pytest.mark.campaign,
    pytest.mark.skipif(WHY_NOT is not None and not os.environ.get("CI"), reason=WHY_NOT or ""),
]


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert WHY_NOT is None, WHY_NOT
    folder = tmp_path_factory.mktemp("planned")
    plan_league(folder, SETS)
    return folder


@pytest.fixture(scope="module")
def undisturbed(planned: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return played_undisturbed(planned, tmp_path_factory.mktemp("undisturbed") / "data")


def holding(made: Fleet) -> set[str]:
    """The hosts whose workers have sets in hand."""
    with made.store.read() as session:
        query = select(Attempt.worker).where(Attempt.outcome == Outcome.RUNNING)
        return {hall_named(name) for name in session.scalars(query)}


def outcomes(made: Fleet) -> list[Outcome]:
    with made.store.read() as session:
        return list(session.scalars(select(Attempt.outcome)))


def told_time(ahead: int) -> float:
    """What time it is on a host whose clock is so many seconds ahead."""
    program = [sys.executable, "-c", "import time; print(time.time())"]
    return float(subprocess.check_output(program, env={**os.environ, **clock(ahead)}))


def idle(worker: Worker) -> bool:
    """Whether a worker is up and none of its jobs goes on."""
    machine = worker.machine
    return len(machine.processes("kibitz_worker.runner")) == 1 and not machine.processes("bots")


def lose(made: Fleet, victim: Worker, happens: Callable[[Host], None]) -> float:
    """Let something happen to a host while it plays; return after how long its loss is noticed."""
    name = victim.host.name
    wait_for(lambda: name in holding(made) or finished(made), f"{name} to play")
    happens(victim.host)
    struck = time.monotonic()
    wait_for(lambda: name not in holding(made), "the loss to be noticed")
    return time.monotonic() - struck


def all_at_work(made: Fleet, places: list[Host], folder: Path) -> list[Worker]:
    """Workers at some places, and the league begun when all are up."""
    workers = [made.add(place, folder / place.name) for place in places]
    for worker in workers:
        worker.start()
    made.begin()
    return workers


def finished(made: Fleet) -> bool:
    return made.workers[0].machine.finished()


def check(made: Fleet, undisturbed: dict[str, Any]) -> None:
    """Everything is as without trouble: nothing differs, is lost, or is there twice."""
    wait_for(lambda: finished(made), "the league")
    assert results(made.store) == undisturbed
    found = outcomes(made)
    assert found.count(Outcome.DONE) == len(undisturbed["sets"])
    assert Outcome.RUNNING not in found


def test_a_machine_that_is_cut_off_loses_its_lease_and_no_result(
    planned: Path, undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    assert told_time(FAR_AHEAD) - told_time(0) > 1000
    with fleet(planned, tmp_path, 2) as (made, (one, two)):
        first = made.add(one, tmp_path / "h2", ahead=AHEAD)
        second = made.add(two, tmp_path / "h3", ahead=FAR_AHEAD)
        first.start()
        wait_for(lambda: first.machine.processes("kibitz_worker.keeper"), "the keeper")
        second.start()
        made.begin()
        noticed = lose(made, second, Host.cut_off)
        two.rejoin()  # what it played meanwhile comes too late
        check(made, undisturbed)
        wait_for(lambda: idle(second), "the machine to be well again")
        check(made, undisturbed)
    assert noticed < 60


def test_a_machine_that_dies_loses_its_lease_and_no_result(
    planned: Path, undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    with fleet(planned, tmp_path, 3) as (made, places):
        workers = all_at_work(made, places, tmp_path)
        noticed = lose(made, workers[-1], lambda _: workers[-1].die())
        workers[-1].start()  # the machine is switched on again
        check(made, undisturbed)
        wait_for(lambda: idle(workers[-1]), "the machine to be well again")
    assert noticed < 60


def test_while_the_database_and_the_queue_are_cut_off_nothing_is_lost(
    planned: Path, undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    with fleet(planned, tmp_path, 3) as (made, places):
        workers = all_at_work(made, places, tmp_path)
        wait_for(lambda: len(holding(made)) > 1 or finished(made), "two machines to play")
        made.centre.cut_off()
        time.sleep(2.5 * LEASE)
        made.centre.rejoin()
        before, rejoined = outcomes(made).count(Outcome.DONE), time.monotonic()
        wait_for(lambda: outcomes(made).count(Outcome.DONE) > before or finished(made), "work")
        goes_on = time.monotonic() - rejoined
        check(made, undisturbed)
        for worker in workers:
            wait_for(lambda worker=worker: idle(worker), "all to be well again")  # type: ignore[misc]
    assert goes_on < 60
