"""Whole servers as a person starts them: `kibitz-server up` in a process of its own."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import psutil

START_S = 60.0
NO_SEASONS = {"KIBITZ_TWIN_CHECK": ""}
"""Tests may run at any hour of a week."""
STOP_S = 30.0


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(true: Callable[[], Any], within_s: float, what: str) -> Any:
    """Wait for something to come true and return it; say what it was when it doesn't."""
    end = time.monotonic() + within_s
    while not (found := true()):
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {within_s:.0f} s")
        time.sleep(0.05)
    return found


class RunningServer:
    """A server over a data folder; ended with the block, whatever happens in it."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data, self.port = data, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        words = arguments or ("up", "--listen", "")
        data.mkdir(parents=True, exist_ok=True)
        self.said = data.parent / f"{data.name}.said"
        command = [sys.executable, "-m", "kibitz_api.server", *words]
        with self.said.open("ab") as said:
            self.process = subprocess.Popen(
                [*command, "--data", str(data), "--port", str(self.port)],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"} | NO_SEASONS,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()

    def up(self) -> Self:
        """Wait until the server is ready, or raise with what it said."""

        def ready() -> bool:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended:\n{self.said.read_text()}")
            try:
                return bool(self.get("/healthz"))
            except OSError:
                return False

        until(ready, START_S, f"a server on {self.data}")
        return self

    def get(self, path: str) -> Any:
        """Read JSON from the server."""
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return json.loads(answer.read())

    def part(self, module: str) -> psutil.Process:
        """Find the process of a part, as ``kibitz_worker``."""

        def find() -> psutil.Process | None:
            for process in psutil.Process(self.process.pid).children():
                if module in process.cmdline():
                    return process
            return None

        found = until(find, START_S, f"the process of {module}")
        assert isinstance(found, psutil.Process)
        return found

    def tree(self) -> list[psutil.Process]:
        """List the processes of the server, itself first."""
        top = psutil.Process(self.process.pid)
        return [top, *top.children(recursive=True)]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; return the exit code."""
        self.process.send_signal(how)
        return self.process.wait(STOP_S)


def left(processes: list[psutil.Process]) -> list[str]:
    """Describe which of these processes still run."""
    found = []
    for process in processes:
        try:
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(f"{process.pid} {' '.join(process.cmdline())}")
        except psutil.NoSuchProcess:
            continue
    return found


def finished(server: RunningServer, tournament: str) -> Any:
    """Return a tournament once it is over and rated, None before."""
    try:
        told = server.get(f"/api/v1/tournaments/{tournament}")
    except (OSError, urllib.error.HTTPError):
        return None
    rated = all(row["elo"] is not None for row in told["standings"])
    return told if told["state"] == "finished" and rated else None
