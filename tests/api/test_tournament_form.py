"""The form for a new tournament: all that can be chosen, and what is wrong beside each field."""

import re

import pytest
from fastapi.testclient import TestClient

from tests.api.conftest import BROWSER, Site, bearer, reason
from tests.api.test_formats import TOURNAMENTS, WANTED

FORM: dict[str, object] = {
    "game": "german_whist",
    "entrants": ["careful/1", "random/1", "ana/otter/2"],
    "options": "end=hands:2",
    "sets": "3",
    "name": "Kept",
}
CHOSEN = {
    "format": "knockout",
    "order": "ana/otter/2, random/1",
    "policy": "substitute",
    "penalties": "4",
    "bank": "60",
    "cap": "2.5",
    "absence": "forfeit",
    "wait_seconds": "600",
    "priority": "2",
    "apart": "true",
    "exhibition": "true",
    "rated": "true",
}


@pytest.fixture
def ana(own_client: TestClient, own_site: Site) -> TestClient:
    own_client.cookies.set("kibitz_token", own_site.ana)
    return own_client


def test_all_that_the_store_can_do_can_be_chosen(ana: TestClient) -> None:
    seen = ana.post("/tournaments/new", data=FORM | CHOSEN, headers=BROWSER)
    assert seen.status_code == 200
    assert "Not rated" in seen.text
    done = ana.post(
        "/tournaments/new",
        data=FORM | CHOSEN | {"action": "create"},
        headers=BROWSER,
        follow_redirects=False,
    )
    assert done.status_code == 303
    told = ana.get(f"/api/v1{done.headers['location']}").json()
    assert [f"{each['bot']}/{each['version']}" for each in told["entrants"]] == [
        "ana/otter/2",
        "random/1",
        "careful/1",
    ]
    assert (told["kind"], told["rated"], told["policy"]) == ("exhibition", False, "substitute:4")
    assert (told["clock"]["bank_ms"], told["clock"]["cap_ms"]) == (60_000, 2_500)
    page = ana.get(done.headers["location"], headers=BROWSER).text
    assert "An exhibition" in page


def test_every_wrong_field_has_its_word_and_keeps_its_value(ana: TestClient) -> None:
    wrong = {
        "sets": "many",
        "options": "end",
        "format_options": "rounds",
        "priority": "9",
        "wait_seconds": "-1",
        "bank": "long",
        "cap": "0",
        "policy": "substitute",
        "penalties": "no",
        "order": "nobody",
    }
    page = ana.post("/tournaments/new", data=FORM | wrong, headers=BROWSER)
    assert page.status_code == 422
    found = set(re.findall(r'id="(\w+)-fault"', page.text))
    assert found == (set(wrong) - {"penalties", "order"}) | {"entrants"}
    for value in ("many", "rounds", "long", "nobody", "Kept"):
        assert f'value="{value}"' in page.text
    assert "<details open>" in page.text
    assert ana.get(TOURNAMENTS).json()["total"] == 0


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"apart": "true", "entrants": ["ana/otter/2", "ana/vole/1"]}, "apart"),
        ({"format": "versus"}, "entrants"),
        ({"format": "individual"}, "format"),
        ({"format": "swiss", "format_options": "rounds=-1"}, "format_options"),
        ({"absence": "never"}, "absence"),
        ({"name": "x" * 200}, "name"),
        ({"policy": "mercy"}, "policy"),
    ],
)
def test_what_the_store_refuses_stands_beside_its_field(
    ana: TestClient, change: dict[str, object], field: str
) -> None:
    page = ana.post("/tournaments/new", data=FORM | change | {"action": "create"}, headers=BROWSER)
    assert page.status_code == 422
    assert re.findall(r'id="(\w+)-fault"', page.text) == [field]
    assert ana.get(TOURNAMENTS).json()["total"] == 0


def test_a_preview_refuses_clocks_and_policies_that_cannot_be(
    own_client: TestClient, own_site: Site
) -> None:
    own_client.headers.update(bearer(own_site.ana))
    for change, why in (
        ({"clock": {"bank_ms": 0, "increment_ms": 0}}, "CLOCK_INVALID"),
        ({"clock": {"spring_ms": 5}}, "CLOCK_INVALID"),
        ({"policy": "mercy"}, "POLICY_UNKNOWN"),
    ):
        for path in (f"{TOURNAMENTS}/preview", TOURNAMENTS):
            assert reason(own_client.post(path, json=WANTED | change)) == why
    told = own_client.post(f"{TOURNAMENTS}/preview", json=WANTED | {"clock": {"untimed": True}})
    assert told.json()["rated"] is False
