"""A bot's history: a point for each completed round, with its band and its reason."""

from fastapi.testclient import TestClient
from kibitz_api.bots.history import HistoryPoint

from tests.api.conftest import BROWSER


def test_the_history_agrees_with_the_leaderboard(client: TestClient) -> None:
    told = client.get("/api/v1/bots/ana/otter/history").json()
    (whist,) = [one for one in told if one["game"] == "german_whist"]
    board = client.get("/api/v1/leaderboards/german_whist").json()
    listed = client.get("/api/v1/leaderboards").json()
    (about,) = [one for one in listed if one["game"] == "german_whist"]
    rows = {row["version"]: row for row in board if row["bot"] == "ana/otter"}
    assert sorted(point["version"] for point in whist["points"]) == [1, 2]
    for point in whist["points"]:
        row = rows[point["version"]]
        assert point["snapshot"] == about["snapshot"]
        for key in ("elo", "elo_low", "elo_high", "rank", "sets"):
            assert point[key] == row[key]
        assert point["why"].startswith("first rated: ")


def test_the_page_draws_a_band_for_each_version(client: TestClient) -> None:
    page = client.get("/bots/ana/otter", headers=BROWSER).text
    assert page.count('class="plot"') == page.count("Why it changed") == 3
    assert page.count('class="band"') >= 5
    house = client.get("/api/v1/bots/house/careful/history").json()
    assert {one["game"] for one in house} >= {"german_whist", "whiskey"}


def point(**changes: object) -> HistoryPoint:
    usual = {
        "version": 2,
        "tournament": "t",
        "tournament_name": "League",
        "round": 0,
        "snapshot": 3,
        "created": "2030-01-01T00:00:00Z",
        "rank": 1,
        "elo": 1520.0,
        "elo_low": 1500.0,
        "elo_high": 1540.0,
        "sets": 40,
        "before": 1500.0,
        "games": 10,
        "actual": 7.0,
        "expected": 5.0,
    }
    return HistoryPoint.model_validate({**usual, **changes})


def test_changes_are_explained_by_what_was_expected() -> None:
    assert point().why == "7 of 10 points, 2.0 more than expected"
    assert point(actual=4.5, elo=1490.0).why == "4.5 of 10 points, 0.5 fewer than expected"
    assert point(actual=5.0).why == "5 of 10 points, as expected"
    assert point(elo=1490.0).why.endswith("the opponents' or the anchor's results moved it more")
    assert point(before=None, expected=None).why == "first rated: 7 of 10 points"
