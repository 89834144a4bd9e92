"""A second click or try makes nothing more: requests and forms carry a key."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import httpx
import pytest
from fastapi.testclient import TestClient
from kibitz.cli.server import Server

from tests.api.conftest import BROWSER, Site, bearer, reason
from tests.api.live_server import serving
from tests.api.test_formats import FIELD, TOURNAMENTS, WANTED
from tests.api.test_tournament_form import FORM
from tests.sdk.forgetful_proxy import forgetful

KEY = {"Idempotency-Key": "mine-1"}
LEAGUES = "/api/v1/leagues"
LEAGUE: dict[str, object] = {
    "name": "Autumn",
    "game": "german_whist",
    "divisions": [{"size": 4}],
    "bots": FIELD,
    "cron": "0 18 * * fri",
}


@pytest.fixture
def ana(own_client: TestClient, own_site: Site) -> TestClient:
    own_client.headers.update(bearer(own_site.ana))
    return own_client


@pytest.mark.parametrize(("path", "wanted"), [(TOURNAMENTS, WANTED), (LEAGUES, LEAGUE)])
def test_a_request_under_the_same_key_makes_one_thing(
    ana: TestClient, own_site: Site, path: str, wanted: dict[str, object]
) -> None:
    first, again = (ana.post(path, json=wanted, headers=KEY) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201), first.text
    assert first.json()["id"] == again.json()["id"]
    assert ana.get(path).json()["total"] == 1
    other = ana.post(path, json=wanted | {"sets": 7}, headers=KEY)
    assert (other.status_code, reason(other)) == (409, "KEY_REUSED")
    assert ana.post(path, json=wanted).json()["id"] != first.json()["id"]
    theirs = ana.post(path, json=WANTED, headers={**KEY, **bearer(own_site.ben)})
    assert theirs.status_code in {201, 422}  # a key is its user's own
    assert (
        reason(ana.post(path, json=wanted, headers={"Idempotency-Key": "a b"})) == "INVALID_REQUEST"
    )


def test_a_refused_request_leaves_its_key_free(ana: TestClient) -> None:
    wrong = ana.post(TOURNAMENTS, json=WANTED | {"entrants": ["careful"]}, headers=KEY)
    assert wrong.status_code == 422
    assert ana.post(TOURNAMENTS, json=WANTED, headers=KEY).status_code == 201


def test_two_clicks_at_the_same_time_make_one_tournament(ana: TestClient) -> None:
    together = Barrier(2)

    def click(_: int) -> str:
        together.wait(30)
        return str(ana.post(TOURNAMENTS, json=WANTED, headers=KEY).json()["id"])

    with ThreadPoolExecutor(2) as clicks:
        assert len(set(clicks.map(click, range(2)))) == 1
    assert ana.get(TOURNAMENTS).json()["total"] == 1


def test_a_tournament_is_extended_once(ana: TestClient) -> None:
    made = ana.post(TOURNAMENTS, json=WANTED).json()
    path = f"{TOURNAMENTS}/{made['id']}/extend"
    first, again = (ana.post(path, json={"by": 2}, headers=KEY).json() for _ in range(2))
    assert first["progress"]["total"] == again["progress"]["total"] == 6 * (3 + 2)
    assert ana.post(path, json={"by": 2}).json()["progress"]["total"] == 6 * (3 + 2 + 2)


def test_a_form_that_is_sent_twice_makes_one_tournament(
    own_client: TestClient, own_site: Site
) -> None:
    own_client.cookies.set("kibitz_token", own_site.ana)
    shown = own_client.get("/tournaments/new?game=german_whist", headers=BROWSER).text
    found = re.search(r'name="once" value="([\w-]{20,})"', shown)
    assert found is not None
    form = FORM | {"once": found[1]}
    assert found[0] in own_client.post("/tournaments/new", data=form, headers=BROWSER).text

    def create(**changes: object) -> str:
        data = form | {"action": "create"} | changes
        answer = own_client.post(
            "/tournaments/new", data=data, headers=BROWSER, follow_redirects=False
        )
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    made = create()
    assert create() == made
    assert create(sets="4") != made
    assert own_client.get(TOURNAMENTS).json()["total"] == 2
    assert re.search(r'name="once" value="[\w-]{20,}"', own_client.get(made, headers=BROWSER).text)


def test_the_command_line_asks_again_when_the_answer_got_lost(own_site: Site) -> None:
    with (
        serving(own_site.data, own_site.settings) as running,
        forgetful(running.url.removesuffix("/api/v1/live")) as (url, lost),
        Server(url, token=own_site.ana) as server,
    ):
        made = server.create("tournaments", WANTED)
        listed = httpx.get(running.url.replace("live", "tournaments")).json()
    assert json.loads(lost[0])["id"] == made["id"]
    assert listed["total"] == 1
