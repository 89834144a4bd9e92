"""A store of each kind whose clock is set by the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kibitz_worker.settings import Settings
from kibitz_worker.store import open_store
from kibitz_worker.store.engine import database_url

from tests.worker.seasons.stage import SetStore


@pytest.fixture
def store(settings: Settings) -> Iterator[SetStore]:
    open_store(settings.database).close()
    opened = SetStore(database_url(settings.database_url, settings.data_dir))
    yield opened
    opened.close()
