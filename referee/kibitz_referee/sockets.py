"""The Unix sockets and addresses that the referee listens on."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from kibitz_referee.errors import StartError

MAX_PATH_BYTES = 107
"""What the operating system allows for the path of a socket."""


def claim(path: Path) -> str:
    """Make sure that a socket can be made at a path; return its gRPC address.

    A socket that a dead process left behind is removed.

    Raises:
        StartError: the path is too long or not writable, or somebody listens there.
    """
    path = path.absolute()
    if len(os.fsencode(path)) > MAX_PATH_BYTES:
        text = f"{path} is too long for a socket: at most {MAX_PATH_BYTES} bytes"
        raise StartError(text, reason="SOCKET_PATH_TOO_LONG")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_socket():
            raise StartError(f"{path} exists and is no socket", reason="SOCKET_IN_USE")
        if path.is_socket():
            if answers(path):
                text = f"another referee listens at {path}; stop it, or choose another --socket"
                raise StartError(text, reason="SOCKET_IN_USE")
            path.unlink()
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise PermissionError(13, "permission denied")
    except OSError as error:
        text = f"no socket can be made at {path}: {error.strerror}"
        raise StartError(text, reason="SOCKET_NOT_WRITABLE") from error
    return f"unix:{path}"


def answers(path: Path) -> bool:
    """Return whether somebody listens at a Unix socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def check_address(address: str, option: str = "--listen") -> str:
    """Return a ``HOST:PORT`` as gRPC wants it.

    Raises:
        StartError: it is no such thing, or the port is in use.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdigit() or not 0 <= int(port) <= 65535:
        text = f"{option} must be HOST:PORT, for example 127.0.0.1:4860, not {address!r}"
        raise StartError(text, reason="BAD_ADDRESS")
    bare = host.strip("[]") or "0.0.0.0"  # noqa: S104  # what an empty host asks for
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((bare, int(port)))
        except OSError as error:
            text = f"cannot listen on {address}: {error.strerror}"
            raise StartError(text, reason="ADDRESS_IN_USE") from error
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"
