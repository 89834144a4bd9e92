"""A whole server on PostgreSQL whose database is killed in the middle of a league."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kibitz_worker.store import open_store
from kibitz_worker.store.models import SetState, Tournament
from sqlalchemy import select

from tests.e2e.servers import RunningServer, finished, until
from tests.postgres import Server, copy_rows, missing, text_of
from tests.worker.jobs.disasters import plan_league, results

SETS = 12
PATIENCE_S = 180.0
QUICK = {
    "KIBITZ_LEASE_SECONDS": "3",
    "KIBITZ_BACKOFF_SECONDS": "0.2",
    "KIBITZ_JOB_SECONDS": "1",
    "KIBITZ_MAX_ATTEMPTS": "100",
}


@contextmanager
def serving(data: Path) -> Iterator[RunningServer]:
    with RunningServer(data) as server:
        yield server.up()


def played(target: str | Path) -> dict[str, Any]:
    with open_store(target) as store:
        found = results(store)
    assert {state for _, state, *_ in found["sets"]} == {SetState.DONE}
    return found


@pytest.mark.campaign
@pytest.mark.skipif(missing() is not None, reason=missing() or "")
def test_a_league_is_the_same_though_its_database_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in QUICK.items():
        monkeypatch.setenv(name, value)
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    plan_league(calm, SETS)
    with Server(fsync="on") as postgres, postgres.database() as url:
        with open_store(calm) as source, open_store(text_of(url)) as target:
            copy_rows(source, target)
            with source.read() as session:
                key = session.scalars(select(Tournament.id)).one()
        with serving(calm) as server:
            until(lambda: finished(server, key), PATIENCE_S, "an undisturbed league")
        monkeypatch.setenv("KIBITZ_DATABASE_URL", text_of(url))
        with serving(rough) as server:
            path = f"/api/v1/tournaments/{key}"
            until(lambda: server.get(path)["progress"]["done"], PATIENCE_S, "a set to finish")
            assert server.get(path)["state"] == "running"
            postgres.kill()
            postgres.start()
            told = until(lambda: finished(server, key), PATIENCE_S, "the league of the killed one")
            assert not (rough / "kibitz.db").exists()
        assert told["progress"]["done"] == SETS
        assert played(text_of(url)) == played(calm)
