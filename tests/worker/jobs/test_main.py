"""The command ``python -m kibitz_worker``: starts, says so, drains, and fails clearly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from kibitz_worker.counters import counted
from kibitz_worker.store import open_store
from kibitz_worker.store.models import Attempt, Outcome, SetState, WorkerProcess
from sqlalchemy import select

from tests.worker.jobs.machine import machine, wait_for
from tests.worker.leagues import league


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    clean = {key: text for key, text in os.environ.items() if not key.startswith("KIBITZ_")}
    return subprocess.run(
        [sys.executable, "-m", "kibitz_worker"],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_sigterm_hands_back_what_is_played_and_the_next_start_goes_on(data_dir: Path) -> None:
    with open_store(data_dir) as store, store.write() as session:
        league(session, bots=("careful", "random"), sets=12, end="hands:20")
    with machine(data_dir, job_seconds=20) as one:
        one.start_worker()
        wait_for(lambda: one.count(SetState.LEASED) and one.processes("kibitz.bots"), "play")
        assert one.stop_worker() < 20
        assert one.count(SetState.LEASED) == 0
        log = one.log("worker")
        assert log.count("sandbox") == 1
        assert "Traceback" not in log
        with one.store.read() as session:
            outcomes = set(session.scalars(select(Attempt.outcome)))
            assert outcomes <= {Outcome.DONE, Outcome.RELEASED}
            (process,) = session.scalars(select(WorkerProcess))
            assert process.stopped is not None
        one.start_worker()
        wait_for(one.finished, "the league")
        assert one.count(SetState.DONE) == 12
        with one.queue() as connection:
            figures = counted(connection)
        assert (figures["sets"], figures["matches"], figures["deals"]) == (12, 24, 480)
        assert 0 < figures["play_seconds"] < figures["job_seconds"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_logs_that_cannot_be_written_end_no_part(data_dir: Path) -> None:
    with open_store(data_dir) as store, store.write() as session:
        league(session, bots=("careful", "random"), sets=2, end="hands:2")
    for part in ("referee", "worker"):
        (data_dir / f"{part}.log").symlink_to("/dev/full")
    with machine(data_dir) as one:
        one.start_worker()
        wait_for(one.finished, "the league", 60)
        assert one.referee is not None
        assert one.worker is not None
        assert one.referee.poll() is None
        assert one.worker.poll() is None


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({"KIBITZ_DATABASE_URL": "oracle://x"}, "DATABASE_URL_INVALID"),
        ({"KIBITZ_REDIS_URL": "redis://127.0.0.1:1"}, "REDIS_UNREACHABLE"),
        ({"KIBITZ_WORKERS": "0"}, "SETTING_INVALID"),
        ({"KIBITZ_DATA_DIR": "/proc/kibitz"}, "DATA_DIR_NOT_WRITABLE"),
    ],
)
def test_what_keeps_it_from_starting_is_one_line(
    tmp_path: Path, environment: dict[str, str], reason: str
) -> None:
    done = run(**{"KIBITZ_DATA_DIR": str(tmp_path / "data"), **environment})
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("kibitz worker: ")
    assert f"[{reason}]" in lines[0]
