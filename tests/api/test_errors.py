"""Every failure has one shape, says what was wrong, and keeps the cause to itself."""

from pathlib import Path

import kibitz
import pytest
from fastapi.testclient import TestClient
from kibitz_api.app import create_app
from kibitz_worker.errors import StoreError
from kibitz_worker.settings import load_settings
from kibitz_worker.store import open_store

from tests.api.conftest import BROWSER, Site, bearer, reason


@pytest.mark.parametrize(
    ("method", "path", "status", "why", "where"),
    [
        ("GET", "/api/v1/nothing", 404, "NOT_FOUND", "path"),
        ("GET", "/nothing", 404, "NOT_FOUND", "path"),
        ("DELETE", "/api/v1/bots", 405, "METHOD_NOT_ALLOWED", "path"),
        ("GET", "/api/v1/games/poker", 404, "GAME_NOT_FOUND", "path.game"),
        ("GET", "/api/v1/bots?limit=many", 422, "INVALID_REQUEST", "query.limit"),
    ],
)
def test_refusals_have_one_shape(
    client: TestClient, method: str, path: str, status: int, why: str, where: str
) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, reason(answer)) == (status, why)
    assert answer.json()["error"]["where"] == where


def test_an_unknown_game_is_answered_with_the_games(client: TestClient) -> None:
    for path in ("/api/v1/games/poker", "/api/v1/leaderboards/poker"):
        said = client.get(path).json()["error"]["message"]
        assert said == f"There is no game poker; there are {', '.join(kibitz.games())}."


def test_a_body_that_is_no_json_is_named(own_client: TestClient, own_site: Site) -> None:
    for body in (b"{", b"[1]", b"\xff\xfe", b'{"game": 1}'):
        answer = own_client.post(
            "/api/v1/tournaments",
            content=body,
            headers=bearer(own_site.ana) | {"content-type": "application/json"},
        )
        assert answer.status_code == 422
        assert reason(answer) == "INVALID_REQUEST"
        assert answer.json()["error"]["where"].startswith("body")


@pytest.mark.parametrize("told", [True, False], ids=["length told", "in chunks"])
def test_a_body_that_is_too_large_is_not_taken(
    own_client: TestClient, own_site: Site, told: bool
) -> None:
    body = b'{"name": "' + b"x" * (2 << 20)
    answer = own_client.post(
        "/api/v1/tournaments",
        content=body if told else iter([body]),
        headers=bearer(own_site.ana) | {"content-type": "application/json"},
    )
    assert (answer.status_code, reason(answer)) == (413, "TOO_LARGE")


def test_browsers_get_the_same_words_as_a_page(client: TestClient) -> None:
    answer = client.get("/bots/nobody", headers=BROWSER)
    assert answer.status_code == 404
    assert "text/html" in answer.headers["content-type"]
    assert "There is no bot nobody." in answer.text
    assert "BOT_NOT_FOUND" in answer.text
    assert "content-security-policy" in answer.headers
    assert client.get("/api/v1/bots/nobody", headers=BROWSER).json()["error"]


def test_our_own_failure_gives_a_number_and_no_traceback(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    app = create_app(site.settings)
    client = TestClient(app, raise_server_exceptions=False)
    monkeypatch.setattr(app.state.services, "limiter", None)
    match = client.get(f"/api/v1/tournaments/{site.over}/matches").json()["items"][0]["id"]
    answer = client.get(f"/api/v1/matches/{match}/replay")
    assert (answer.status_code, reason(answer)) == (500, "INTERNAL")
    assert "NoneType" not in answer.text
    number = answer.json()["error"]["message"].rpartition(" ")[2].rstrip(".")
    assert number in capsys.readouterr().out
    app.state.services.store.close()


def test_a_database_that_is_gone_is_told_as_such(tmp_path: Path) -> None:
    app = create_app(load_settings(data_dir=tmp_path))
    with open_store(tmp_path) as store, store.write() as session:
        session.connection().exec_driver_sql("DROP TABLE entrants")
        session.connection().exec_driver_sql("DROP TABLE bots")
    client = TestClient(app, raise_server_exceptions=False)
    answer = client.get("/api/v1/bots")
    assert answer.status_code == 503
    assert reason(answer) in {"STORE_UNAVAILABLE", "DATABASE_UNREACHABLE"}
    assert answer.headers["retry-after"]
    assert "SELECT" not in answer.text
    assert str(tmp_path) not in answer.text
    assert client.get("/healthz").status_code == 200
    app.state.services.store.close()


def test_an_app_over_a_folder_that_cannot_be_written_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreError) as error:
        create_app(load_settings(data_dir=tmp_path / "file"))
    assert error.value.reason == "DATA_DIR_NOT_WRITABLE"


def test_a_wrong_value_is_named_as_whoever_sent_it_named_it(
    own_client: TestClient, own_site: Site
) -> None:
    body = {"game": "german_whist", "entrants": ["careful", "random"], "absence": "sulk"}
    refused = own_client.post("/api/v1/tournaments", json=body, headers=bearer(own_site.ana))
    error = refused.json()["error"]
    assert error["where"] == "body.absence"
    assert error["message"].startswith("absence: ")
