"""`kibitz-server up` as a whole: it resumes, survives killed parts, and leaves nothing behind."""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from kibitz_worker.store import open_store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.bots import version_labelled
from kibitz_worker.store.models import DealSet, SetState
from kibitz_worker.store.tournaments import create_tournament
from sqlalchemy import func, select

from tests.e2e.servers import RunningServer, finished, free_port, left, until

LEAGUE_S = 120.0
SETS = 24  # of twenty deals


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Make a data folder with a league in it that has not begun; copies deal the same cards."""
    data = tmp_path_factory.mktemp("league") / "data"
    with RunningServer(data).up() as server:
        until(lambda: len(server.get("/api/v1/bots")["items"]) >= 3, 30, "the bots of the house")
        assert server.stop() == 0
    with open_store(data) as store, store.write() as session:
        user = create_user(session, "ana")
        bots = [version_labelled(session, name) for name in ("random", "careful")]
        made = create_tournament(session, user, "german_whist", bots, sets_per_pairing=SETS)
        return data, made.id


def copy(league: tuple[Path, str], folder: Path) -> Path:
    """Copy the data folder as it was before the league began."""
    data = folder / "data"
    ignored = shutil.ignore_patterns("*.sock", "*.lock", "logs")
    shutil.copytree(league[0], data, ignore=ignored)
    return data


def ratings(server: RunningServer) -> list[dict[str, Any]]:
    """Read the ratings: who, and all figures."""
    rows = server.get("/api/v1/leaderboards/german_whist")
    assert len(rows) == 2
    passing = {"version_id", "pool", "snapshot"}  # how often it was rated on the way may differ
    return [{key: row[key] for key in row if key not in passing} for row in rows]


@pytest.fixture(scope="module")
def undisturbed(
    league: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    """Play the league to its end and give its ratings."""
    data = copy(league, tmp_path_factory.mktemp("undisturbed"))
    with RunningServer(data).up() as server:
        until(lambda: finished(server, league[1]), LEAGUE_S, "the league")
        return ratings(server)


def some_sets_done(server: RunningServer, tournament: str, least: int) -> bool:
    return bool(server.get(f"/api/v1/tournaments/{tournament}")["sets_done"] >= least)


def sets_done(data: Path, tournament: str) -> int:
    with open_store(data) as store, store.read() as session:
        done = DealSet.tournament_id == tournament, DealSet.state == SetState.DONE
        return session.scalar(select(func.count()).select_from(DealSet).where(*done)) or 0


def test_a_killed_worker_changes_no_rating(
    league: tuple[Path, str], undisturbed: list[dict[str, Any]], tmp_path: Path
) -> None:
    with RunningServer(copy(league, tmp_path)).up() as server:
        for least in (1, SETS // 2):
            until(lambda: some_sets_done(server, league[1], least), LEAGUE_S, f"{least} sets")  # noqa: B023
            server.part("kibitz_worker").kill()
            time.sleep(1)
        told = until(lambda: finished(server, league[1]), LEAGUE_S, "the league")
        assert told["sets_void"] == 0
        assert ratings(server) == undisturbed
    assert "worker was killed by SIGKILL; starting it again" in server.said.read_text()


def test_a_second_start_goes_on_where_the_first_was_stopped(
    league: tuple[Path, str], undisturbed: list[dict[str, Any]], tmp_path: Path
) -> None:
    data = copy(league, tmp_path)
    with RunningServer(data).up() as server:
        until(lambda: some_sets_done(server, league[1], 3), LEAGUE_S, "three sets")
        assert server.stop(signal.SIGINT) == 0
    with RunningServer(data).up() as server:
        begun = server.get(f"/api/v1/tournaments/{league[1]}")
        assert begun["sets_done"] >= 3
        until(lambda: finished(server, league[1]), LEAGUE_S, "the league")
        assert ratings(server) == undisturbed


def test_sigterm_leaves_no_process(league: tuple[Path, str], tmp_path: Path) -> None:
    with RunningServer(copy(league, tmp_path)).up() as server:
        until(lambda: some_sets_done(server, league[1], 1), LEAGUE_S, "a set")
        processes = server.tree()
        assert len(processes) >= 5
        assert server.stop(signal.SIGTERM) == 0
        assert not left(processes)


def test_a_server_killed_outright_takes_its_parts_with_it_and_can_be_started_again(
    league: tuple[Path, str], tmp_path: Path
) -> None:
    data = copy(league, tmp_path)
    with RunningServer(data).up() as server:
        until(lambda: some_sets_done(server, league[1], 1), LEAGUE_S, "a set")
        processes = server.tree()
        server.process.kill()
        until(lambda: not left(processes), 20, "the end of all parts")
        done = sets_done(data, league[1])
    with RunningServer(data).up() as server:
        told = until(lambda: finished(server, league[1]), LEAGUE_S, "the league")
        assert told["sets_done"] == SETS > done


def test_a_second_server_on_the_folder_names_the_first(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "data").up() as server:
        code, said = refused("up", "--data", str(server.data), "--port", str(free_port()))
        assert code == 1
        assert f"process {server.process.pid}, {server.url}" in said
        code, said = refused("up", "--data", str(tmp_path / "other"), "--port", str(server.port))
        assert code == 1
        assert f"Port {server.port} on 127.0.0.1 is in use" in said
        assert "--port " in said


def test_a_data_folder_that_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, said = refused("up", "--data", str(tmp_path / "file" / "data"))
    assert code == 1
    assert said.startswith("kibitz-server: the data folder")
    assert said.count("\n") == 1


def refused(*arguments: str) -> tuple[int, str]:
    """Run a command that cannot succeed; return its code and what it says on stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "kibitz_api.server", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr


def test_a_server_whose_folder_is_removed_says_so_and_leaves_nothing_behind(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with RunningServer(data).up() as server:
        tree = server.tree()
        data.rename(tmp_path / "aside")
        assert server.process.wait(60) == 1
        assert "was removed or exchanged while the server ran" in server.said.read_text()
        assert "Traceback" not in server.said.read_text()
        until(lambda: not left(tree), 10, "the end of all parts")
