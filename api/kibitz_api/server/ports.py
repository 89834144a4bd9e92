"""Which port the dashboard gets."""

import errno
import socket

from kibitz_api.server.errors import PortInUseError

DEFAULT = 8000
LOOK_AHEAD = 50


def is_free(host: str, port: int) -> bool:
    """Whether the address can be listened on now.

    Raises OSError when the host is none of this machine's.
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
            raise
    return True


def next_free(host: str, first: int) -> int | None:
    """Find the first free port from `first` on, not far away."""
    candidates = range(first, min(first + LOOK_AHEAD, 65536))
    return next((port for port in candidates if is_free(host, port)), None)


def choose(host: str, asked: int | None, *, fixed: bool) -> int:
    """Return the port to use: the one asked for, else 8000, or one near it unless `fixed`.

    Raises PortInUseError.
    """
    port = DEFAULT if asked is None else asked
    if is_free(host, port):
        return port
    free = next_free(host, port + 1)
    if free is None or fixed or asked is not None:
        raise PortInUseError(host, port, free)
    return free
