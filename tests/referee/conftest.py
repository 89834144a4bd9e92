"""A referee for the tests that need one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.referee.parties import Referee


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a path short enough for sockets."""
    with TemporaryDirectory(prefix="kibitz-") as name:
        yield Path(name)


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[..., Referee]]:
    """Start a referee with options of its own; it is stopped after the test."""
    started: list[Referee] = []

    def begin(*options: str) -> Referee:
        started.append(Referee(folder, *options))
        return started[-1]

    yield begin
    for referee in started:
        if referee.process.poll() is None:
            referee.process.kill()
        referee.stop()


@pytest.fixture
def referee(start: Callable[..., Referee]) -> Referee:
    return start("--grace", "1.5", "--drain", "1")
