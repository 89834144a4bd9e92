"""The data folder of a server: usable, with room, and held by one server at a time."""

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kibitz_worker.store import prepare_folder

from kibitz_api.server.errors import AlreadyUpError, FolderError

LEAST_FREE = 100 * 2**20
"""Bytes that must be free at the start: a league's records and logs need tens of megabytes."""

LOCK = "up.lock"


def prepare(folder: Path, least_free: int = LEAST_FREE) -> Path:
    """Make the folder where it is missing and return it absolute.

    Raises FolderError when the disk is nearly full, StoreError when nothing can be written there.
    """
    folder = prepare_folder(folder)
    free = shutil.disk_usage(folder).free
    if free < least_free:
        raise FolderError(
            f"The disk that holds {folder} is nearly full: {free // 2**20} MB are free and "
            f"Kibitz needs {least_free // 2**20} MB. Free some space, or choose another folder "
            "with --data."
        )
    return folder


@contextmanager
def held(folder: Path) -> Iterator[Callable[[str], None]]:
    """Hold the folder while the block runs, so that no second server works on it.

    Gives a function that notes the server's address for those who come second. The system frees the
    folder when this process ends, however it ends. Raises AlreadyUpError naming the process that
    holds it and its address.
    """
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)

    def note(address: str) -> None:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps({"pid": os.getpid(), "address": address}).encode(), 0)

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise _already_up(folder) from None
    try:
        note("starting")
        yield note
    finally:
        os.close(descriptor)


def _already_up(folder: Path) -> AlreadyUpError:
    try:
        holder = json.loads((folder / LOCK).read_text())
        return AlreadyUpError(folder, int(holder["pid"]), str(holder["address"]))
    except (OSError, ValueError, KeyError, TypeError):  # it is just writing its line
        return AlreadyUpError(folder, None, "starting")
