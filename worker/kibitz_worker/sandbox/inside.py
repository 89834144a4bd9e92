"""The last step before a bot's own program: limits, another user, where needed Landlock.

Runs as a script with nothing but the standard library (`python -I -S inside.py ORDER COMMAND...`),
because inside the sandbox it may see nothing else. ORDER is what `order.as_word` returns. Every bot
waits for it, so modules that are slow to import are imported only where a layer needs them.
"""

from __future__ import annotations

import marshal
import os
import resource
import select
import sys

TYPE_CHECKING = False  # as that of `typing`, which would take as long as all the rest
if TYPE_CHECKING:
    import ctypes

    from kibitz_worker.sandbox.order import Order

KILL = 9
PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER, SECCOMP_NEW_LISTENER = 1, 1 << 3
SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_RULE_PATH = 1


def _libc() -> ctypes.CDLL:
    import ctypes  # noqa: PLC0415 (see above)

    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    import ctypes  # noqa: PLC0415

    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _ruleset(libc: ctypes.CDLL, order: Order) -> int:
    """A Landlock ruleset that allows the order's paths and nothing else."""
    import ctypes  # noqa: PLC0415

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
    _checked(libc.prctl(PR_SET_PDEATHSIG, KILL, 0, 0, 0), "prctl")
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
    import ctypes  # noqa: PLC0415

    class Program(ctypes.Structure):
        """`struct sock_fprog` of the kernel."""

        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    _checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    _checked(libc.syscall(LANDLOCK_RESTRICT, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)
    program = Program(len(code) // 8, code)
    call, flags = SECCOMP_CALL[os.uname().machine], 0 if door is None else SECCOMP_NEW_LISTENER
    set_filter = libc.syscall(call, SECCOMP_SET_MODE_FILTER, flags, ctypes.byref(program))
    listener = _checked(set_filter, "seccomp")
    if door is not None:
        import socket  # noqa: PLC0415

        with socket.socket(fileno=door) as worker:
            socket.send_fds(worker, [b"x"], [listener])
        os.close(listener)


def main() -> None:
    """Do what the order says and turn into the command."""
    order: Order = marshal.loads(bytes.fromhex(sys.argv[1]))  # noqa: S302 (the worker's own words)
    command = sys.argv[2:]
    try:
        libc = _libc() if order["filter"] or order["parent"] else None
        ruleset = _ruleset(libc, order) if libc and order["filter"] else -1
        _limit(order["limits"])
        _become(order["uid"])
        os.chdir(order["folder"])
        if libc and order["parent"]:
            _die_with(libc, order["parent"])
        if libc and order["filter"]:
            _lock(libc, ruleset, bytes.fromhex(order["filter"]), order["door"])
        if order["lifeline"] is not None:
            _check_alive(order["lifeline"])
        os.execvp(command[0], command)  # noqa: S606
    except (OSError, ValueError) as error:
        sys.exit(f"the bot's program {command[0]!r} could not be started: {error}")


if __name__ == "__main__":
    main()
