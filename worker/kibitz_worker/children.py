"""A process of the worker that is started again when it dies, with longer and longer pauses."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping

import structlog

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 30.0
LONG_LIFE = 60.0
"""After so many seconds a death counts as the first."""

log = structlog.get_logger(__name__)


class Child:
    """One process, given by its module."""

    def __init__(self, name: str, module: str, environment: Mapping[str, str]) -> None:
        self.name = name
        self._module = module
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._due = 0.0
        self._deaths = 0

    @property
    def pid(self) -> int | None:
        """The number of the process, None while there is none."""
        return self._process.pid if self._process else None

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    def keep_running(self) -> None:
        """Start the process when it is due, and take note when it has died."""
        now = time.monotonic()
        if self._process is None:
            if now >= self._due:
                self._start(now)
        elif (status := self._process.poll()) is not None:
            self._deaths = 1 if now - self._started > LONG_LIFE else self._deaths + 1
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (self._deaths - 1))
            log.warning(
                "process ended, starting it again", part=self.name, status=status, in_s=pause
            )
            self._process, self._due = None, now + pause

    def _start(self, now: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", self._module],
            env=dict(self._environment),
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C at the terminal reaches the worker, which drains
        )
        self._started = now

    def terminate(self) -> None:
        """Ask the process to end."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def wait(self, seconds: float) -> None:
        """Wait for the end so long, then kill it."""
        if self._process is None:
            return
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            log.warning("process did not end, killed", part=self.name)
            self._process.kill()
            self._process.wait()
