"""Leaderboards say what the newest snapshot says, and the same everywhere."""

import re

import pytest
from fastapi.testclient import TestClient
from kibitz_worker.ratings import Ratings
from kibitz_worker.store import Store
from kibitz_worker.store.models import Snapshot
from sqlalchemy import select

from tests.api.conftest import BROWSER, reason


def newest(store: Store, game: str) -> Snapshot:
    with store.read() as session:
        query = select(Snapshot).where(Snapshot.game == game, Snapshot.tournament_id.is_(None))
        found = session.scalar(query.order_by(Snapshot.id.desc()))
        assert found is not None
        return found


def test_a_leaderboard_is_a_list_of_what_the_snapshot_says(
    client: TestClient, store: Store
) -> None:
    rows = client.get("/api/v1/leaderboards/german_whist").json()
    ratings = Ratings.from_json(newest(store, "german_whist").payload)
    assert isinstance(rows, list)
    assert [f"{row['bot']}/{row['version']}" for row in rows] == [r.player for r in ratings.rows]
    for row, rated in zip(rows, ratings.rows, strict=True):
        for key in ("rank", "elo", "elo_low", "elo_high", "margin", "sets", "deals", "provisional"):
            assert row[key] == getattr(rated, key)
        assert row["elo_low"] <= row["elo"] <= row["elo_high"]
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    assert all(0 <= row["los"] <= 1 for row in rows[:-1])
    assert rows[-1]["los"] is None


def test_newest_versions_only_leaves_older_ones_out(client: TestClient) -> None:
    every = client.get("/api/v1/leaderboards/german_whist").json()
    newest_only = client.get("/api/v1/leaderboards/german_whist?newest=true").json()
    otters = sorted(row["version"] for row in every if row["bot"] == "ana/otter")
    assert otters == [1, 2]
    assert [row["version"] for row in newest_only if row["bot"] == "ana/otter"] == [2]
    assert len(newest_only) == len(every) - 1


def test_an_unknown_game_and_an_unknown_pool_are_named(client: TestClient) -> None:
    answer = client.get("/api/v1/leaderboards/poker")
    assert (answer.status_code, reason(answer)) == (404, "GAME_NOT_FOUND")
    answer = client.get("/api/v1/leaderboards/whist?pool=nothing")
    assert (answer.status_code, reason(answer)) == (404, "POOL_NOT_FOUND")
    assert answer.json()["error"]["where"] == "pool"


def test_a_game_that_nobody_played_has_an_empty_leaderboard(own_client: TestClient) -> None:
    assert own_client.get("/api/v1/leaderboards/whist").json() == []
    page = own_client.get("/leaderboards/whist", headers=BROWSER)
    assert page.status_code == 200
    assert "No rated set is finished yet" in page.text


def test_every_page_names_the_same_snapshot(client: TestClient, store: Store) -> None:
    number = newest(store, "german_whist").id
    listed = client.get("/api/v1/leaderboards").json()
    assert [one["snapshot"] for one in listed if one["game"] == "german_whist"] == [number]
    for path in ("/leaderboards", "/leaderboards/german_whist", "/"):
        assert re.search(rf"(?i)snapshot {number}\b", client.get(path, headers=BROWSER).text), path
    rated = client.get("/api/v1/bots/careful").json()["ratings"]
    assert [one["snapshot"] for one in rated if one["game"] == "german_whist"] == [number]


def test_error_bars_are_drawn_on_one_scale(client: TestClient) -> None:
    rows = client.get("/api/v1/leaderboards/german_whist").json()
    page = client.get("/leaderboards/german_whist", headers=BROWSER).text
    ranges = [
        (float(left), float(width))
        for left, width in re.findall(r'class="range" x="([\d.]+)%" width="([\d.]+)%"', page)
    ]
    assert len(ranges) == len(rows)
    for row, (left, width) in zip(rows, ranges, strict=True):
        for other, (other_left, other_width) in zip(rows, ranges, strict=True):
            if row["elo_low"] < other["elo_low"]:
                assert left <= other_left
            if row["elo_high"] < other["elo_high"]:
                assert left + width <= other_left + other_width + 0.5
    assert page.count(">provisional</span>") == sum(row["provisional"] for row in rows)


