"""Several machines: one that is cut off or dies costs time, and no result; clocks may be wrong."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from kibitz_worker.store.models import Attempt, Outcome, SetState
from kibitz_worker.work.holder import hall_named
from sqlalchemy import select

from tests.machines.fleet import LEASE, Fleet, clock, fleet
from tests.machines.hosts import missing
from tests.postgres import missing as no_postgres
from tests.worker.jobs.disasters import plan_league, results
from tests.worker.jobs.machine import machine, wait_for

SETS = 12
AHEAD, BEHIND = 420, -660

WHY_NOT = missing() or no_postgres()
pytestmark = pytest.mark.skipif(
    WHY_NOT is not None and not os.environ.get("CI"), reason=WHY_NOT or ""
)


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert WHY_NOT is None, WHY_NOT
    folder = tmp_path_factory.mktemp("planned")
    plan_league(folder, SETS)
    return folder


@pytest.fixture(scope="module")
def undisturbed(planned: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("undisturbed") / "data"
    shutil.copytree(planned, folder)
    with machine(folder) as one:
        one.start_worker()
        wait_for(one.finished, "the undisturbed league")
        return results(one.store)


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


def test_a_machine_that_is_cut_off_loses_its_lease_and_no_result(
    planned: Path, undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    assert told_time(AHEAD) - told_time(BEHIND) > 900
    with fleet(planned, tmp_path, 2) as (made, (one, two)):
        first = made.add(one, tmp_path / "h2", ahead=AHEAD)
        second = made.add(two, tmp_path / "h3", ahead=BEHIND)
        first.start()
        wait_for(lambda: first.machine.processes("kibitz_worker.keeper"), "the keeper")
        second.start()
        made.begin()
        wait_for(lambda: two.name in holding(made), "the second machine to play")
        two.cut_off()
        struck = time.monotonic()
        wait_for(lambda: Outcome.LOST in outcomes(made), "the loss to be noticed", 10 * LEASE)
        noticed = time.monotonic() - struck
        wait_for(first.machine.finished, "the league, played by the other machine")
        assert results(made.store) == undisturbed
        two.rejoin()
        wait_for(lambda: "taken away" in second.machine.log("worker"), "the late report")
        assert results(made.store) == undisturbed
    found = outcomes(made)
    assert found.count(Outcome.DONE) == SETS
    assert noticed < 2 * LEASE
    assert first.machine.count(SetState.LEASED) == 0
