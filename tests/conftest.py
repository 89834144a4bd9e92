"""Databases of both kinds for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
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
