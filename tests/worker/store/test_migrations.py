"""The tables as the steps make them are those of the models."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from kibitz_worker.errors import StoreError
from kibitz_worker.store import open_store, parts
from kibitz_worker.store.engine import database_url
from kibitz_worker.store.migrate import FOLDER, downgrade, head, upgrade
from kibitz_worker.store.models import Match, Table, Tournament, TournamentState
from sqlalchemy import URL, create_engine, inspect, select, text

from tests.postgres import BOTH, Postgres, text_of
from tests.worker.leagues import league
from tests.worker.work.played import holder, lease_first


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield database_url(None, tmp_path)
    else:
        server: Postgres = request.getfixturevalue("postgres_server")
        with server.database() as made:
            yield made


def test_steps_and_models_agree(url: URL) -> None:
    upgrade(url)
    engine = create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert context.get_current_revision() == head()
        assert compare_metadata(context, Table.metadata) == []
    engine.dispose()


def test_all_steps_can_be_taken_back(url: URL) -> None:
    upgrade(url)
    downgrade(url, "base")
    engine = create_engine(url)
    assert set(inspect(engine).get_table_names()) == {"alembic_version"}
    engine.dispose()
    upgrade(url)
    open_store(text_of(url)).close()


def test_a_database_of_a_newer_version_is_left_alone(url: URL) -> None:
    with open_store(text_of(url)) as store, store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError) as caught, open_store(text_of(url)):
        pass
    assert caught.value.reason == "DATABASE_NEWER"


def open_and_close(database: str) -> None:
    open_store(database).close()


def test_processes_that_start_together_migrate_once(url: URL) -> None:
    spawn = multiprocessing.get_context("spawn")
    starters = [spawn.Process(target=open_and_close, args=(text_of(url),)) for _ in range(3)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join(60)
    assert [starter.exitcode for starter in starters] == [0, 0, 0]


def test_the_steps_are_part_of_the_package() -> None:
    assert (FOLDER / "env.py").is_file()
    assert list((FOLDER / "versions").glob("0001_*.py"))


@pytest.mark.parametrize("part", [1, 2, 3, 20_000])
def test_old_rows_get_what_lists_of_matches_are_read_by(
    url: URL, part: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(parts, "PART", part)
    upgrade(url)
    with open_store(text_of(url)) as store:
        with store.write() as session:
            tournament = league(session, sets=2)
            lease_first(session, tournament, holder())
            tournament.state = TournamentState.FINISHED
            session.execute(text("UPDATE matches SET forfeits = '[]'"))
        key = tournament.id
    downgrade(url, "0006")
    upgrade(url)
    with open_store(text_of(url)) as store, store.read() as session:
        assert session.get_one(Tournament, key).tally == {"leased": 1, "waiting": 1}
        matches = session.scalars(select(Match)).all()
        assert {(match.tournament_id, match.forfeits) for match in matches} == {(key, None)}
    said = f"bringing matches up to date: all {len(matches)}\n"
    assert capsys.readouterr().err == (said if part <= len(matches) else "")
