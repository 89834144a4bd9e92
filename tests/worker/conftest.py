"""Stores, users and versions for the tests of the worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kibitz_worker.store import Store, open_store


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def store(data_dir: Path) -> Iterator[Store]:
    with open_store(data_dir) as opened:
        yield opened
