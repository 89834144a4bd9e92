"""Settings of the server parts: environment variables with the prefix ``KIBITZ_``."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import tempfile
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from kibitz_worker.errors import SettingsError

SOCKET_PATH_LIMIT = 104
"""Longest path of a Unix socket in bytes that both Linux (107) and macOS (103) take."""

HALL_NAME_LIMIT = 28

QUEUE_URLS = ("redis://", "rediss://", "unix://")

PLAIN_PATH = re.compile(r"[A-Za-z0-9/._+,=@~-]*")
"""Paths that mean the same in the addresses of Redis and gRPC, where ``#``, ``?``, ``%`` and spaces
mean something of their own."""


def default_data_dir() -> Path:
    """Return ``.kibitz`` in the current folder when it is there, else the user's data folder."""
    here = Path.cwd() / ".kibitz"
    if here.is_dir():
        return here
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "kibitz"


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


def _queue_url(text: str) -> str:
    if text and not text.startswith(QUEUE_URLS):
        raise ValueError(f"must begin with {', '.join(QUEUE_URLS)}")
    _ = urlsplit(text).port  # raises ValueError for what is no port
    return text


class Settings(BaseSettings):
    """What an operator can set; every field is the environment variable ``KIBITZ_<FIELD>``."""

    model_config = SettingsConfigDict(env_prefix="KIBITZ_", extra="ignore")

    data_dir: Annotated[Path, AfterValidator(_absolute)] = Field(
        default_factory=default_data_dir,
        description="Folder for the database, submitted bots, sockets and logs; default: `.kibitz` "
        "in the current folder.",
    )
    database_url: str | None = Field(
        None, description="postgresql:// URL; without it SQLite in the data folder."
    )
    redis_url: Annotated[str, AfterValidator(_queue_url)] | None = Field(
        None, description="redis:// or unix:// URL of a Valkey or Redis; without it one is started."
    )
    referee_socket: Path | None = Field(
        None, description="Unix socket where bots reach the referee; default in the data folder."
    )
    referee_control: Path | None = Field(
        None, description="Unix socket where workers reach the referee; default in the data folder."
    )
    referee_listen: str | None = Field(
        "127.0.0.1:8001", description="HOST:PORT where self-hosted bots connect; empty for none."
    )
    metrics_listen: str | None = Field(
        None,
        description="HOST:PORT where Prometheus finds the worker's figures, and at the next port "
        "the referee's; empty for none.",
    )
    host_name: str = Field(
        default_factory=socket.gethostname,
        min_length=1,
        max_length=253,
        pattern=r"^[A-Za-z0-9._-]+$",
        description="Name of this machine among those of one database; default its host name.",
    )
    http_host: str = Field("127.0.0.1", description="Address the dashboard listens on.")
    http_port: int = Field(8000, ge=0, le=65535, description="Port the dashboard listens on.")
    trust: bool = Field(
        False, description="Run submitted bots even where no sandbox works (own bots only)."
    )
    workers: int = Field(1, ge=1, le=256, description="Job processes of one worker.")
    log_level: str = Field(
        "INFO",
        pattern="(?i)^(debug|info|warning|error)$",
        description="How much the parts say: debug, info, warning or error.",
    )
    lease_seconds: float = Field(
        30,
        ge=1,
        le=86_400,
        description="A unit of work is free again when its worker is silent so long.",
    )
    max_attempts: int = Field(
        5, ge=1, le=1_000, description="Attempts at a set that may fail before it is void."
    )
    backoff_seconds: float = Field(
        5,
        ge=0,
        le=86_400,
        description="Wait before the second attempt; doubles with each further one.",
    )
    quarantine_after: int = Field(
        3,
        ge=1,
        le=1_000_000,
        description="Sets in a row a version may make fail before it is taken out.",
    )
    bot_jobs: int = Field(
        0,
        ge=0,
        le=1_000_000,
        description="Jobs in which one bot may play at a time; 0 for no limit.",
    )
    job_seconds: float = Field(
        20, gt=0, le=3_600, description="Play time that one job should hold."
    )
    twin_check: str | None = Field(
        "@weekly",
        description="When a league a game begins a season of few sets, last of all and unrated, "
        "that checks that nobody is favoured, as a cron expression in UTC or `@daily`; empty for "
        "none.",
    )
    message_days: float = Field(
        14,
        ge=0,
        le=36_500,
        description="So long owners can fetch what their bots heard and said.",
    )
    message_megabytes: int = Field(
        256,
        ge=0,
        le=1_000_000_000,
        description="So much of that is kept, compressed; the oldest goes first.",
    )

    @property
    def bot_socket(self) -> Path:
        """Where bots on this machine reach the referee."""
        return self.referee_socket or socket_path(self.data_dir, "bots.sock")

    @property
    def control_socket(self) -> Path:
        """Where workers on this machine reach the referee."""
        return self.referee_control or socket_path(self.data_dir, "referee.sock")

    @property
    def hall(self) -> str:
        """The name of this machine, short enough to be part of a queue's name."""
        return short_host_name(self.host_name)

    @property
    def database(self) -> str:
        """What to hand to `open_store`: the URL, else the data folder."""
        return self.database_url or str(self.data_dir)

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Where the worker's figures are served, the referee's one port further; None for nowhere.

        Raises SettingsError (SETTING_INVALID).
        """
        if not self.metrics_listen:
            return None
        host, _, port = self.metrics_listen.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 65535:
            raise SettingsError(
                "KIBITZ_METRICS_LISTEN must be HOST:PORT, as 127.0.0.1:9461, with a port of 1 to "
                f"65534 (the referee takes the next one), not {self.metrics_listen!r}",
                reason="SETTING_INVALID",
            )
        return host.strip("[]"), int(port)

    def environment(self) -> dict[str, str]:
        """Return the variables that give another process these settings."""
        values = self.model_dump(mode="json")
        return {f"KIBITZ_{key.upper()}": str(val) for key, val in values.items() if val is not None}


def short_host_name(name: str) -> str:
    """Return the name of a machine, or what it begins with and a hash of it when it is long."""
    if len(name) <= HALL_NAME_LIMIT:
        return name
    key = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{name[: HALL_NAME_LIMIT - 9]}-{key}"


def load_settings(**values: object) -> Settings:
    """Read the settings; `values` go before the environment.

    Raises SettingsError (SETTING_INVALID) naming the variable.
    """
    try:
        return Settings(**values)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        name = "KIBITZ_" + "_".join(str(part) for part in first["loc"]).upper()
        raise SettingsError(
            f"{name}: {first['msg']} (it is {str(first['input'])[:80]!r})",
            reason="SETTING_INVALID",
        ) from error


def socket_path(data_dir: Path, name: str) -> Path:
    """Return where a socket of this data folder lies: inside it, or in a short folder of /tmp.

    The operating system takes about a hundred bytes of path for a socket, and the addresses of
    clients take plain characters only.
    """
    path = data_dir / name
    if len(os.fsencode(path)) < SOCKET_PATH_LIMIT and PLAIN_PATH.fullmatch(str(path)):
        return path
    key = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"kibitz-{key}"
    if len(os.fsencode(folder / name)) >= SOCKET_PATH_LIMIT:
        folder = Path("/tmp") / folder.name  # noqa: S108 - private folder, made with 0700 below
    private_folder(folder)
    return folder / name


def private_folder(folder: Path) -> None:
    """Make a folder that only this user can enter, or make sure that it is one.

    Raises SettingsError (SOCKET_FOLDER_UNSAFE) when somebody else made it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077 or folder.is_symlink():
        raise SettingsError(
            f"{folder} belongs to somebody else or is open to others; use a shorter data folder",
            reason="SOCKET_FOLDER_UNSAFE",
        )
