"""The last step before a bot's own program: limits, another user, where needed Landlock.

Runs as a script with nothing but the standard library (`python -I -S inside.py JSON COMMAND...`),
because inside the sandbox it may see nothing else. The JSON object has the keys of `Order`.
"""

import ctypes
import json
import os
import resource
import select
import signal
import socket
import sys
from typing import TypedDict

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER, SECCOMP_NEW_LISTENER = 1, 1 << 3
SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_RULE_PATH = 1


class Order(TypedDict):
    """What to do.

    `limits` are rlimits by name, `uid` whom to become (None: stay), `folder` where to start,
    `rights` and `paths` the Landlock ruleset, `filter` the system call filter in hex (empty:
    neither of the two), `parent` the process to die with (0: none), `door` an open socket on which
    to send the filter's listener (None: the filter has none), `lifeline` a pipe that is closed when
    the worker is gone.
    """

    limits: dict[str, int]
    uid: int | None
    folder: str
    rights: list[int]
    paths: list[tuple[str, int]]
    filter: str
    parent: int
    door: int | None
    lifeline: int | None


class Program(ctypes.Structure):
    """`struct sock_fprog` of the kernel."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _ruleset(libc: ctypes.CDLL, order: Order) -> int:
    """A Landlock ruleset that allows the order's paths and nothing else."""
    handled = (ctypes.c_uint64 * len(order["rights"]))(*order["rights"])
    ruleset = _checked(
        libc.syscall(LANDLOCK_CREATE, handled, ctypes.sizeof(handled), 0), "landlock_create_ruleset"
    )
    for path, rights in order["paths"]:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = rights.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
        added = libc.syscall(LANDLOCK_ADD, ruleset, LANDLOCK_RULE_PATH, rule, 0)
        _checked(added, f"landlock_add_rule {path}")
        os.close(place)
    return ruleset


def _limit(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, name), (value, value))


def _become(uid: int | None) -> None:
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def _die_with(libc: ctypes.CDLL, parent: int) -> None:
    """Be killed when the parent is gone; setting it after a change of user, which clears it."""
    _checked(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")
    if os.getppid() != parent:
        sys.exit("the worker ended before the bot started")


def _check_alive(lifeline: int) -> None:
    """End if the worker ended while bubblewrap was starting and not yet able to notice."""
    with open(lifeline, "rb", buffering=0) as pipe:
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        if poll.poll(0):
            sys.exit("the worker ended before the bot started")


def _lock(libc: ctypes.CDLL, ruleset: int, code: bytes, door: int | None) -> None:
    """Give up privileges for ever, close the ruleset and the filter over us."""
    _checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    _checked(libc.syscall(LANDLOCK_RESTRICT, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)
    program = Program(len(code) // 8, code)
    call, flags = SECCOMP_CALL[os.uname().machine], 0 if door is None else SECCOMP_NEW_LISTENER
    set_filter = libc.syscall(call, SECCOMP_SET_MODE_FILTER, flags, ctypes.byref(program))
    listener = _checked(set_filter, "seccomp")
    if door is not None:
        with socket.socket(fileno=door) as worker:
            socket.send_fds(worker, [b"x"], [listener])
        os.close(listener)


def main() -> None:
    """Do what the order says and turn into the command."""
    order: Order = json.loads(sys.argv[1])
    command = sys.argv[2:]
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        ruleset = _ruleset(libc, order) if order["filter"] else -1
        _limit(order["limits"])
        _become(order["uid"])
        os.chdir(order["folder"])
        if order["parent"]:
            _die_with(libc, order["parent"])
        if order["filter"]:
            _lock(libc, ruleset, bytes.fromhex(order["filter"]), order["door"])
        if order["lifeline"] is not None:
            _check_alive(order["lifeline"])
        os.execvp(command[0], command)  # noqa: S606
    except (OSError, ValueError) as error:
        sys.exit(f"the bot's program {command[0]!r} could not be started: {error}")


if __name__ == "__main__":
    main()
