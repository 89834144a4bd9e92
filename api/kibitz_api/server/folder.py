"""The data folder of a server: usable, with room, and held by one server at a time."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
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


class Hold:
    """A data folder that this process holds."""

    def __init__(self, folder: Path, descriptor: int) -> None:
        self._folder, self._descriptor = folder, descriptor

    def note(self, address: str) -> None:
        """Note the server's address for those who come second."""
        text = json.dumps({"pid": os.getpid(), "address": address})
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, text.encode(), 0)

    def check(self) -> None:
        """Make sure that the folder is still there. Raises FolderError.

        A server whose folder was removed or exchanged would go on with an empty one, and what it
        has open is lost with its end.
        """
        try:
            found = (self._folder / LOCK).stat()
        except OSError:
            found = None
        if found is None or not os.path.samestat(found, os.fstat(self._descriptor)):
            raise FolderError(
                f"The data folder {self._folder} was removed or exchanged while the server ran on "
                "it. Put it back, or start again, which begins with an empty one."
            )


@contextmanager
def held(folder: Path) -> Iterator[Hold]:
    """Hold the folder while the block runs, so that no second server works on it.

    The system frees the folder when this process ends, however it ends. Raises AlreadyUpError
    naming the process that holds it and its address.
    """
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise _already_up(folder) from None
    try:
        hold = Hold(folder, descriptor)
        hold.note("starting")
        yield hold
    finally:
        os.close(descriptor)


def _already_up(folder: Path) -> AlreadyUpError:
    try:
        holder = json.loads((folder / LOCK).read_text())
        return AlreadyUpError(folder, int(holder["pid"]), str(holder["address"]))
    except (OSError, ValueError, KeyError, TypeError):  # it is just writing its line
        return AlreadyUpError(folder, None, "starting")
