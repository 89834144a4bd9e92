"""Leagues as they are told, founded, joined and changed."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from kibitz_worker.leagues.tending import tend_leagues
from kibitz_worker.store import Store
from kibitz_worker.store.models import League

from tests.api.conftest import BROWSER, Site, bearer, reason
from tests.worker.seasons.stage import play_out

LEAGUES = "/api/v1/leagues"
WANTED: dict[str, Any] = {
    "name": "Autumn",
    "game": "whist",
    "divisions": [{"size": 2, "movers": 1, "name": "First"}, {"size": 2}],
    "bots": ["careful", "random", "ana/otter", "ben/heron"],
    "sets": 1,
    "options": {"end": "deals:4"},
    "cron": "0 18 * * fri",
    "time_zone": "Europe/Rome",
}
FORM = {
    "name": "Autumn",
    "game": "whist",
    "divisions": "2, 2",
    "movers": "1",
    "bots": ["careful", "random", "ana/otter"],
    "sets": "1",
    "options": "end=deals:4",
    "cron": "0 18 * * fri",
    "time_zone": "Europe/Rome",
    "rated": "true",
}


@pytest.fixture
def own_store(own_client: TestClient) -> Store:
    found: Store = own_client.app.state.services.store  # type: ignore[attr-defined]
    return found


@pytest.fixture
def league(own_client: TestClient, own_site: Site) -> str:
    """A league of ana's with four bots, whose first season is not due yet."""
    answer = own_client.post(LEAGUES, json=WANTED, headers=bearer(own_site.ana))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def make_due(store: Store, league: str) -> None:
    with store.write() as session:
        session.get_one(League, league).due = datetime.now(UTC) - timedelta(seconds=1)
    tend_leagues(store)


def play_season(store: Store, league: str) -> None:
    make_due(store, league)
    play_out(store, {"careful": 4, "random": 3, "otter": 2, "heron": 1})
    tend_leagues(store)


def test_a_league_is_founded_with_its_divisions_and_dates(
    own_client: TestClient, league: str
) -> None:
    told = own_client.get(f"{LEAGUES}/{league}").json()
    assert (told["state"], told["season"], told["bots"], told["divisions"]) == ("running", 0, 4, 2)
    assert [(t["name"], t["size"], t["up"], t["down"]) for t in told["tables"]] == [
        ("First", 2, 0, 1),
        ("Division 2", 2, 1, 0),
    ]
    assert [bot["bot"] for bot in told["waiting"]] == WANTED["bots"]
    assert all(bot["newest"] for bot in told["waiting"])
    assert told["dates"][0] == told["due"]
    assert len(told["dates"]) == 5
    listed = own_client.get(LEAGUES, params={"game": "whist", "state": "running"}).json()
    assert [one["id"] for one in listed["items"]] == [league]
    assert own_client.get(LEAGUES, params={"state": "ended"}).json()["total"] == 0


def test_a_season_is_told_while_it_is_played_and_after(
    own_client: TestClient, own_store: Store, league: str
) -> None:
    make_due(own_store, league)
    told = own_client.get(f"{LEAGUES}/{league}").json()
    assert told["season_state"] == "running"
    assert [[bot["zone"] for bot in table["bots"]] for table in told["tables"]] == [
        [None, "down"],
        ["up", None],
    ]
    assert [table["sets_total"] for table in told["tables"]] == [1, 1]
    tournament = own_client.get(f"/api/v1/tournaments/{told['tables'][0]['tournament']}").json()
    assert tournament["name"] == "Autumn, season 1, First"
    play_out(own_store, {"careful": 1, "random": 2, "otter": 4, "heron": 3})
    told = own_client.get(f"{LEAGUES}/{league}").json()
    assert [bot["bot"] for bot in told["tables"][0]["bots"]] == ["random", "careful"]
    tend_leagues(own_store)
    told = own_client.get(f"{LEAGUES}/{league}").json()
    zones = {bot["zone"] for table in told["tables"] for bot in table["bots"]}
    assert zones == {None}, "between seasons no place leads anywhere yet"
    season = own_client.get(f"{LEAGUES}/{league}/seasons/1").json()
    assert (season["state"], season["winner"]) == ("closed", "random")
    moved = [(p["bot"], p["rank"], p["moved"]) for d in season["divisions"] for p in d["placings"]]
    assert moved == [
        ("random", 1, "stayed"),
        ("careful", 2, "down"),
        ("ana/otter", 1, "up"),
        ("ben/heron", 2, "stayed"),
    ]
    assert own_client.get(f"{LEAGUES}/{league}/seasons").json()["total"] == 1
    log = own_client.get(f"{LEAGUES}/{league}/log").json()["items"]
    assert {"FOUNDED", "JOINED", "SEASON_MADE", "PROMOTED", "RELEGATED", "SEASON_CLOSED"} <= {
        entry["kind"] for entry in log
    }
    missing = own_client.get(f"{LEAGUES}/{league}/seasons/9")
    assert (missing.status_code, reason(missing)) == (404, "SEASON_NOT_FOUND")


