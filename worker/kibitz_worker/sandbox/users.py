"""A user of its own for each bot that root starts."""

import contextlib
import itertools
import os
from pathlib import Path

FIRST, SLOTS = 1 << 30, 256
NARROW_FIRST, NARROW_SLOTS = 61000, 4000
"""For containers that know only the first 65536 users."""

_slots = itertools.count()


def _known(uid: int) -> bool:
    """Does this user namespace have such a user?"""
    for line in Path("/proc/self/uid_map").read_text().splitlines():
        start, _, count = map(int, line.split())
        if start <= uid < start + count:
            return True
    return False


def next_user() -> int | None:
    """A uid that no other bot of this machine has now; None where we are not root.

    One user a bot keeps bots from signalling and reading one another, and its count of tasks its
    own.
    """
    if os.geteuid() != 0:
        return None
    slot = next(_slots)
    wide = FIRST + os.getpid() * SLOTS + slot % SLOTS
    if _known(wide):
        return wide
    return NARROW_FIRST + (os.getpid() * SLOTS + slot) % NARROW_SLOTS


def tasks_now() -> int:
    """How many tasks (threads of all processes) this user has."""
    mine = os.geteuid()
    total = 0
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError):
                if process.stat().st_uid == mine:
                    total += sum(1 for _ in (process / "task").iterdir())
    return total
