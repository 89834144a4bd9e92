"""A fleet: database and queue server on one host, a worker with a referee of its own on others."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import Tournament, WorkerProcess
from kibitz_worker.store.tournaments import pause_tournament, start_tournament
from kibitz_worker.valkey import find_server
from kibitz_worker.work.holder import hall_named
from redis import Redis
from sqlalchemy import URL, select

from tests.machines.hosts import Host, hosts
from tests.postgres import Server, copy_rows, text_of
from tests.worker.jobs.machine import Machine, wait_for

LEASE = 6.0
QUICK: dict[str, Any] = {"lease_seconds": LEASE, "max_attempts": 1000, "referee_listen": ""}
WRONG_CLOCK = Path(__file__).with_name("wrong_clock")


def clock(seconds: int) -> dict[str, str]:
    """Environment of a host whose clock is so many seconds ahead; its stopwatches are right."""
    if not seconds:
        return {}
    return {"PYTHONPATH": str(WRONG_CLOCK), "SECONDS_AHEAD": str(seconds)}


@dataclass(frozen=True)
class Worker:
    """A host with a referee and a worker."""

    host: Host
    machine: Machine

    def start(self) -> None:
        self.machine.start_referee()
        self.machine.start_worker()

    def die(self) -> None:
        """Lose everything that runs here at once, as in a power cut."""
        self.machine.kill_worker()
        assert self.machine.referee is not None
        self.machine.referee.kill()
        self.machine.referee.wait()


class Fleet:
    """What runs on the first host, and the workers on the others."""

    def __init__(self, centre: Host, server: Server, store: Store, redis: Redis) -> None:
        self.centre, self.server, self.store, self.redis = centre, server, store, redis
        self.workers: list[Worker] = []

    @property
    def database(self) -> str:
        """The database's address in the network."""
        query = {"host": self.centre.address, "port": "5432", "user": "postgres"}
        assert self.store.url.database is not None
        url = URL.create("postgresql", database=self.store.url.database, query=query)
        return text_of(url)

    @property
    def queue(self) -> str:
        """The queue server's address in the network."""
        return f"redis://{self.centre.address}:6379"

    def begin(self) -> None:
        """Let the league go on, when all workers that should take part are up."""
        names = {worker.host.name for worker in self.workers}
        wait_for(lambda: names <= self._up(), "the workers")
        with self.store.write() as session:
            for tournament in session.scalars(select(Tournament)):
                start_tournament(session, tournament.id)

    def _up(self) -> set[str]:
        with self.store.read() as session:
            return {hall_named(name) for name in session.scalars(select(WorkerProcess.name))}

    def add(self, host: Host, data: Path, ahead: int = 0, **settings: object) -> Worker:
        """Set up a worker on a host, whose clock is so many seconds ahead; not started yet."""
        data.mkdir()
        own = {
            "database_url": self.database,
            "redis_url": self.queue,
            "host_name": host.name,
        }
        machine = Machine(
            data,
            store=self.store,
            inside=host.inside,
            extra=clock(ahead),
            **QUICK,
            **own,
            **settings,
        )
        self.workers.append(Worker(host, machine))
        return self.workers[-1]


@contextmanager
def fleet(planned: Path, folder: Path, count: int) -> Iterator[tuple[Fleet, list[Host]]]:
    """A fleet with the rows of a planned data folder, and hosts for so many workers."""
    with ExitStack() as stack:
        centre, *others = stack.enter_context(hosts(count + 1))
        with centre.inside():
            server = stack.enter_context(Server(host=centre.address))
        redis = stack.enter_context(_queue(centre, folder))
        near = URL.create(
            "postgresql", query={"host": str(server.folder), "port": "5432", "user": "postgres"}
        )
        server.url = near.set(database="postgres")
        url = stack.enter_context(server.database())
        store = stack.enter_context(open_store(text_of(url)))
        with open_store(planned) as source:
            copy_rows(source, store)
        with store.write() as session:
            for tournament in session.scalars(select(Tournament)):
                pause_tournament(session, tournament.id, "the workers are not up yet")
        made = Fleet(centre, server, store, redis)
        try:
            yield made, others
        finally:
            for worker in made.workers:
                worker.machine.close()


@contextmanager
def _queue(centre: Host, folder: Path) -> Iterator[Redis]:
    """A queue server that listens at the host's address, and here on a socket."""
    data = folder / "queue"
    data.mkdir()
    socket = data / "redis.sock"
    listen = ["--bind", centre.address, "--protected-mode", "no", "--unixsocket", str(socket)]
    keep = ["--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"]
    with centre.inside(), (data / "log").open("wb") as log:
        process = subprocess.Popen(
            [find_server(), "--port", "6379", *listen, *keep], cwd=data, stdout=log, stderr=log
        )
    try:
        wait_for(socket.exists, "the queue server")
        with Redis.from_url(f"unix://{socket}") as client:
            yield client
    finally:
        process.terminate()
        process.wait()
