"""Who holds a lease: one job in one start of one process."""

from __future__ import annotations

import os
import secrets
import socket
from dataclasses import dataclass, field

from kibitz_worker.settings import short_host_name


@dataclass(frozen=True)
class Holder:
    """A process that works at units. Its token is new with every start, whatever its name."""

    worker: str
    job: str | None
    lease_seconds: float
    token: str = field(default_factory=lambda: secrets.token_hex(16))


def worker_name() -> str:
    """Return the name of this machine with this process's number; `hall_named` takes it apart."""
    return f"{machine_name()}:{os.getpid()}"


def machine_name() -> str:
    """Return the name of this machine, as names of its workers begin."""
    return short_host_name(os.environ.get("KIBITZ_HOST_NAME") or socket.gethostname())


def hall_named(worker: str) -> str:
    """Return the machine in the name of a worker."""
    return worker.rpartition(":")[0]
