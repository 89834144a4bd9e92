"""A whole server on one machine: queue server, database, referee, worker and dashboard."""

import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

from kibitz_worker.errors import WorkerError
from kibitz_worker.settings import Settings
from kibitz_worker.store import open_store
from kibitz_worker.valkey import QueueServer, open_queue_server

from kibitz_api.server import folder, ports
from kibitz_api.server.owner import ensure_token
from kibitz_api.server.part import Part
from kibitz_api.server.supervisor import Supervisor

READY_S = 30.0
LOOK_S = 2.0


class Installation:
    """The parts of a server over one data folder, and what keeps them running."""

    def __init__(self, settings: Settings, say: Callable[[str], None], *, move: bool) -> None:
        self.settings = settings
        self.supervisor = Supervisor(say)
        self._say = say
        self._move = move
        self._queue: QueueServer | None = None
        self._looked = 0.0
        self._queue_trouble = ""

    @property
    def url(self) -> str:
        """The dashboard's address on this machine."""
        return dashboard_url(self.settings)

    def run(self, when_ready: Callable[[], Callable[[], None]]) -> None:
        """Start everything, call `when_ready`, and what it returns with every look until stopped.

        Raises ServerError, or WorkerError of the store or the queue server; either way all parts
        have been stopped.
        """
        data = folder.prepare(self.settings.data_dir)
        with folder.held(data) as hold:
            self.settings = ports.settle(self.settings, move=self._move)
            hold.note(self.url)
            with self.supervisor.in_charge():
                try:
                    if self._start():
                        self._look_on(hold, when_ready())
                finally:
                    self._stop()

    def _look_on(self, hold: folder.Hold, each_look: Callable[[], None]) -> None:
        def look() -> None:
            if time.monotonic() - self._looked >= LOOK_S:
                self._looked = time.monotonic()
                hold.check()
                self._look_at_queue()
            each_look()

        self.supervisor.run(look)

    def _start(self) -> bool:
        """Start the parts in order; False when asked to stop meanwhile."""
        settings = self.settings
        self._queue = open_queue_server(settings)
        with open_store(settings.database) as store:  # which brings the tables up to date
            ensure_token(store, settings.data_dir)
        referee = self._part("referee", "kibitz_referee", *referee_options(settings))
        self.supervisor.add(referee)
        if not self.supervisor.wait_for(lambda: answers(settings.bot_socket), referee, READY_S):
            return False
        self.supervisor.add(self._part("worker", "kibitz_worker"))
        dashboard = self._part("dashboard", "kibitz_api")
        self.supervisor.add(dashboard)
        address = (reachable(settings.http_host), settings.http_port)
        return self.supervisor.wait_for(lambda: answers(address), dashboard, READY_S)

    def _part(self, name: str, module: str, *options: str) -> Part:
        return Part(
            name=name,
            command=[sys.executable, "-m", module, *options],
            log=self.settings.data_dir / "logs" / f"{name}.log",
            environment=self.settings.environment(),
        )

    def _look_at_queue(self) -> None:
        """Bring the queue server back when it has died; what it held comes from the database."""
        if self._queue is None:
            return
        if self._queue.alive():
            self._queue_trouble = ""
            return
        if not self._queue_trouble:
            self._say("The queue server does not answer; starting it again.")
            self._queue.stop()
        try:
            self._queue = open_queue_server(self.settings)
        except WorkerError as error:  # a full disk, say; nothing is lost while it lasts
            if str(error) != self._queue_trouble:
                self._say(f"The queue server cannot be started, trying on: {error}")
            self._queue_trouble = str(error)

    def _stop(self) -> None:
        self.supervisor.stop()
        if self._queue is not None:
            self._queue.stop()


def referee_options(settings: Settings) -> list[str]:
    """Say where the referee listens."""
    sockets = ["--socket", str(settings.bot_socket), "--control", str(settings.control_socket)]
    listen = ["--listen", settings.referee_listen] if settings.referee_listen else []
    if (address := settings.metrics_address) is None:
        return [*sockets, *listen]
    host, port = address
    at = f"[{host}]:{port + 1}" if ":" in host else f"{host}:{port + 1}"
    return [*sockets, *listen, "--metrics", at]


def reachable(host: str) -> str:
    """Give the host by which this machine reaches an address that is listened on."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104


def dashboard_url(settings: Settings) -> str:
    """Give the dashboard's address on this machine."""
    host = reachable(settings.http_host)
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.http_port}"


def answers(address: Path | tuple[str, int]) -> bool:
    """Whether something accepts connections at a Unix socket or a host and port."""
    try:
        if isinstance(address, Path):
            with socket.socket(socket.AF_UNIX) as probe:
                probe.settimeout(1)
                probe.connect(str(address))
        else:
            socket.create_connection(address, timeout=1).close()
    except OSError:
        return False
    return True
