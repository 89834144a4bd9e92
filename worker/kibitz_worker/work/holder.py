"""Who holds a lease: one job in one start of one process."""

from __future__ import annotations

import os
import secrets
import socket
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Holder:
    """A process that works at units. Its token is new with every start, whatever its name."""

    worker: str
    job: str | None
    lease_seconds: float
    token: str = field(default_factory=lambda: secrets.token_hex(16))


def worker_name() -> str:
    """Return host and process number, for people."""
    return f"{machine_name()}:{os.getpid()}"


def machine_name() -> str:
    """Return the name of this machine, as names of its workers begin."""
    return socket.gethostname()[:60]
