"""The command lines of the layers."""

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz_worker.sandbox import bubblewrap, inside, landlock, seccomp
from kibitz_worker.sandbox.limits import Limits
from kibitz_worker.sandbox.trees import CONFIGURATION, SYSTEM
from kibitz_worker.sandbox.users import next_user, tasks_now

HELPER = os.path.realpath(inside.__file__)
PYTHON = os.path.realpath(sys.executable)


@dataclass(frozen=True, slots=True)
class Start:
    """A command line and the open files it needs; leaving the context closes them here."""

    command: list[str]
    files: tuple[int, ...] = ()

    def __enter__(self) -> "Start":
        return self

    def __exit__(self, *_: object) -> None:
        for file in self.files:
            with contextlib.suppress(OSError):
                os.close(file)


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


def _helped(order: inside.Order, command: Sequence[str]) -> list[str]:
    return [PYTHON, "-I", "-S", HELPER, json.dumps(order), *command]


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
    order: inside.Order = {
        "limits": _resources(limits, limits.tasks),
        "uid": user,
        "folder": str(folder or "/"),
        "rights": [],
        "paths": [],
        "filter": "",
        "parent": 0,
    }
    file = _filter_file()
    seen = [*trees, HELPER]
    start = order["folder"]
    world = bubblewrap.arguments(binary, seen, start, socket, limits, file, root=user is not None)
    return Start([*world, *_helped(order, command)], (file,))


def landlock_start(
    command: Sequence[str], trees: list[str], folder: Path | None, limits: Limits
) -> Start:
    """Landlock with the filter; the user's count of tasks is that of all his processes."""
    user = next_user()
    visible = [*SYSTEM, *CONFIGURATION, *trees]
    order: inside.Order = {
        "limits": _resources(limits, limits.tasks + (0 if user else tasks_now())),
        "uid": user,
        "folder": str(folder or "/"),
        "rights": landlock.handled_rights(),
        "paths": landlock.path_rules(visible),
        "filter": seccomp.program().hex(),
        "parent": os.getpid(),
    }
    return Start(_helped(order, command))


def bare_start(command: Sequence[str], folder: Path | None) -> Start:
    """No protection: only the promise to die with the worker, where the system can keep it."""
    order: inside.Order = {
        "limits": {"RLIMIT_CORE": 0},
        "uid": None,
        "folder": str(folder or "/"),
        "rights": [],
        "paths": [],
        "filter": "",
        "parent": os.getpid() if sys.platform == "linux" else 0,
    }
    return Start(_helped(order, command))
