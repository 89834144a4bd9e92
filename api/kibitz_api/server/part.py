"""One part of the server as a process: how it is started, looked at, and stopped."""

import os
import re
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kibitz_worker import lifeline

LOG_LIMIT = 10 * 2**20
"""A log larger than this is put aside as NAME.log.1 when the part is started."""

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
LONG_LIFE_S = 60.0
"""A part that ran this long has recovered: its next death counts as the first."""

NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")

PROVEN_S = 10.0
"""A part that ran this long can run: when it keeps dying later, the trouble may pass (a full disk,
a database that is moved), so it is never given up."""


@dataclass
class Part:
    """A process that belongs to the server, with its log and the history of its deaths."""

    name: str
    command: Sequence[str]
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    deaths: int = 0
    proven: bool = False
    started: float = 0.0
    due: float = 0.0

    def start(self) -> None:
        """Start the process; what it prints goes to its log."""
        self._put_log_aside()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", lifeline.__file__, str(os.getpid()), *self.command],
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches the supervisor alone, which stops in order
            )
        self.started = time.monotonic()

    @property
    def running(self) -> bool:
        """Whether the process was started and has not ended."""
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        return self.process.pid if self.process is not None and self.running else None

    def died(self, now: float) -> str:
        """Note the death of the process and when to start it again; return how it ended."""
        code = self.process.returncode if self.process else None
        self.proven = self.proven or now - self.started > PROVEN_S
        self.deaths = 1 if now - self.started > LONG_LIFE_S else self.deaths + 1
        self.due = now + min(FIRST_WAIT_S * 2.0 ** min(self.deaths - 1, 10), LONGEST_WAIT_S)
        self.process = None
        return ending(code)

    def ask_to_stop(self) -> None:
        """Send SIGTERM, once more is fine."""
        if self.process is not None and self.running:
            self.process.terminate()

    def kill(self) -> None:
        """End the process and its group at once."""
        if self.process is not None and self.running:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def last_lines(self, number: int = 10) -> list[str]:
        """Give the end of the log."""
        try:
            with self.log.open(encoding="utf-8", errors="replace") as log:
                return [line.rstrip() for line in deque(log, number)]
        except OSError:
            return []

    def missing(self) -> str | None:
        """Name the Python package for want of which the process ended, None when it was not that.

        Only what a part lacks when it starts counts.
        """
        if self.proven:
            return None
        found = NO_MODULE.match((self.last_lines(1) or [""])[0])
        return found.group(1).partition(".")[0] if found else None

    def _put_log_aside(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(self.log.with_name(self.log.name + ".1"))


def ending(code: int | None) -> str:
    """Say how a process ended."""
    if code is None or code >= 0:
        return f"ended with code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"