def test_pages_show_divisions_arrows_seasons_and_dates(
    own_client: TestClient, own_store: Store, own_site: Site, league: str
) -> None:
    play_season(own_store, league)
    make_due(own_store, league)
    page = own_client.get(f"/leagues/{league}", headers=BROWSER | bearer(own_site.ana)).text
    for part in ("zone-up", "zone-down", "Division 2", "0 18 * * fri", "Europe/Rome", "data-date"):
        assert part in page
    for action in ("pause", "end", "close", "calendar", "join", "leave"):
        assert f"/leagues/{league}/{action}" in page
    anybody = own_client.get(f"/leagues/{league}", headers=BROWSER).text
    assert f"/leagues/{league}/pause" not in anybody
    assert "Log in" in anybody
    season = own_client.get(f"/leagues/{league}/seasons/1", headers=BROWSER).text
    assert "These tables are final" in season
    assert "Autumn" in own_client.get("/leagues", headers=BROWSER).text
    bot = own_client.get("/bots/ana/otter", headers=BROWSER).text
    assert f'href="/leagues/{league}"' in bot
    assert "First, place 2" in bot
    (told,) = own_client.get("/api/v1/bots/ana/otter").json()["leagues"]
    assert (told["league"], told["division"], told["place"]) == (league, "First", 2)
    first = own_client.get(f"{LEAGUES}/{league}").json()["tables"][0]["tournament"]
    tournament = own_client.get(f"/tournaments/{first}", headers=BROWSER).text
    assert f'href="/leagues/{league}/seasons/2"' in tournament


def test_owners_join_and_leave_with_their_own_bots(
    own_client: TestClient, own_site: Site, league: str
) -> None:
    def post(what: str, bot: str, token: str) -> Any:
        return own_client.post(
            f"{LEAGUES}/{league}/{what}", json={"bot": bot}, headers=bearer(token)
        )

    joined = post("join", "ana/vole/1", own_site.ana).json()["waiting"][-1]
    assert (joined["bot"], joined["newest"]) == ("ana/vole", False)
    for what, bot, who, status, why in (
        ("join", "ana/vole", own_site.ben, 403, "NOT_YOUR_BOT"),
        ("leave", "ana/vole", own_site.ben, 403, "NOT_YOUR_BOT"),
        ("join", "ben/heron/2", own_site.ben, 422, "VERSION_NOT_ADMITTED"),
        ("join", "ana/badger", own_site.ana, 404, "BOT_UNKNOWN"),
        ("leave", "ana/badger", own_site.ana, 404, "NO_MEMBER"),
    ):
        answer = post(what, bot, who)
        assert (answer.status_code, reason(answer)) == (status, why)
    assert len(post("leave", "ben/heron", own_site.ben).json()["waiting"]) == 4
    assert own_client.post(f"{LEAGUES}/{league}/join", json={"bot": "careful"}).status_code == 401


def test_the_organiser_pauses_resumes_changes_dates_and_ends(
    own_client: TestClient, own_site: Site, league: str
) -> None:
    def post(what: str, body: object = None, who: str = own_site.ana) -> Any:
        return own_client.post(f"{LEAGUES}/{league}/{what}", json=body or {}, headers=bearer(who))

    stranger = post("pause", who=own_site.ben)
    assert (stranger.status_code, reason(stranger)) == (403, "NOT_THE_OWNER")
    assert post("pause").json()["state"] == "paused"
    assert post("resume").json()["state"] == "running"
    changed = post("calendar", {"cron": "30 9 1 * *", "seasons": 6}).json()
    assert (changed["cron"], changed["seasons"]) == ("30 9 1 * *", 6)
    told = own_client.get(f"{LEAGUES}/{league}/log").json()["total"]
    assert post("calendar", {"cron": "30 9 1 * *", "seasons": 6}).json() == changed
    assert own_client.get(f"{LEAGUES}/{league}/log").json()["total"] == told
    assert changed["time_zone"] == "Europe/Rome"
    assert post("calendar", {"cron": None}).json()["cron"] is None
    assert reason(post("calendar", {"cron": "soon"})) == "CRON_INVALID"
    assert reason(post("close")) == "NO_SEASON"
    assert post("end").json()["state"] == "ended"
    assert reason(post("resume")) == "LEAGUE_OVER"


