"""Processes that end with the one that started them, however it ends.

A part of ours calls `end_with_parent`. Any other command is started through this file:
``python lifeline.py PARENT COMMAND...``.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
PARENT = "KIBITZ_WORKER_PID"
"""Environment variable with the process number of the worker."""


def end_with_parent(parent: int | None = None) -> None:
    """Ask for SIGTERM at the parent's death (Linux; elsewhere the process goes on until told).

    The parent is the worker that KIBITZ_WORKER_PID names, unless given.
    """
    if parent is None:
        parent = int(os.environ.get(PARENT, os.getppid()))
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it died before the signal was asked for
        sys.exit("the process that started this one has ended")


def main(arguments: list[str]) -> None:
    """Become a command that ends with the parent given as the first argument."""
    end_with_parent(int(arguments[0]))
    os.execv(arguments[1], arguments[1:])  # noqa: S606 - no shell on purpose


if __name__ == "__main__":
    main(sys.argv[1:])
