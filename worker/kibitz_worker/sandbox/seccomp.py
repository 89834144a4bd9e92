"""The system call filter: one process with threads, Unix streams, none of the risky calls.

A classic BPF program over `struct seccomp_data` (Linux,
Documentation/userspace-api/seccomp_filter.rst): number at offset 0, architecture at 4, arguments
from 16, eight bytes each. It refuses what is listed and whatever is newer than the list; a foreign
architecture kills.
"""

import errno
import platform
import struct
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from kibitz_worker.sandbox.syscalls import HIGHEST_KNOWN, MACHINES, Machine

LOAD, MASK, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
KILL, ERRNO, ASK, ALLOW = 0x80000000, 0x00050000, 0x7FC00000, 0x7FFF0000
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24

CLONE_THREAD = 0x00010000
CLONE_NEW = 0x7E020000 | 0x00000080
"""All namespaces: NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME."""

AF_UNIX, SOCK_STREAM, TYPE_BITS = 1, 1, 0xF
PR_SET_PDEATHSIG = 1
TERMINAL_INJECTION = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX push characters into somebody's terminal."""

ARGUED = {"socket", "socketpair", "connect", "clone", "clone3", "ioctl", "prctl", "prlimit64"}
"""Calls whose verdict depends on their arguments, or on the layer."""


class Step(NamedTuple):
    """One BPF instruction: code, offsets to jump when true and false, constant."""

    code: int
    true: int
    false: int
    constant: int


def _refuse(error: int) -> Step:
    return Step(RETURN, 0, 0, ERRNO | error)


ALLOWED = Step(RETURN, 0, 0, ALLOW)
DENIED = _refuse(errno.EPERM)
UNKNOWN = _refuse(errno.ENOSYS)


def _when(number: int, body: list[Step]) -> list[Step]:
    """The body for this system call; it must end the program. All others go on behind it."""
    return [Step(EQUAL, 0, len(body), number), *body]


def _preamble(machine: Machine) -> list[Step]:
    return [
        Step(LOAD, 0, 0, ARCHITECTURE),
        Step(EQUAL, 1, 0, machine.audit),
        Step(RETURN, 0, 0, KILL),
        Step(LOAD, 0, 0, NUMBER),
        Step(AT_LEAST, 0, 1, HIGHEST_KNOWN + 1),
        UNKNOWN,
    ]


def _bodies() -> dict[str, list[Step]]:
    unix_streams_only = [
        Step(LOAD, 0, 0, FIRST),
        Step(EQUAL, 0, 3, AF_UNIX),
        Step(LOAD, 0, 0, SECOND),
        Step(MASK, 0, 0, TYPE_BITS),
        Step(EQUAL, 1, 0, SOCK_STREAM),
        DENIED,
        ALLOWED,
    ]
    threads_only = [
        Step(LOAD, 0, 0, FIRST),
        Step(ANY_BIT, 1, 0, CLONE_NEW),
        Step(ANY_BIT, 1, 0, CLONE_THREAD),
        DENIED,
        ALLOWED,
    ]
    sti, linux = TERMINAL_INJECTION
    quiet = [Step(LOAD, 0, 0, SECOND), Step(EQUAL, 1, 0, sti), Step(EQUAL, 0, 1, linux)]
    mortal = [Step(LOAD, 0, 0, FIRST), Step(EQUAL, 0, 1, PR_SET_PDEATHSIG), DENIED, ALLOWED]
    own_limits = [Step(LOAD, 0, 0, FIRST), Step(EQUAL, 0, 1, 0), ALLOWED, DENIED]
    return {
        "socket": unix_streams_only,
        "socketpair": unix_streams_only,
        "clone": threads_only,
        "clone3": [UNKNOWN],
        "ioctl": [*quiet, DENIED, ALLOWED],
        "prctl": mortal,
        "prlimit64": own_limits,
    }


def _steps(machine: Machine, asking: bool, sealed: bool) -> Iterator[Step]:
    bodies = _bodies()
    if asking:
        bodies["connect"] = [Step(RETURN, 0, 0, ASK)]
    checked = (_when(machine.calls[name], body) for name, body in bodies.items())
    refused = (
        _when(number, [DENIED])
        for name, number in (machine.calls | (machine.metadata if sealed else {})).items()
        if name not in ARGUED
    )
    return chain(_preamble(machine), *checked, *refused, [ALLOWED])


def supported() -> bool:
    """Is there a filter for this machine's architecture?"""
    return platform.machine() in MACHINES


def program(machine: str | None = None, *, asking: bool = False, sealed: bool = False) -> bytes:
    """The filter as an array of `struct sock_filter`, for this machine or the one named.

    With `asking` each `connect` waits for the answer of whoever holds the filter's listener (see
    `doorkeeper`). With `sealed` modes, owners, times and attributes of files cannot be changed.
    Raises KeyError for an architecture without a table; ask `supported()` first.
    """
    table = MACHINES[machine or platform.machine()]
    return b"".join(struct.pack("HBBI", *step) for step in _steps(table, asking, sealed))