@pytest.mark.parametrize(
    ("changed", "status", "why"),
    [
        ({"cron": "0 25 * * *"}, 422, "CRON_INVALID"),
        ({"time_zone": "Mars/Base"}, 422, "TIME_ZONE_UNKNOWN"),
        ({"divisions": [{"size": 1}]}, 422, "DIVISION_TOO_SMALL"),
        ({"divisions": [{"size": 2, "movers": 3}, {"size": 4}]}, 422, "MOVERS_INVALID"),
        ({"divisions": []}, 422, "DIVISIONS_INVALID"),
        ({"bots": ["careful", "nobody"]}, 404, "BOT_UNKNOWN"),
        ({"one_owner": False, "bots": ["ana/otter", "ana/vole"]}, 422, "SAME_OWNER"),
        ({"format": "ladder"}, 422, "LEAGUE_FORMAT"),
        ({"options": {"end": "deals:5000"}}, 422, "MATCH_TOO_LONG"),
        ({"starts": "9999-12-31T00:00:00Z"}, 422, "STARTS_INVALID"),
        ({"surprise": 1}, 422, "INVALID_REQUEST"),
    ],
)
def test_what_cannot_be_is_refused_by_preview_and_founding_alike(
    own_client: TestClient, own_site: Site, changed: dict[str, Any], status: int, why: str
) -> None:
    for path in (f"{LEAGUES}/preview", LEAGUES):
        answer = own_client.post(path, json=WANTED | changed, headers=bearer(own_site.ana))
        assert (answer.status_code, reason(answer)) == (status, why)
    assert own_client.get(LEAGUES).json()["total"] == 0


def test_a_preview_says_what_a_season_comes_to_and_leaves_nothing(
    own_client: TestClient, own_site: Site
) -> None:
    wanted = WANTED | {"divisions": [{"size": 3}], "sets": 5, "starts": "2027-01-08T12:00:00"}
    told = own_client.post(f"{LEAGUES}/preview", json=wanted, headers=bearer(own_site.ana)).json()
    assert (told["sets"], told["deals"]) == (15, told["matches"] * 4)
    assert told["divisions"][0]["elo_error"] > 0
    assert (told["bots"], told["waiting"]) == ([3], 1)
    assert told["dates"][0] == "2027-01-08T17:00:00Z"
    assert own_client.get(LEAGUES).json()["total"] == 0


def test_the_form_previews_refuses_and_founds(own_client: TestClient, own_site: Site) -> None:
    headers = BROWSER | bearer(own_site.ana)
    assert (
        own_client.get("/leagues/new", headers=BROWSER, follow_redirects=False).status_code == 303
    )
    assert 'name="cron"' in own_client.get("/leagues/new?game=whist", headers=headers).text
    told = own_client.post("/leagues/new", data=FORM, headers=headers)
    assert told.status_code == 200
    assert "Preview of a season" in told.text
    for changed, words in (
        ({"cron": "x y"}, "no cron expression"),
        ({"divisions": "two"}, "whole numbers with commas"),
        ({"divisions": "2, 2, 2", "movers": "1, 1, 1"}, "2 numbers, or one"),
        ({"movers": "9"}, "going down"),
        ({"seasons": "x"}, "seasons:"),
        ({"name": ""}, "league name"),
    ):
        refused = own_client.post("/leagues/new", data=FORM | changed, headers=headers)
        assert (refused.status_code, words in refused.text) == (422, True), words
    founded = own_client.post(
        "/leagues/new", data=FORM | {"action": "create"}, headers=headers, follow_redirects=False
    )
    assert founded.status_code == 303
    page = founded.headers["location"]
    for what, data in (
        ("join", {"bot": "ana/vole"}),
        ("leave", {"bot": "ana/vole"}),
        ("calendar", {"cron": "", "time_zone": "UTC", "seasons": "3", "late": "close"}),
        ("pause", {}),
    ):
        done = own_client.post(f"{page}/{what}", data=data, headers=headers, follow_redirects=False)
        assert (done.status_code, done.headers.get("location")) == (303, page)
    refused = own_client.post(f"{page}/join", data={"bot": "ana/nobody"}, headers=headers)
    assert refused.status_code == 409
    assert "there is no bot" in refused.text
    (kept,) = own_client.get(LEAGUES).json()["items"]
    assert (kept["state"], kept["cron"], kept["bots"]) == ("paused", None, 3)
