"""Helper processes that end with the worker that started them, however it ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
PARENT = "KIBITZ_WORKER_PID"
"""Environment variable with the process number of the worker."""


def end_with_parent() -> None:
    """Ask for SIGTERM at the worker's death (Linux; elsewhere the process goes on until told)."""
    parent = int(os.environ.get(PARENT, os.getppid()))
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit("the worker that started this process has ended")