def test_the_crosstable_is_strong_only_where_it_means_something(client: TestClient) -> None:
    page = client.get("/leaderboards/german_whist", headers=BROWSER).text
    cells = re.findall(r'<td class="([^"]*)"><a href="([^"]*)" title="([^"]*)">', page)
    assert cells
    for classes, address, words in cells:
        assert ("sig" in classes.split()) == ("beyond its error" in words)
        assert address.startswith("/leaderboards/german_whist/matchup?a=")
    pair = client.get(cells[0][1].replace("&amp;", "&"), headers=BROWSER)
    assert pair.status_code == 200


def test_cells_show_what_is_asked_for(client: TestClient) -> None:
    table = client.get("/api/v1/leaderboards/german_whist/crosstable").json()
    one, two = table["cells"][0][1], table["cells"][1][0]
    assert one["los"] + two["los"] == pytest.approx(1)
    page = client.get("/leaderboards/german_whist?show=los", headers=BROWSER).text
    assert f">{100 * one['los']:.0f}</a>" in page
    page = client.get("/leaderboards/german_whist?show=margin", headers=BROWSER).text
    assert f">{one['margin']:+.2f}</a>".replace("-", "\u2212") in page
    assert client.get("/leaderboards/german_whist?show=all", headers=BROWSER).status_code == 422


def test_a_pair_is_told_with_the_sets_that_both_played(client: TestClient, store: Store) -> None:
    snapshot = newest(store, "german_whist")
    query = {"a": "careful/1", "b": "random/1"}
    pair = client.get("/api/v1/leaderboards/german_whist/matchup", params=query).json()
    ratings = Ratings.from_json(snapshot.payload)
    assert pair["snapshot"] == snapshot.id
    assert (pair["elo"], pair["elo_error"]) == ratings.difference("careful/1", "random/1")
    assert pair["los"] == ratings.los("careful/1", "random/1")
    assert pair["sets"] == pair["played"]["total"] == len(pair["played"]["items"]) == 1
    played = pair["played"]["items"][0]
    assert pair["margin"] == pytest.approx(played["margin"])
    assert pair["share"] == (played["one"] > played["two"]) + (played["one"] == played["two"]) / 2
    swapped = client.get(
        "/api/v1/leaderboards/german_whist/matchup", params={"a": "random/1", "b": "careful/1"}
    ).json()
    assert swapped["elo"] == -pair["elo"]
    missing = client.get(
        "/api/v1/leaderboards/german_whist/matchup", params={**query, "b": "nobody/1"}
    )
    assert (missing.status_code, reason(missing)) == (404, "VERSION_NOT_FOUND")
    assert missing.json()["error"]["where"] == "b"


def test_roles_positions_luck_and_orders_are_those_of_the_snapshot(
    client: TestClient, store: Store
) -> None:
    snapshot = newest(store, "whiskey")
    told = client.get("/api/v1/leaderboards/whiskey/insights").json()
    kept = snapshot.payload["insights"]
    assert told["snapshot"] == snapshot.id
    assert {line["name"] for line in told["roles"]} == {"declarer", "defender"}
    assert told["luck"]["boards"] == kept["luck"]["boards"]
    assert told["run_off"] == kept["run_off"]
    assert [line["player"] for line in told["roles"][:2]] == ["", ""]
    page = client.get("/leaderboards/whiskey", headers=BROWSER).text
    for words in ("Does it pay to deal?", "Roles", "Skill and luck", "Instant run-off"):
        assert words in page, words


def test_the_overall_rating_is_what_its_definition_says(client: TestClient) -> None:
    told = client.get("/api/v1/leaderboards/overall").json()
    games = told["games"]
    assert f"{len(games)} games" in told["definition"]
    rows = {row["bot"]: row for row in told["rows"]}
    assert rows["careful"]["elo"] == pytest.approx(1500)
    assert rows["careful"]["elo_high"] == pytest.approx(1500)
    for row in told["rows"]:
        shares = [1 / (1 + 10 ** ((1500 - elo) / 400)) for elo in row["games"].values()]
        assert row["share"] == pytest.approx(sum(shares) / len(games))
    lows = [row["elo_low"] for row in told["rows"]]
    assert lows == sorted(lows, reverse=True)
    for row in client.get("/api/v1/leaderboards/whist?newest=true").json():
        assert rows[row["bot"]]["games"]["whist"] == row["elo"]
