"""Stores, users and versions for the tests of the worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.store import Store, open_store

from tests.postgres import BOTH, text_of


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture(params=BOTH)
def settings(
    request: pytest.FixtureRequest, data_dir: Path, furnish: Callable[[Path], Path]
) -> Settings:
    """Settings for a database of each kind, with a queue server of the data folder."""
    url = None
    if request.param == "postgresql":
        url = text_of(request.getfixturevalue("postgres_url"))
    else:
        furnish(data_dir)
    return load_settings(data_dir=data_dir, database_url=url, redis_url=None)


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    with open_store(settings.database) as opened:
        yield opened
