"""Moments that are stored or compared come from one clock: that of the database's machine."""

from __future__ import annotations

import ast
from datetime import UTC, datetime, timedelta

import pytest
from kibitz_worker.store import Store, accounts, bots, moments, tournaments
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.models import Tournament

from tests.sources import python_files, said, tree
from tests.worker.leagues import league

OWN_CLOCK = {
    "moments.py",  # SQLite has the clock of the machine
    "main.py",  # a worker that waits for its database; the age of its own files
    "templating.py",  # how long ago something was, for people
}


def wall_clocks(source: ast.Module) -> list[int]:
    """The lines that ask this machine for the time of day."""
    asked = {"datetime.now", "datetime.utcnow", "time.time", "time.time_ns"}
    return [
        node.lineno
        for node in ast.walk(source)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in asked
    ]


def test_nobody_else_asks_the_clock_of_his_own_machine() -> None:
    found = [
        said(path, line)
        for path in python_files()
        if {"kibitz_worker", "kibitz_api"}.intersection(path.parts) and path.name not in OWN_CLOCK
        for line in wall_clocks(tree(path))
    ]
    assert not found, found


def test_what_is_stored_has_the_time_of_the_database(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = datetime.now(UTC) + timedelta(minutes=11)
    for module in (accounts, bots, tournaments):
        monkeypatch.setattr(module, "database_now", lambda _: away)
    with store.write() as session:
        create_user(session, "ben")
        made = league(session)
    with store.read() as session:
        found = session.get_one(Tournament, made.id)
        assert found.created == found.started == away
        assert found.owner.created == away


def test_a_database_server_tells_its_own_time(store: Store) -> None:
    with store.read() as session:
        first, second = moments.database_now(session), store.now(session)
    assert first <= second
    assert first.tzinfo is not None
