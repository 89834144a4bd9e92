"""The command lines of the layers."""

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz_worker.sandbox import bubblewrap, inside, landlock, seccomp
from kibitz_worker.sandbox.doorkeeper import Doorkeeper
from kibitz_worker.sandbox.limits import Limits
from kibitz_worker.sandbox.order import Order, as_word
from kibitz_worker.sandbox.trees import CONFIGURATION, SYSTEM, check_reachable, listed_folders
from kibitz_worker.sandbox.users import next_user, tasks_now

HELPER = os.path.realpath(inside.__file__)
PYTHON = os.path.realpath(sys.executable)


@dataclass(frozen=True, slots=True)
class Start:
    """A command line and the open files it needs; leaving the context closes them here.

    `door` is the doorkeeper to start when the process runs, if the layer needs one; `lifeline` is
    to be kept open while it runs.
    """

    command: list[str]
    files: tuple[int, ...] = ()
    door: Doorkeeper | None = None
    lifeline: int | None = None

    def __enter__(self) -> "Start":
        return self

    def __exit__(self, *_: object) -> None:
        for file in self.files:
            with contextlib.suppress(OSError):
                os.close(file)
        if self.door:
            self.door.theirs.close()


def _resources(limits: Limits, tasks: int) -> dict[str, int]:
    return {
        "RLIMIT_AS": limits.memory,
        "RLIMIT_CPU": limits.cpu_seconds,
        "RLIMIT_FSIZE": limits.file_size,
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_NPROC": tasks,
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
    }


def _helped(order: Order, command: Sequence[str]) -> list[str]:
    return [PYTHON, "-I", "-S", HELPER, as_word(order), *command]


def _filter_file() -> int:
    """The filter in a pipe that bubblewrap reads to its end."""
    reading, writing = os.pipe()
    with open(writing, "wb") as pipe:
        pipe.write(seccomp.program())
    return reading


def strict_start(
    command: Sequence[str],
    binary: str,
    trees: list[str],
    folder: Path | None,
    socket: Path,
    limits: Limits,
) -> Start:
    """Bubblewrap with the filter; inside, the limits and for root's bots their own user."""
    user = next_user()
    lifeline, held = os.pipe()
    order: Order = {
        "limits": _resources(limits, limits.tasks),
        "uid": user,
        "folder": str(folder or "/"),
        "rights": [],
        "paths": [],
        "filter": "",
        "parent": 0,
        "door": None,
        "lifeline": lifeline,
    }
    file = _filter_file()
    seen = [*trees, HELPER]
    start = order["folder"]
    world = bubblewrap.arguments(binary, seen, start, socket, limits, file, root=user is not None)
    return Start([*world, *_helped(order, command)], (file, lifeline), lifeline=held)


def landlock_start(
    command: Sequence[str], trees: list[str], folder: Path | None, socket: Path, limits: Limits
) -> Start:
    """Landlock with the filter.

    Bots that are the worker's own user get a doorkeeper (other users are kept from our sockets by
    these sockets' modes), and their count of tasks is that of all the user's processes.
    """
    user = next_user()
    if user is not None:
        check_reachable([socket, *([folder] if folder else [])])
    door = Doorkeeper(socket) if user is None else None
    files: tuple[int, ...] = (os.dup(door.theirs.fileno()),) if door else ()
    visible = [*SYSTEM, *CONFIGURATION, *trees]
    order: Order = {
        "limits": _resources(limits, limits.tasks + (tasks_now() if door else 0)),
        "uid": user,
        "folder": str(folder or "/"),
        "rights": landlock.handled_rights(),
        "paths": landlock.path_rules(visible, listed_folders()),
        "filter": seccomp.program(asking=door is not None, sealed=True).hex(),
        "parent": os.getpid(),
        "door": files[0] if door else None,
        "lifeline": None,
    }
    return Start(_helped(order, command), files, door)


def bare_start(command: Sequence[str], folder: Path | None) -> Start:
    """No protection: only the promise to die with the worker, where the system can keep it."""
    order: Order = {
        "limits": {"RLIMIT_CORE": 0},
        "uid": None,
        "folder": str(folder or "/"),
        "rights": [],
        "paths": [],
        "filter": "",
        "parent": os.getpid() if sys.platform == "linux" else 0,
        "door": None,
        "lifeline": None,
    }
    return Start(_helped(order, command))
