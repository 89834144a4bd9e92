"""Databases of both kinds for all tests."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kibitz_worker.store import open_store
from kibitz_worker.store.migrate import upgrade
from sqlalchemy import URL

from tests.postgres import BOTH, Postgres, missing, postgres


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let one choose on which database the tests of the API run; the store's run on both."""
    parser.addoption(
        "--database",
        choices=[*BOTH, "both"],
        default="sqlite",
        help="database for the tests of the API (%(default)s)",
    )


def pytest_configure() -> None:
    """Let tests interrupt the programs they start, also where a shell keeps us from it.

    What a shell starts in the background ignores Ctrl-C, and so would all its descendants.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A PostgreSQL server for the tests of this process."""
    reason = missing()
    if reason is not None:
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with postgres() as server:
        yield server


@pytest.fixture(scope="session")
def migrated(postgres_server: Postgres) -> Iterator[URL]:
    """A PostgreSQL database with all tables, to be copied."""
    with postgres_server.database() as url:
        upgrade(url)
        yield url


@pytest.fixture
def postgres_url(postgres_server: Postgres, migrated: URL) -> Iterator[URL]:
    """A PostgreSQL database of the test's own, with all tables."""
    with postgres_server.database(migrated.database) as url:
        yield url


@pytest.fixture(scope="session")
def furnish(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Make a data folder with a SQLite database that has all tables, by copying one."""
    origin = tmp_path_factory.mktemp("furnished")
    with open_store(origin) as store, store.write():
        pass

    def copy(folder: Path) -> Path:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy(origin / "kibitz.db", folder)
        return folder

    return copy
