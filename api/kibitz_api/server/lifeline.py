"""Runs a command that ends when its parent does: `python lifeline.py PARENT COMMAND...`.

The supervisor starts each part through this file, so that a supervisor killed outright (kill -9,
out of memory) leaves nothing running. Where the system has no such signal the part just runs.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Ask for SIGTERM at the parent's death, then become the command."""
    parent, command = int(arguments[0]), arguments[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the signal was asked for
            sys.exit(f"lifeline: process {parent}, which started this one, has ended")
    os.execv(command[0], command)  # noqa: S606  no shell on purpose


if __name__ == "__main__":
    main(sys.argv[1:])
