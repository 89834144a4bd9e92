"""`kibitz-server prune` looks first, then does it; replays and archives stay to be had."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from kibitz_api.app import create_app
from kibitz_api.server.commands import app
from kibitz_worker.settings import load_settings
from kibitz_worker.store import open_store
from kibitz_worker.store.models import Match
from sqlalchemy import select
from typer.testing import CliRunner

from tests.worker.leagues import league
from tests.worker.test_archiving import play_all


def run(*words: str) -> tuple[int, Any, str]:
    done = subprocess.run(
        [sys.executable, "-m", "kibitz_api.server", *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, json.loads(done.stdout or "null"), done.stderr


def test_prune_looks_first_and_leaves_replays_and_archive(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with open_store(data) as store, store.write() as session:
        tournament = league(session, sets=1)
        play_all(session, tournament)
        tournament.finished = tournament.created
        key = tournament.id
        matches = session.scalars(select(Match.id).order_by(Match.id)).all()
        hashes = session.scalars(select(Match.record_hash).order_by(Match.id)).all()
    (data / "logs").mkdir()
    words = ("prune", "--data", str(data), "--days", "0", "--json")
    code, told, _ = run(*words)
    assert (code, told["done"], told["archives"]) == (0, False, {})
    freed = {each["kind"]: each for each in told["freed"]}
    assert freed["records"]["count"] == len(matches)
    assert told["bytes"] >= freed["records"]["bytes"] > 1000
    code, told, _ = run(*words, "--yes", "--compact", "--what", "records")
    assert (code, told["done"], [each["kind"] for each in told["freed"]]) == (0, True, ["records"])
    assert told["freed"][0] == freed["records"]
    assert Path(told["archives"][key]).exists()
    settings = load_settings(data_dir=data)
    with TestClient(create_app(settings)) as client:
        record = client.get(f"/api/v1/matches/{matches[0]}/record")
        assert record.status_code == 200
        assert record.headers["etag"] == f'"{hashes[0]}"'
        assert client.get(f"/api/v1/matches/{matches[0]}/replay").status_code == 200
        html = {"Accept": "text/html"}
        assert client.get(f"/matches/{matches[0]}/deals/0/0", headers=html).status_code == 200
        assert client.get(f"/api/v1/tournaments/{key}/archive").status_code == 200
        Path(told["archives"][key]).unlink()
        gone = client.get(f"/api/v1/matches/{matches[0]}/record")
        assert (gone.status_code, gone.json()["error"]["reason"]) == (404, "RECORD_ARCHIVED")
        page = client.get(f"/matches/{matches[0]}/deals/0/0", headers=html)
        assert page.status_code == 404
        assert "archive of tournament" in page.text


def test_what_cannot_be_is_said(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"))
    code, _, said = run("archive", "nothing", *data, "--json")
    assert code == 1
    assert "there is no tournament 'nothing'" in said
    assert "Traceback" not in said
    code, _, said = run("prune", *data, "--what", "everything")
    assert code == 2
    assert "everything" in said


@pytest.mark.parametrize("option", ["--days", "--keep"])
def test_more_than_can_be_is_refused(option: str) -> None:
    done = CliRunner().invoke(app, ["prune", option, "99999999999999999999"])
    assert done.exit_code == 2
    assert "is not in the range" in done.output or "less than or equal" in done.output
