"""Formats through the API: preview, creation, rounds on the page, extension."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from kibitz_api.tournaments.plans import expected_error

from tests.api.conftest import BROWSER, Site, bearer, reason

TOURNAMENTS = "/api/v1/tournaments"
FIELD = ["careful", "random", "ana/otter", "ana/vole"]
WANTED: dict[str, object] = {
    "game": "german_whist",
    "entrants": FIELD,
    "options": {"end": "hands:2"},
    "sets": 3,
}


@pytest.fixture
def ana(own_client: TestClient, own_site: Site) -> TestClient:
    own_client.headers.update(bearer(own_site.ana))
    return own_client


def made(client: TestClient, **changes: object) -> Any:
    answer = client.post(TOURNAMENTS, json=WANTED | changes)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("name", "options", "rounds", "sets", "most"),
    [
        ("round_robin", {}, 1, 18, 18),
        ("gauntlet", {}, 1, 9, 9),
        ("swiss", {"rounds": 3}, 3, 18, 18),
        ("knockout", {}, 2, 9, 18),
        ("halving", {}, 2, 6 + 6, 6 + 6),
        ("ladder", {"sets_each": 10}, 1, 20, 20),
        ("ladder", {"sets_each": 0}, 1, 0, None),
    ],
)
def test_a_preview_tells_the_size_and_creates_nothing(
    ana: TestClient, name: str, options: dict[str, int], rounds: int, sets: int, most: int | None
) -> None:
    body = WANTED | {"format": name, "format_options": options}
    told = ana.post(f"{TOURNAMENTS}/preview", json=body).json()
    assert (told["rounds"], told["sets"], told["sets_most"]) == (rounds, sets, most)
    assert told["deals"] == sets * 2 * 2
    assert told["seconds"] is None
    assert ana.get(TOURNAMENTS).json()["total"] == 0
    if sets:
        assert told["elo_error"] == pytest.approx(681 / (sets * 2 / 4) ** 0.5, rel=0.01)


def test_more_players_at_a_table_tell_more_a_set() -> None:
    two, three, four = (expected_error(100, players) or 0.0 for players in (2, 3, 4))
    assert two > three > four
    assert three == pytest.approx(two / 1.5**0.5)


def test_a_preview_refuses_what_creation_refuses(ana: TestClient) -> None:
    apart = WANTED | {"one_owner": False}
    assert reason(ana.post(f"{TOURNAMENTS}/preview", json=apart)) == "SAME_OWNER"
    assert reason(ana.post(TOURNAMENTS, json=apart)) == "SAME_OWNER"


def test_a_knockout_shows_its_bracket(ana: TestClient) -> None:
    told = made(ana, format="knockout", entrants=FIELD[:3], format_options={"tie_breaks": 1})
    assert told["format_options"] == {"tie_breaks": 1}
    (first,) = told["rounds"]
    assert [table["by"] for table in first["tables"]] == ["bye", ""]
    assert first["tables"][0]["winners"] == ["careful/1"]
    assert [entry["kind"] for entry in told["log"]] == ["STARTED", "PLANNED"]
    page = ana.get(told["url"], headers=BROWSER).text
    assert page.count('<ul class="bout') == 3
    assert ">Semi-finals</h3>" in page
    assert "to be seen" in page
    assert [row["placing"]["course"][0]["result"] for row in told["standings"]] == [
        "bye",
        "open",
        "open",
    ]
    assert "What was decided" in page
    assert "Cancel" in page
    assert "Extend" not in page


def test_a_versus_shows_its_test(ana: TestClient) -> None:
    told = made(ana, format="versus", entrants=FIELD[2:], format_options={"h1": 30})
    assert told["test"]["state"] == "running"
    assert told["test"]["upper"] == pytest.approx(2.944, abs=0.001)
    page = ana.get(told["url"], headers=BROWSER).text
    assert "Is ana/otter better than ana/vole?" in page
    assert told["test"]["pairs"] == [0, 0, 0, 0, 0]
    assert told["test"]["normalized"] is None


def test_its_owner_can_extend_a_tournament(ana: TestClient, own_site: Site) -> None:
    told = made(ana)
    path = f"{TOURNAMENTS}/{told['id']}/extend"
    assert "Extend" in ana.get(told["url"], headers=BROWSER).text
    longer = ana.post(path, json={"by": 2})
    assert longer.json()["sets_total"] == 30
    assert ana.post(path, json={"by": 0}).status_code == 422
    stranger = ana.post(path, json={"by": 2}, headers=bearer(own_site.ben))
    assert reason(stranger) == "NOT_THE_OWNER"
    ana.post(f"{TOURNAMENTS}/{told['id']}/cancel")
    assert reason(ana.post(path, json={"by": 2})) == "TOURNAMENT_OVER"


def test_a_swiss_shows_its_course_and_a_gauntlet_its_challenger_first(ana: TestClient) -> None:
    told = made(ana, format="swiss", entrants=FIELD[:3], sets=1)
    assert {row["placing"]["points"] for row in told["standings"]} == {1.0, 0.0}
    page = ana.get(told["url"], headers=BROWSER).text
    assert "Buchholz" in page
    assert "round 1: a bye" in page
    told = made(ana, format="gauntlet", entrants=list(reversed(FIELD)), sets=1)
    assert [row["placing"]["role"] for row in told["standings"]] == ["challenger", *["field"] * 3]
    assert told["standings"][0]["bot"] == "ana/vole"
    assert made(ana)["standings"][0]["placing"] is None


def test_cells_lead_to_the_matches_of_the_two(client: TestClient, site: Site) -> None:
    page = client.get(f"/tournaments/{site.over}", headers=BROWSER).text
    assert f"/tournaments/{site.over}/matches?a=careful/1&amp;b=random/1" in page
    both = {"a": "careful/1", "b": "random/1"}
    listed = client.get(f"{TOURNAMENTS}/{site.over}/matches", params=both).json()
    assert listed["total"] == 2
    assert {frozenset(match["seats"]) for match in listed["items"]} == {frozenset(both.values())}
    shown = client.get(f"/tournaments/{site.over}/matches", params=both, headers=BROWSER).text
    assert "careful/1 against random/1" in shown
    unknown = client.get(f"{TOURNAMENTS}/{site.over}/matches", params={"a": "=nobody"})
    assert reason(unknown) == "ENTRANT_NOT_FOUND"
