"""More machines play more: where bots are what takes the time, each adds what it can do."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from kibitz_worker.store import open_store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.bots import submit_version
from kibitz_worker.store.models import SetState, Version, VersionState
from kibitz_worker.store.tournaments import create_tournament
from sqlalchemy.orm import Session

from tests.machines.fleet import Worker, fleet
from tests.machines.hosts import missing
from tests.postgres import missing as no_postgres
from tests.worker.jobs.machine import wait_for
from tests.worker.jobs.uploads import uploaded

COUNTED_SECONDS = 30.0
WARM_UP = 30
SLOW = """
import time
from kibitz import Bot

class Slow(Bot):
    def play(self, view):
        time.sleep(0.04)  # as one that waits for a model elsewhere
        return view.legal[0]
"""

WHY_NOT = missing() or no_postgres()
pytestmark = [
    pytest.mark.campaign,
    pytest.mark.skipif(WHY_NOT is not None and not os.environ.get("CI"), reason=WHY_NOT or ""),
]


def admitted(session: Session, folder: Path, name: str) -> Version:
    """A submitted bot that has passed, and takes its time."""
    submission = uploaded(name, SLOW, '["german_whist"]', "bot:Slow")
    version, _ = submit_version(
        session,
        create_user(session, name),
        name,
        content_hash=submission.content_hash,
        path=str(submission.store(folder)),
        games=submission.manifest.games,
    )
    version.state = VersionState.ADMITTED
    return version


@pytest.fixture
def planned(tmp_path: Path) -> Path:
    assert WHY_NOT is None, WHY_NOT
    folder = tmp_path / "planned"
    with open_store(folder) as store, store.write() as session:
        create_tournament(
            session,
            create_user(session, "ana"),
            "german_whist",
            [admitted(session, folder, name) for name in ("slow", "slower")],
            options={"end": "hands:2"},
            sets_per_pairing=600,
        )
    return folder


def sets_a_second(worker: Worker) -> float:
    """How many sets all machines finish a second, once the newest of them plays."""
    machine = worker.machine
    wait_for(lambda: len(machine.processes("kibitz.bots")) >= 8, "the newest machine to play")
    known = machine.count(SetState.DONE)
    wait_for(lambda: machine.count(SetState.DONE) >= known + WARM_UP, "jobs of full length")
    before, begun = machine.count(SetState.DONE), time.monotonic()
    time.sleep(COUNTED_SECONDS)
    return (machine.count(SetState.DONE) - before) / (time.monotonic() - begun)


def test_throughput_grows_with_the_machines(planned: Path, tmp_path: Path) -> None:
    rates = []
    with fleet(planned, tmp_path, 3) as (made, places):
        for number, place in enumerate(places):
            settings = {"workers": 2, "job_seconds": 10}
            worker = made.add(place, tmp_path / place.name, **settings)
            worker.start()
            if not number:
                made.begin()
            rates.append(sets_a_second(worker))
    one, two, three = rates
    print("sets a second of one, two and three machines:", *(f"{rate:.2f}" for rate in rates))
    assert two > 1.5 * one
    assert three > 2.0 * one
