"""A server that follows a real Valkey, and tables to show there."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import kibitz
import uvicorn
from kibitz_api.app import create_app
from kibitz_api.live.hub import Hub
from kibitz_worker.live import Live
from kibitz_worker.relay import TABLES
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.valkey import QueueServer, open_queue_server


@dataclass
class Running:
    url: str
    hub: Hub
    queue: QueueServer
    data: Path

    def live(self) -> Live:
        return Live(self.queue.connect())


@contextmanager
def serving(data: Path, settings: Settings | None = None) -> Iterator[Running]:
    """Run a server that follows the Valkey of its data folder."""
    settings = settings or load_settings(data_dir=data)
    with open_queue_server(settings) as queue:
        app = create_app(settings)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none"))
        with socket.create_server(("127.0.0.1", 0)) as listener:
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            hub: Hub = app.state.services.hub
            wait_until(lambda: hub.connected)
            port = listener.getsockname()[1]
            yield Running(f"http://127.0.0.1:{port}/api/v1/live", hub, queue, data)
            hub.end_viewers()
            server.should_exit = True
            thread.join(10)
            assert not thread.is_alive()


def wait_until(true: object, seconds: float = 15) -> None:
    end = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.01)


def table_state(**changes: object) -> str:
    """A deal of German Whist under way, as a worker relays it."""
    game = kibitz.game("german_whist")
    deal = game.new_deal(kibitz.shuffle(game, 1))
    for _ in range(3):
        deal.apply(deal.legal()[0])
    state = {
        "tournament": "t1",
        "set": "t1-0-0",
        "match": "t1-0-0-0",
        "game": game.name,
        "options": game.options(),
        "seats": ["careful/1", "ana/heart/3"],
        "deal": 0,
        "dealer": 0,
        "totals": [0, 0],
        "turn": deal.turn,
        "over": False,
        "events": [event.code for event in deal.public()],
    }
    return json.dumps(state | changes)


def show(running: Running, **changes: object) -> None:
    match = str(changes.get("match", "m"))
    running.queue.connect().xadd(TABLES, {"match": match, "state": table_state(**changes)})
