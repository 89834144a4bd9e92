"""Processes whose own parent has died: adopted, so that none outlives the server."""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PAUSE_S = 0.05


def adopt() -> None:
    """Become the parent of every descendant whose own parent dies (Linux; elsewhere nothing)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children() -> set[int]:
    """List the processes whose parent is this one; empty where the system does not tell."""
    try:
        lists = [(task / "children").read_text() for task in Path("/proc/self/task").iterdir()]
    except OSError:
        return set()
    return {int(pid) for text in lists for pid in text.split()}


def reap(known: Collection[int]) -> None:
    """Take the exit statuses of adopted processes that have ended; leave the known children."""
    for pid in children() - set(known):
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            continue


def end_all(within_s: float = 5.0) -> set[int]:
    """Kill all children and what they leave behind; return those that could not be ended."""
    until = time.monotonic() + within_s
    while (left := children()) and time.monotonic() < until:
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, os.WNOHANG)
            except (ProcessLookupError, ChildProcessError):
                continue
        time.sleep(PAUSE_S)
    return children()
