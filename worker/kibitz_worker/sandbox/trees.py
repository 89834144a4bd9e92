"""What every bot sees of this machine, read-only: the system's programs, Python, the packages."""

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from kibitz_worker.sandbox.errors import SandboxError

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
CONFIGURATION = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/alternatives",
    "/etc/ssl/openssl.cnf",
)
TOO_WIDE = {"/", "/etc", "/home", "/root", "/var", "/run", "/srv", "/opt", "/mnt"}


PACKAGES = ("kibitz", "numpy", "grpc", "google.protobuf")


def _libraries() -> list[str]:
    """Folders that hold nothing but installed packages."""
    return [p for p in sys.path if Path(p).name in {"site-packages", "dist-packages"}]


def _edited() -> Iterator[str]:
    """Packages that lie elsewhere, installed for editing."""
    for package in PACKAGES:
        try:
            found = importlib.util.find_spec(package)
        except ModuleNotFoundError:
            continue
        for folder in (found.submodule_search_locations or ()) if found else ():
            if not _within(folder, _libraries()):
                yield folder


def _within(path: str, folders: list[str]) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def python_trees() -> list[str]:
    """The folders outside the system's that this interpreter and its packages need."""
    wanted = {
        sys.prefix,
        sys.exec_prefix,
        sys.base_prefix,
        sys.base_exec_prefix,
        *_libraries(),
        *_edited(),
    }
    wanted |= {os.path.realpath(path) for path in wanted}
    kept: list[str] = []
    for path in sorted(wanted):
        if os.path.isdir(path) and not _within(path, [*SYSTEM, *kept]):
            if path in TOO_WIDE or path == str(Path.home()):
                raise SandboxError(
                    "DATA_EXPOSED", f"Python is installed in {path} itself, which bots must not see"
                )
            kept.append(path)
    return kept


def listed_folders() -> list[str]:
    """Folders whose names, not contents, Python must read to find a package in them."""
    return [str(Path(folder).parent) for folder in _edited()]


def visible_trees(folder: Path | None) -> list[str]:
    """Python's trees and the bot's own folder, if it has one.

    Raises SandboxError `DATA_EXPOSED` for a folder where every bot could read it, for then it could
    read others'.
    """
    trees = python_trees()
    if folder is None:
        return trees
    for path in (str(folder), os.path.realpath(folder)):
        if _within(path, [*SYSTEM, *trees]):
            raise SandboxError(
                "DATA_EXPOSED",
                f"{path} lies in a folder that every bot can read; keep the data folder elsewhere",
            )
    return [*trees, str(folder)]


def check_reachable(paths: Iterable[Path]) -> None:
    """Refuse what a bot with a user of its own could not get at.

    Raises SandboxError `DATA_HIDDEN`, naming the folder that is closed to other users.
    """
    for path in paths:
        for parent in reversed(path.parents):
            if not parent.stat().st_mode & 0o001:
                raise SandboxError(
                    "DATA_HIDDEN",
                    f"root's bots run as other users, who may not enter {parent}: run the worker "
                    f"as an ordinary user, or let others pass with chmod o+x {parent}",
                )
