"""Hundreds of disasters at random moments change no result: the campaign, and a sample of it.

`pytest -m campaign` strikes KIBITZ_CAMPAIGN times (200) with each disaster, at moments drawn from
KIBITZ_CAMPAIGN_SEED, while one league is played; then everything is as it is without any.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kibitz_worker.errors import StoreError
from kibitz_worker.store import open_store
from kibitz_worker.store.models import Attempt, DealSet, Outcome, SetState
from kibitz_worker.store.troubles import PASSING
from sqlalchemy import func, select

from tests.postgres import Postgres, Server, copy_rows, missing, text_of
from tests.worker.jobs import disasters
from tests.worker.jobs.machine import Machine, machine, wait_for

STRIKES = int(os.environ.get("KIBITZ_CAMPAIGN", "200"))
SEED = os.environ.get("KIBITZ_CAMPAIGN_SEED", "kibitz")
SETS_A_STRIKE = 12
GOES_ON_WITHIN = 60.0
SETTINGS: dict[str, Any] = {"max_attempts": 1000, "lease_seconds": 30, "workers": 2}

Strike = Callable[[Machine, Random], None]


def plain(disaster: Callable[[Machine], None]) -> Strike:
    return lambda one, _: disaster(one)


STRIKES_BY_NAME: dict[str, Strike] = {
    "worker": plain(disasters.kill_all),
    "job": plain(disasters.kill_job),
    "runner": plain(disasters.kill_runner_and_job),
    "keeper": plain(disasters.kill_keeper),
    "referee": plain(disasters.kill_referee),
    "api": plain(disasters.kill_api),
    "queue": plain(disasters.kill_queue),
    "queue-and-data": plain(disasters.lose_queue),
    "drain": plain(disasters.drain),
}


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planned")
    disasters.plan_league(folder, STRIKES * SETS_A_STRIKE)
    return folder


@pytest.fixture(scope="module")
def undisturbed(planned: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("undisturbed") / "data"
    shutil.copytree(planned, folder)
    with machine(folder, **SETTINGS) as one:
        one.start_worker()
        wait_for(one.finished, "the undisturbed league", 3600)
        return disasters.results(one.store)


def done(one: Machine) -> int:
    """Sets that are done, or -1 while the database cannot tell."""
    try:
        return one.count(SetState.DONE)
    except StoreError as error:
        if error.reason not in PASSING:
            raise
        return -1


def over(one: Machine) -> bool:
    return done(one) >= 0 and one.finished()


def strike_again_and_again(one: Machine, name: str, strike: Strike) -> list[float]:
    """Strike at random moments; return after how many seconds each time work went on."""
    chance = Random(f"{SEED}:{name}")
    waits = []
    for number in range(STRIKES):
        time.sleep(chance.uniform(0.0, 2.0))
        wait_for(lambda: over(one) or one.processes("kibitz.bots"), "play or the end")
        time.sleep(chance.uniform(0.0, 1.0))
        if over(one):
            break
        before = done(one)
        strike(one, chance)
        struck = time.monotonic()
        wait_for(
            lambda before=before: done(one) > before or over(one),  # type: ignore[misc]
            f"work to go on after strike {number + 1} of {name}",
            GOES_ON_WITHIN,
        )
        waits.append(time.monotonic() - struck)
    return waits


def check(one: Machine, undisturbed: dict[str, Any], name: str, waits: list[float]) -> None:
    wait_for(lambda: over(one), "the end of the league", 3600)
    assert disasters.results(one.store) == undisturbed
    with one.store.read() as session:
        by_outcome = dict(
            session.execute(select(Attempt.outcome, func.count()).group_by(Attempt.outcome)).all()
        )
        sets = session.scalar(select(func.count()).select_from(DealSet))
    assert by_outcome[Outcome.DONE] == sets
    assert Outcome.RUNNING not in by_outcome
    wait_for(lambda: not one.processes("kibitz.bots"), "the bots to be gone", 20)
    ordered = sorted(waits)
    p99 = ordered[math.ceil(0.99 * len(ordered)) - 1] if ordered else 0.0
    print(
        f"campaign {name}: {len(waits)} strikes, work went on after "
        f"{ordered[len(ordered) // 2]:.1f} s (median), {p99:.1f} s (p99), {ordered[-1]:.1f} s "
        f"(worst); attempts {by_outcome}"
    )


@pytest.mark.campaign
@pytest.mark.parametrize("name", STRIKES_BY_NAME)
def test_kills_change_nothing(
    planned: Path, undisturbed: dict[str, Any], tmp_path: Path, name: str
) -> None:
    shutil.copytree(planned, tmp_path / "data")
    with machine(tmp_path / "data", **SETTINGS) as one:
        if name == "api":
            one.start_api()
        one.start_worker()
        waits = strike_again_and_again(one, name, STRIKES_BY_NAME[name])
        check(one, undisturbed, name, waits)


@contextmanager
def on_postgres(planned: Path, data: Path, server: Postgres) -> Iterator[Machine]:
    """A machine whose league lies in PostgreSQL."""
    with ExitStack() as stack:
        url = stack.enter_context(server.database())
        with open_store(planned) as source, open_store(text_of(url)) as target:
            copy_rows(source, target)
        data.mkdir()
        one = stack.enter_context(machine(data, database_url=text_of(url), **SETTINGS))
        one.start_worker()
        yield one


@pytest.mark.campaign
@pytest.mark.skipif(missing() is not None, reason=missing() or "")
@pytest.mark.parametrize("how", ["restart", "kill"])
def test_a_database_that_restarts_changes_nothing(
    planned: Path, undisturbed: dict[str, Any], tmp_path: Path, how: str
) -> None:
    with Server(fsync="on") as server:

        def strike(_: Machine, chance: Random) -> None:
            (server.stop if how == "restart" else server.kill)()
            time.sleep(chance.choice((0.0, chance.uniform(0.0, 5.0))))
            server.start()

        with on_postgres(planned, tmp_path / "data", server) as one:
            name = f"postgresql-{how}"
            check(one, undisturbed, name, strike_again_and_again(one, name, strike))


def fill_disk(one: Machine, chance: Random) -> None:
    """Write until nothing more can be written, wait, and give the room back."""
    filler = one.settings.data_dir / "filler"
    with filler.open("ab") as file:
        try:
            while True:
                file.write(b"x" * 65536)
                file.flush()
        except OSError:
            pass
    time.sleep(chance.uniform(0.5, 10.0))
    filler.unlink()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of little room, for which one must be allowed to mount."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={64 + STRIKES}m", "kibitz", str(folder)]
    mounted = subprocess.run(command, check=False, capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.campaign
def test_a_full_disk_changes_nothing(
    planned: Path, undisturbed: dict[str, Any], small_disk: Path
) -> None:
    shutil.copytree(planned, small_disk / "data")
    with machine(small_disk / "data", **SETTINGS) as one:
        one.start_worker()
        waits = strike_again_and_again(one, "full-disk", fill_disk)
        check(one, undisturbed, "full-disk", waits)
