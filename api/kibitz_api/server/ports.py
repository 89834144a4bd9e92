"""Which ports the dashboard and the referee get."""

import errno
import socket

from kibitz_worker.settings import Settings

from kibitz_api.server.errors import PortInUseError, ServerError

LOOK_AHEAD = 50


def is_free(host: str, port: int) -> bool:
    """Whether the address can be listened on now.

    Raises ServerError when the host is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError as error:
            if error.errno in {errno.EADDRINUSE, errno.EACCES}:
                return False
            raise ServerError(f"Cannot listen on {host}: {error.strerror or error}.") from error
        except (OverflowError, TypeError, ValueError) as error:  # no host name, a port over 65535
            raise ServerError(f"Cannot listen on {host!r}, port {port}: {error}.") from error
    return True


def next_free(host: str, first: int) -> int | None:
    """Find the first free port from `first` on, not far away."""
    candidates = range(first, min(first + LOOK_AHEAD, 65536))
    return next((port for port in candidates if is_free(host, port)), None)


def settle(settings: Settings, *, move: bool) -> Settings:
    """Return the settings with ports that are free now.

    A port that the operator named stays or is an error. The dashboard's default may move to one
    near it if `move`; the referee's default always may. Raises PortInUseError with a way out.
    """
    host, port = settings.http_host, settings.http_port
    if not is_free(host, port):
        free = next_free(host, port + 1)
        if free is None or not move or "http_port" in settings.model_fields_set:
            hint = f"Choose another: --port {free or 'PORT'}"
            raise PortInUseError(host, port, hint)
        port = free
    _check_metrics(settings)
    settings = settings.model_copy(update={"http_port": port})
    return settings.model_copy(update={"referee_listen": _referee(settings)})


def _check_metrics(settings: Settings) -> None:
    """Refuse ports of figures that are taken: the worker's, and the referee's after it."""
    address = settings.metrics_address
    if address is None:
        return
    host, first = address
    for port in (first, first + 1):
        if not is_free(host, port):
            hint = "Choose another with KIBITZ_METRICS_LISTEN, whose next port is used too"
            raise PortInUseError(host, port, hint)


def _referee(settings: Settings) -> str:
    """Find where bots that run elsewhere connect; empty for nowhere."""
    if not settings.referee_listen:
        return ""
    host, _, text = settings.referee_listen.rpartition(":")
    if not text.isdecimal():
        raise ServerError(f"--listen must be HOST:PORT, not {settings.referee_listen!r}.")
    port = int(text)
    if is_free(host.strip("[]"), port) and (host, port) != (settings.http_host, settings.http_port):
        return settings.referee_listen
    free = next_free(host.strip("[]"), max(port, settings.http_port) + 1)
    if free is None or "referee_listen" in settings.model_fields_set:
        hint = (
            f"Choose another: --listen {host}:{free}" if free else "Choose another with --listen."
        )
        raise PortInUseError(host, port, hint)
    return f"{host}:{free}"
