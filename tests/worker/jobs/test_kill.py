"""Kill -9 of everything that can be killed changes no result, loses none and counts none twice."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kibitz_worker.store.models import Attempt, Outcome, SetState
from sqlalchemy import select

from tests.worker.jobs.disasters import (
    a_job_is_playing,
    flush_queue,
    kill_all,
    kill_bots,
    kill_job,
    kill_keeper,
    kill_queue,
    kill_referee,
    kill_runner_and_job,
    plan_league,
    played_undisturbed,
    results,
)
from tests.worker.jobs.machine import Machine, machine, wait_for

SETS = 16


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a league that has not begun; copies of it have the same decks."""
    folder = tmp_path_factory.mktemp("planned")
    plan_league(folder, SETS)
    return folder


@pytest.fixture(scope="module")
def undisturbed(planned: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found = played_undisturbed(planned, tmp_path_factory.mktemp("undisturbed") / "data")
    assert len(found["sets"]) == SETS
    assert len(found["matches"]) == 2 * SETS
    assert all(state is SetState.DONE for _, state, *_ in found["sets"])
    assert found["ratings"][0][1]["sets"] == SETS
    return found


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
