"""``python -m kibitz_api``: serve the dashboard and the API."""

import socket
import sys
from types import FrameType
from typing import TextIO, cast

import uvicorn
from kibitz_worker.errors import WorkerError
from kibitz_worker.logs import Lossy, set_up_logs
from kibitz_worker.settings import Settings, load_settings

from kibitz_api.app import create_app
from kibitz_api.live.hub import Hub

BACKLOG = 1024
GRACE_S = 5


class Server(uvicorn.Server):
    """Lets the viewers of the live stream go before it waits for open connections."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._hub.end_viewers()
        super().handle_exit(sig, frame)


def listen(host: str, port: int) -> socket.socket:
    """Bind the address; exits with one plain line when that cannot be done."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        print(
            f"kibitz: cannot listen on {host}:{port}: {error.strerror}. "
            "Stop what uses it, or choose another with KIBITZ_HTTP_PORT.",
            file=sys.stderr,
        )
        raise SystemExit(1) from None
    return listener


def serve(settings: Settings | None = None) -> None:
    """Serve until SIGINT or SIGTERM."""
    try:
        settings = settings or load_settings()
        set_up_logs(settings.log_level)
        app = create_app(settings)
    except WorkerError as error:
        print(f"kibitz: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    listener = listen(settings.http_host, settings.http_port)
    # The access log would keep the tokens that /login?token= carries.
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    host, port = listener.getsockname()[:2]
    print(
        f"Kibitz dashboard on http://{host}:{port}",
        file=cast(TextIO, Lossy(sys.stdout)),
        flush=True,
    )
    Server(config, app.state.services.hub).run(sockets=[listener])


if __name__ == "__main__":
    serve()
