"""Starting a bot inside a layer."""

import os
import stat
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from kibitz_worker.sandbox.commands import Start, bare_start, landlock_start, strict_start
from kibitz_worker.sandbox.environment import clean_environment
from kibitz_worker.sandbox.errors import SandboxError
from kibitz_worker.sandbox.layer import Layer
from kibitz_worker.sandbox.limits import Limits
from kibitz_worker.sandbox.output import Capture
from kibitz_worker.sandbox.process import Process
from kibitz_worker.sandbox.trees import visible_trees


def launch(
    command: Sequence[str],
    *,
    layer: Layer,
    bot_dir: Path | None,
    referee_socket: Path,
    env: Mapping[str, str],
    limits: Limits | None = None,
    stderr_path: Path,
    bare: bool = False,
) -> Process:
    """Start a bot; it sees the system read-only, its folder read-only, and the referee's socket.

    `command` names paths as they are outside; they are the same inside. `bot_dir` is the bot's
    folder (None for a bot of the `kibitz` package); the bot starts in it. `KIBITZ_ADDRESS` is set;
    `env` adds `KIBITZ_TOKEN`, nothing of the worker's environment is passed on. stdout and stderr
    go to `stderr_path`. With the layer `none` only `bare=True` starts anything: for bots that the
    operator has named himself. The bot dies with this process, even if that is killed. Raises
    SandboxError.
    """
    limits = limits or Limits()
    socket = Path(os.path.abspath(referee_socket))
    folder = None if bot_dir is None else Path(os.path.abspath(bot_dir))
    _check_socket(socket)
    if layer.name == "none" and not bare:
        raise SandboxError("NO_SANDBOX", f"no sandbox works here: {layer.reason}")
    with _start(command, layer, folder, socket, limits) as start:
        return _spawn(start, clean_environment(layer, socket, env), limits, stderr_path)


def _start(
    command: Sequence[str], layer: Layer, folder: Path | None, socket: Path, limits: Limits
) -> Start:
    if layer.name == "none":
        return bare_start(command, folder)
    trees = visible_trees(folder)
    if layer.name == "strict":
        return strict_start(command, layer.bubblewrap, trees, folder, socket, limits)
    return landlock_start(command, trees, folder, socket, limits)


def _check_socket(socket: Path) -> None:
    """The socket must exist, and root's must let others connect: its bots are other users."""
    try:
        status = socket.stat()
    except OSError as error:
        raise SandboxError("NO_SOCKET", f"the referee's socket {socket}: {error}") from error
    if not stat.S_ISSOCK(status.st_mode):
        raise SandboxError("NO_SOCKET", f"{socket} is no socket; give the referee's")
    if os.geteuid() == 0 and status.st_mode & 0o006 != 0o006:
        socket.chmod(stat.S_IMODE(status.st_mode) | 0o006)


@cache
def _spawner(process: int) -> ThreadPoolExecutor:
    """A thread that lives as long as the process: bots die with the thread that started them."""
    return ThreadPoolExecutor(1, thread_name_prefix=f"bot-spawner-{process}")


def _spawn(start: Start, environment: dict[str, str], limits: Limits, output: Path) -> Process:
    reading, writing = os.pipe()
    try:
        popen = _spawner(os.getpid()).submit(_popen, start, environment, writing).result()
        if start.door:
            start.door.start()
        capture = Capture(reading, output, limits.output)
        return Process(popen, capture, output, start.lifeline)
    except OSError as error:
        os.close(reading)
        if start.lifeline is not None:
            os.close(start.lifeline)
        raise SandboxError("NOT_STARTED", f"{start.command[0]}: {error}") from error
    finally:
        os.close(writing)


def _popen(start: Start, environment: dict[str, str], output: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        start.command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        env=environment,
        pass_fds=start.files,
        start_new_session=True,
    )
