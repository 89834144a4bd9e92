"""The commands of kibitz-server that start one thing, or only look."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

from kibitz.build import BUILD, build_of

from tests.e2e.servers import free_port, until

PARTS_S = 60.0


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "kibitz_api.server", *words]


def test_the_server_tells_its_version() -> None:
    done = subprocess.run(
        command("--version"), capture_output=True, text=True, timeout=60, check=True
    )
    builds = f"rules {BUILD}, referee {build_of('kibitz_referee.table')}"
    assert done.stdout == f"kibitz-server {version('kibitz-server')} ({builds})\n"


def test_doctor_finds_what_a_server_needs(tmp_path: Path) -> None:
    done = subprocess.run(
        command("doctor", "--data", str(tmp_path / "data"), "--json"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    found = {finding["name"]: finding for finding in json.loads(done.stdout)}
    assert done.returncode == 0, found
    assert {"python", "data folder", "database", "queue server", "sandbox", "port"} <= set(found)
    assert found["database"]["state"] == "ok"
    assert "valkey" in found["queue server"]["text"]


def test_doctor_says_what_is_bad_and_ends_with_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = subprocess.run(
        command("doctor", "--data", str(tmp_path / "file" / "data")),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    bad = [line for line in done.stdout.splitlines() if line.startswith("bad")]
    assert any("data folder" in line and "cannot be written" in line for line in bad)
    assert "Traceback" not in done.stderr


def test_parts_that_are_started_alone_find_each_other(tmp_path: Path) -> None:
    port = free_port()
    data = ("--data", str(tmp_path / "data"))
    parts = [("referee", "--listen", ""), ("worker",), ("api", "--port", str(port))]
    with ExitStack() as stack:
        processes = []
        for name, *options in parts:
            log = stack.enter_context((tmp_path / f"{name}.log").open("wb"))
            processes.append(
                stack.enter_context(
                    subprocess.Popen(
                        command(name, *data, *options),
                        stdout=log,
                        stderr=subprocess.STDOUT,
                        env={**os.environ, "PYTHONUNBUFFERED": "1"},
                    )
                )
            )
        try:
            checks = until(lambda: ready(port), PARTS_S, "a server of three parts")
            assert checks["sandbox"]["detail"] != "no worker is running"
        finally:
            for process in processes:
                process.send_signal(signal.SIGTERM)
        # uvicorn ends in order and then by the signal itself, as a service manager expects.
        assert {process.wait(30) for process in processes} <= {0, -signal.SIGTERM}


def ready(port: int) -> Any:
    """Return the checks of a server that is ready and has a worker, None before."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            checks = json.loads(answer.read())["checks"]
    except OSError:
        return None
    return checks if checks["sandbox"]["detail"] != "no worker is running" else None
