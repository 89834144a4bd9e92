"""Probes, and the page for operators."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import kibitz
import pytest
from fastapi.testclient import TestClient
from kibitz_api.app import create_app
from kibitz_worker.house import add_house_bots
from kibitz_worker.leagues.tending import take_step
from kibitz_worker.leagues.twin_check import keep_twin_checks
from kibitz_worker.settings import load_settings
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import (
    Admission,
    League,
    SetState,
    Snapshot,
    Tournament,
    WorkerProcess,
)
from kibitz_worker.valkey import open_queue_server
from sqlalchemy import select

from tests.api.conftest import BROWSER, Site, bearer


@pytest.fixture
def own_store(own_client: TestClient) -> Store:
    found: Store = own_client.app.state.services.store  # type: ignore[attr-defined]
    return found


def add_worker(store: Store, **values: object) -> None:
    now = datetime.now(UTC)
    given = {"sandbox": "strict", "started": now, "seen": now} | values
    with store.write() as session:
        session.add(WorkerProcess(id=str(values["name"]), **given))


def test_healthz_asks_nobody(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


def test_ready_only_while_database_and_queue_server_answer(tmp_path: Path) -> None:
    settings = load_settings(data_dir=tmp_path)
    app = create_app(settings)
    client = TestClient(app)
    with open_queue_server(settings):
        answer = client.get("/readyz")
        assert answer.status_code == 200
        checks = answer.json()["checks"]
        assert {name for name, check in checks.items() if check["ok"]} == {
            "database",
            "migrations",
            "redis",
        }
        assert checks["sandbox"]["detail"] == "no worker is running"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["ready"] is False
    assert answer.json()["checks"]["redis"]["ok"] is False
    app.state.services.store.close()


def test_not_ready_before_the_tables_are_up_to_date(tmp_path: Path) -> None:
    app = create_app(load_settings(data_dir=tmp_path))
    with app.state.services.store.write() as session:
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '0000'")
    check = TestClient(app).get("/readyz").json()["checks"]["migrations"]
    assert check["ok"] is False
    assert "0000" in check["detail"]
    app.state.services.store.close()


def test_the_sandbox_is_that_of_living_workers(own_client: TestClient, own_store: Store) -> None:
    hour = timedelta(hours=1)
    add_worker(own_store, name="old", sandbox="strict", seen=datetime.now(UTC) - hour)
    add_worker(own_store, name="bare", sandbox="none", reason="no user namespaces")
    check = own_client.get("/readyz").json()["checks"]["sandbox"]
    assert check["ok"] is False
    assert check["detail"] == "none (no user namespaces)"
    add_worker(own_store, name="good", sandbox="landlock")
    assert own_client.get("/readyz").json()["checks"]["sandbox"]["ok"] is True
    workers = {w["name"]: w["alive"] for w in own_client.get("/api/v1/health").json()["workers"]}
    assert workers == {"old": False, "bare": True, "good": True}


def test_work_that_stands_still_raises_an_alarm(
    own_client: TestClient, own_site: Site, own_store: Store
) -> None:
    wanted = {"game": "whist", "entrants": ["careful", "random"], "sets": 3}
    made = own_client.post("/api/v1/tournaments", json=wanted, headers=bearer(own_site.ana)).json()
    told = own_client.get("/api/v1/health").json()
    assert told["queue"]["sets_waiting"] == 3
    assert "Work is waiting and no worker is running." in told["alarms"]
    add_worker(own_store, name="idle")
    with own_store.write() as session:
        session.get_one(Tournament, made["id"]).started = datetime.now(UTC) - timedelta(hours=1)
        trial = session.scalars(select(Admission)).first()
        assert trial is not None
        trial.state = SetState.WAITING
        trial.created = datetime.now(UTC) - timedelta(minutes=11)
    alarms = own_client.get("/api/v1/health").json()["alarms"]
    assert any("none has finished for ten minutes" in alarm for alarm in alarms)
    assert any("uploads wait for their trial" in alarm for alarm in alarms)
    page = own_client.get("/health", headers=BROWSER).text
    assert "none has finished for ten minutes" in page


def test_a_queue_of_nothing_is_no_alarm(own_site: Site) -> None:
    settings = own_site.settings
    with open_queue_server(settings):
        app = create_app(settings)
        add_worker(app.state.services.store, name="idle")
        told = TestClient(app).get("/api/v1/health").json()
        assert told["alarms"] == []
        assert told["queue"]["oldest_wait_seconds"] is None
        app.state.services.store.close()
    with open_store(own_site.settings.database) as store, store.read() as session:
        assert session.scalars(select(WorkerProcess.name)).all() == ["idle"]


def test_one_bot_under_two_names_that_differs_raises_an_alarm(own_client: TestClient) -> None:
    store: Store = own_client.app.state.services.store  # type: ignore[attr-defined]
    twin = {"one": "careful/1", "two": "twin/1", "elo": 90.0, "error": 20.0, "p_value": 7e-6}
    for alarm in (False, True):
        with store.write() as session:
            session.add(
                Snapshot(
                    game="whist",
                    pool="a" * 64,
                    options={},
                    created=datetime.now(UTC),
                    sets=1,
                    deals=1,
                    payload={"insights": {"twins": [{**twin, "alarm": alarm}]}},
                )
            )
        told = own_client.get("/api/v1/health").json()
        assert [each["alarm"] for each in told["twins"]] == [alarm]
        said = [text for text in told["alarms"] if "the same bot" in text]
        assert bool(said) == alarm
        page = own_client.get("/health", headers=BROWSER).text
        assert (">differ</span>" in page) == alarm


def test_the_standing_check_of_each_game_is_shown_with_its_state(own_client: TestClient) -> None:
    store: Store = own_client.app.state.services.store  # type: ignore[attr-defined]
    told = own_client.get("/api/v1/health").json()["twin_checks"]
    assert {each["game"]: each["state"] for each in told} == dict.fromkeys(kibitz.games(), "off")
    with store.write() as session:
        add_house_bots(session)
        kept = keep_twin_checks(session, store.now(session), "@weekly")
        ids = {league.game: league.id for league in kept}
        whist = session.get_one(League, ids["whist"])
        whist.due = store.now(session)
        while take_step(session, store.now(session), whist.id):
            pass
        played = session.scalars(select(Tournament).where(Tournament.game == "whist")).one()
        twin = {"one": "careful/1", "two": "twin/1", "elo": 90.0, "error": 20.0, "p_value": 7e-6}
        session.add(
            Snapshot(
                game="whist",
                pool=played.pool,
                options={},
                tournament_id=played.id,
                created=datetime.now(UTC),
                sets=24,
                deals=1,
                payload={"insights": {"twins": [{**twin, "alarm": True, "company": []}]}},
            )
        )
    told = own_client.get("/api/v1/health").json()
    first = told["twin_checks"][0]
    assert (first["game"], first["state"], first["sets"]) == ("whist", "differ", 24)
    assert {each["state"] for each in told["twin_checks"][1:]} == {"waiting"}
    assert [each["game"] for each in told["twin_checks"] if each["playing"]] == ["whist"]
    assert {each["game"]: each["league"] for each in told["twin_checks"]} == ids
    assert any("the same bot" in text for text in told["alarms"])
    page = own_client.get("/health", headers=BROWSER).text
    assert "standing check, 24 sets" in page
    assert page.count(">waiting</span>") == len(ids) - 1


def test_a_check_whose_first_season_is_under_way_names_no_later_date(
    own_client: TestClient,
) -> None:
    store: Store = own_client.app.state.services.store  # type: ignore[attr-defined]
    with store.write() as session:
        add_house_bots(session)
        kept = keep_twin_checks(session, store.now(session), "@weekly")
        league = next(each for each in kept if each.game == "whist")
        league.due = store.now(session)
        while take_step(session, store.now(session), league.id):
            pass
    page = own_client.get("/health", headers=BROWSER).text
    assert f'<a href="/leagues/{league.id}">season</a> under way' in page
    assert page.count(">next season</a>") == len(kept) - 1
