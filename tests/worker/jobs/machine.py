"""A real referee and a real worker over one data folder, and ways to be rough with them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Any

import psutil
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import DealSet, SetState, Tournament, TournamentState
from kibitz_worker.valkey import queue_url
from redis import Redis
from sqlalchemy import func, select

PATIENCE = 150.0


class Machine:
    """Processes over a data folder; all of them are ended with the block.

    They are started `inside` a place, with `extra` environment; a `store` that is given is
    another's to close.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        store: Store | None = None,
        inside: Callable[[], AbstractContextManager[None]] = nullcontext,
        extra: Mapping[str, str] = MappingProxyType({}),
        **settings: object,
    ) -> None:
        quick = {"lease_seconds": 3, "backoff_seconds": 0.2, "job_seconds": 2, "log_level": "info"}
        chosen = quick | settings
        self.settings: Settings = load_settings(
            **{"data_dir": data_dir, "redis_url": None, **chosen}
        )
        self._environment = {
            **{key: text for key, text in os.environ.items() if not key.startswith("KIBITZ_")},
            "KIBITZ_DATA_DIR": str(data_dir),
            **{f"KIBITZ_{key.upper()}": str(value) for key, value in chosen.items()},
            **extra,
        }
        self._inside, self._borrowed = inside, store is not None
        self.store: Store = store or open_store(self.settings.database)
        self.referee: subprocess.Popen[bytes] | None = None
        self.worker: subprocess.Popen[bytes] | None = None
        self.api: subprocess.Popen[bytes] | None = None

    def start_referee(self) -> None:
        self.referee = self._start(
            "referee",
            "kibitz_referee",
            *("--socket", str(self.settings.bot_socket)),
            *("--control", str(self.settings.control_socket)),
        )
        wait_for(self.settings.bot_socket.exists, "the referee")

    def start_worker(self) -> None:
        self.worker = self._start("worker", "kibitz_worker")

    def start_api(self) -> None:
        self.api = self._start("api", "kibitz_api")

    def _start(self, name: str, module: str, *options: str) -> subprocess.Popen[bytes]:
        with (self.settings.data_dir / f"{name}.log").open("ab") as log, self._inside():
            return subprocess.Popen(
                [sys.executable, "-m", module, *options],
                env=self._environment,
                stdout=log,
                stderr=log,
            )

    def log(self, name: str) -> str:
        return (self.settings.data_dir / f"{name}.log").read_text(errors="replace")

    def processes(self, part: str) -> list[psutil.Process]:
        """The worker's descendants whose command holds `part`."""
        if self.worker is None or self.worker.poll() is not None:
            return []
        found = []
        for process in psutil.Process(self.worker.pid).children(recursive=True):
            try:
                if part in " ".join(process.cmdline()):
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def kill(self, part: str) -> int:
        """Kill -9 all descendants of the worker whose command holds `part`."""
        killed = 0
        for victim in self.processes(part):
            try:
                victim.kill()
            except psutil.NoSuchProcess:
                continue
            killed += 1
        return killed

    def kill_worker(self) -> None:
        """Kill -9 the worker and everything below it, as a power cut would."""
        assert self.worker is not None
        family = psutil.Process(self.worker.pid).children(recursive=True)
        self.worker.kill()
        self.worker.wait()
        for process in family:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue

    def queue(self) -> Redis:
        return Redis.from_url(queue_url(self.settings))

    def count(self, state: SetState) -> int:
        with self.store.read() as session:
            query = select(func.count()).where(DealSet.state == state)
            return session.scalar(query) or 0

    def finished(self) -> bool:
        with self.store.read() as session:
            states = set(session.scalars(select(Tournament.state)))
        return states == {TournamentState.FINISHED}

    def stop_worker(self) -> float:
        """Ask the worker to end; return how many seconds it took."""
        assert self.worker is not None
        began = time.monotonic()
        self.worker.send_signal(signal.SIGTERM)
        assert self.worker.wait(30) == 0
        return time.monotonic() - began

    def close(self) -> None:
        for process in (self.api, self.worker, self.referee):
            if process is not None and process.poll() is None:
                process.terminate()
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        if not self._borrowed:
            self.store.close()


@contextmanager
def machine(data_dir: Path, **settings: Any) -> Iterator[Machine]:
    """A machine whose referee is up; start its worker when the tournaments are there."""
    made = Machine(data_dir, **settings)
    try:
        made.start_referee()
        yield made
    finally:
        made.close()


def wait_for(condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.05)
