"""Parts are started again, stopped together, and never outlive the supervisor."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kibitz_api.server.errors import NotInstalledError, PartFailedError
from kibitz_api.server.part import Part
from kibitz_api.server.supervisor import Supervisor

SLEEPER = "import time; time.sleep(60)"
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('up', flush=True)
time.sleep(60)
"""
PARENT = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, '-c', {SLEEPER!r}], start_new_session=True)
print(child.pid, flush=True)
time.sleep(60)
"""


def part(tmp_path: Path, code: str, name: str = "sleeper") -> Part:
    return Part(name, [sys.executable, "-c", code], tmp_path / f"{name}.log")


def alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    return "State:\tZ" not in status


def until(true: Callable[[], bool], within_s: float = 10.0) -> bool:
    end = time.monotonic() + within_s
    while not (found := true()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervisor(said: list[str]) -> Iterator[Supervisor]:
    found = Supervisor(said.append)
    yield found
    found.stop()


def test_a_part_that_dies_is_started_again_and_said_so(
    supervisor: Supervisor, said: list[str], tmp_path: Path
) -> None:
    worker = part(tmp_path, SLEEPER, "worker")
    supervisor.add(worker)
    first = worker.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)

    def look() -> bool:
        supervisor.look()
        return worker.pid not in {None, first}

    assert until(look)
    assert "The worker was killed by SIGKILL; starting it again in 0.5 s" in said[0]


def test_the_wait_grows_with_each_death_in_a_row(tmp_path: Path) -> None:
    dying = part(tmp_path, "pass")
    waits = []
    for _ in range(8):
        dying.started = 100.0
        dying.died(101.0)
        waits.append(dying.due - 101.0)
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30]
    dying.started = 100.0
    dying.died(200.0)
    assert dying.due == 200.5


def test_a_part_that_never_comes_up_ends_the_server_with_its_last_words(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    broken = part(tmp_path, "raise SystemExit('no such option')", "referee")
    supervisor.add(broken)

    def look_at_once() -> None:
        broken.due = 0.0

    with pytest.raises(PartFailedError, match=r"The referee ended with code 1.*\n  no such option"):
        supervisor.run(look_at_once)


def test_a_part_that_has_run_is_never_given_up(
    tmp_path: Path, supervisor: Supervisor, said: list[str]
) -> None:
    """A disk that is full for an hour kills it again and again, and then has room."""
    found = part(tmp_path, "raise SystemExit('the disk is full')")
    supervisor.add(found)
    found.started -= 60
    assert until(lambda: not found.running)
    supervisor.look()
    assert found.proven
    for _ in range(10):
        found.due = 0.0
        supervisor.look()
        assert until(lambda: not found.running)
        supervisor.look()
    assert found.deaths > 6
    assert 0 < found.due - time.monotonic() <= 30
    assert len(said) > 6


def test_stop_kills_what_ignores_sigterm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    monkeypatch.setattr("kibitz_api.server.supervisor.GRACE_S", 0.5)
    supervisor, stubborn = Supervisor(said.append), part(tmp_path, STUBBORN, "stubborn")
    supervisor.add(stubborn)
    assert until(lambda: bool(stubborn.last_lines()))
    pid = stubborn.pid
    supervisor.stop()
    assert pid is not None
    assert not alive(pid)


def supervisor_process(tmp_path: Path, code: str) -> subprocess.Popen[str]:
    """Start a supervisor of one part, named `part` in its own process."""
    text = f"""
import sys, time
from pathlib import Path
from kibitz_api.server.part import Part
from kibitz_api.server.supervisor import Supervisor
supervisor = Supervisor(print)
part = Part("part", [sys.executable, "-c", {code!r}], Path({str(tmp_path)!r}) / "log")
with supervisor.in_charge():
    supervisor.add(part)
    supervisor.wait_for(lambda: bool(part.last_lines()), part, 10)
    print(part.pid, *part.last_lines(), flush=True)
    supervisor.run()
"""
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_nothing_a_part_has_started_outlives_a_server_that_is_stopped(
    tmp_path: Path, how: signal.Signals
) -> None:
    with supervisor_process(tmp_path, PARENT) as supervisor:
        assert supervisor.stdout is not None
        pids = [int(pid) for pid in supervisor.stdout.readline().split()]
        assert len(pids) == 2
        assert all(alive(pid) for pid in pids)
        supervisor.send_signal(how)
        assert supervisor.wait(timeout=20) == 0
    assert not any(alive(pid) for pid in pids)


def test_parts_end_when_their_supervisor_is_killed_outright(tmp_path: Path) -> None:
    with supervisor_process(tmp_path, f"print('up', flush=True); {SLEEPER}") as supervisor:
        assert supervisor.stdout is not None
        pid = int(supervisor.stdout.readline().split()[0])
        supervisor.kill()
    assert until(lambda: not alive(pid))


def test_a_package_that_is_missing_is_named_at_once(
    tmp_path: Path, supervisor: Supervisor, said: list[str]
) -> None:
    supervisor.add(part(tmp_path, "import no_such_package.inside", "dashboard"))
    with pytest.raises(NotInstalledError) as failed:
        supervisor.run()
    assert "'no_such_package' is missing" in str(failed.value)
    assert "./dev up" in str(failed.value)
    assert "\n" not in str(failed.value)
    assert said == []
