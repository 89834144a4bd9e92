"""A running bot."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

from kibitz_worker.sandbox.output import Capture

DEATH_SECONDS = 5.0


class Process:
    """A bot in the sandbox, used like `subprocess.Popen`.

    `pid` is that of the outermost process; killing it kills everything inside. `output` is the file
    with what the bot wrote (at most `Limits.output` bytes).
    """

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        capture: Capture,
        output: Path,
        lifeline: int | None = None,
    ) -> None:
        self._popen = popen
        self._lifeline = lifeline
        self._capture = capture
        self.output = output

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def returncode(self) -> int | None:
        """The exit status of a bot that has ended, as far as `poll` or `wait` saw it."""
        return self._popen.returncode

    def poll(self) -> int | None:
        """The exit status, or None while the bot runs."""
        status = self._popen.poll()
        if status is not None:
            self._let_go()
        return status

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; raises subprocess.TimeoutExpired."""
        status = self._popen.wait(timeout)
        self._capture.join(DEATH_SECONDS)
        self._let_go()
        return status

    def _let_go(self) -> None:
        lifeline, self._lifeline = self._lifeline, None
        if lifeline is not None:
            os.close(lifeline)

    def strike(self) -> None:
        """Kill the bot with everything it started, without waiting until it is gone."""
        if self._popen.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._popen.pid, signal.SIGKILL)

    def kill(self) -> int:
        """Kill the bot with everything it started, wait until it is gone, return its exit status.

        Doing it again, or after the bot ended by itself, does no harm.
        """
        self.strike()
        return self.wait(DEATH_SECONDS)

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
