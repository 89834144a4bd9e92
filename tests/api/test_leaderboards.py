"""Leaderboards say what the newest snapshot says, and the same everywhere."""

import re

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
    cells = re.findall(r'<td class="([^"]*)"><span title="([^"]*)">', page)
    assert cells
    for classes, words in cells:
        assert ("sig" in classes.split()) == ("beyond its error" in words)
