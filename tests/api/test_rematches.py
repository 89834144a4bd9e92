"""Matches played again, and exhibitions, through the API and on pages."""

from fastapi.testclient import TestClient
from kibitz_worker.store import open_store

from tests.api.conftest import BROWSER, Site, bearer, reason
from tests.api.test_formats import WANTED
from tests.e2e.league import finish, play_set

TOURNAMENTS = "/api/v1/tournaments"


def test_a_match_is_played_again_and_shown_beside_the_first(
    own_client: TestClient, own_site: Site
) -> None:
    own_client.headers.update(bearer(own_site.ana))
    shown = own_client.post(
        TOURNAMENTS,
        json=WANTED | {"entrants": ["careful", "random"], "sets": 1, "exhibition": True},
    ).json()
    assert (shown["kind"], shown["rated"]) == ("exhibition", False)
    first = f"{shown['id']}-0-0-0"
    refused = own_client.post(f"/api/v1/matches/{first}/rematch", json={"seat": 0, "bot": "otter"})
    assert reason(refused) == "MATCH_NOT_FOUND"
    with open_store(own_site.settings.database) as store:
        play_set(store, f"{shown['id']}-0-0", forfeit=False, void=False)
    page = own_client.get(f"/matches/{first}", headers=BROWSER).text
    assert f'action="/matches/{first}/rematch"' in page
    assert '<option value="ana/otter/2">' in page
    made = own_client.post(f"/api/v1/matches/{first}/rematch", json={"seat": 1, "bot": "otter@2"})
    assert made.status_code == 201, made.text
    told = made.json()
    assert (told["bot"], told["seat"], told["now"], told["difference"]) == (
        "ana/otter/2",
        1,
        None,
        None,
    )
    with open_store(own_site.settings.database) as store:
        play_set(store, f"{told['tournament']}-0-0", forfeit=False, void=False)
        with store.write() as session:
            finish(session, told["tournament"])
    check_comparison(own_client, told["tournament"])
    check_lists(own_client, shown["id"], first, told["tournament"])


def check_comparison(own_client: TestClient, rematch: str) -> None:
    told = own_client.get(f"{TOURNAMENTS}/{rematch}/rematch").json()
    assert told["now"]["seats"][1]["bot"] == "ana/otter"
    assert [deal["number"] for deal in told["deals"]] == [0, 1]
    points = [deal["now"][1] - deal["then"][1] for deal in told["deals"]]
    assert told["difference"] == sum(points)
    page = own_client.get(f"/tournaments/{told['tournament']}", headers=BROWSER).text
    assert "Then and now" in page
    assert "counts nowhere" in page
    assert f"{told['tournament']}/archive" not in page


def check_lists(own_client: TestClient, exhibition: str, first: str, rematch: str) -> None:
    listed = own_client.get(f"/api/v1/matches/{first}/rematches").json()
    assert [line["tournament"] for line in listed] == [rematch]
    assert rematch in own_client.get(f"/matches/{first}", headers=BROWSER).text
    kinds = {
        kind: [one["id"] for one in own_client.get(TOURNAMENTS, params=query).json()["items"]]
        for kind, query in {
            "usual": {},
            "exhibition": {"kind": "exhibition"},
            "rematch": {"kind": "rematch"},
        }.items()
    }
    assert kinds == {
        "usual": [exhibition],
        "exhibition": [exhibition],
        "rematch": [rematch],
    }


def test_cards_of_a_versus_are_public_when_both_have_played_them(
    own_client: TestClient, own_site: Site
) -> None:
    own_client.headers.update(bearer(own_site.ana))
    told = own_client.post(
        TOURNAMENTS,
        json={
            "game": "whiskey",
            "entrants": ["ana/otter/2", "ana/otter/1", "careful", "random"],
            "options": {"end": "deals:3"},
            "format": "versus",
        },
    ).json()
    first, twin = (f"{told['id']}-{pairing}-0" for pairing in (0, 1))
    url = f"/api/v1/matches/{first}-0"
    with open_store(own_site.settings.database) as store:
        play_set(store, first, forfeit=False, void=False)
        assert own_client.get(url).json()["open"] is False
        for refused in (
            own_client.get(f"{url}/replay"),
            own_client.post(f"{url}/rematch", json={"seat": 0, "bot": "vole"}),
        ):
            assert reason(refused) == "DECKS_IN_PLAY"
        play_set(store, twin, forfeit=False, void=False)
    assert own_client.get(url).json()["open"] is True
    assert own_client.get(f"{url}/replay").status_code == 200


def test_a_rematch_needs_public_cards_and_a_bot_of_ones_own(client: TestClient, site: Site) -> None:
    store_match = client.get(f"{TOURNAMENTS}/{site.over}/matches").json()["items"][0]["id"]
    url = f"/api/v1/matches/{store_match}/rematch"
    assert reason(client.post(url, json={"seat": 0, "bot": "otter"})) == "TOKEN_NEEDED"
    ana = bearer(site.ana)
    for body, why in (
        ({"seat": 0, "bot": "ben/heron"}, "NOT_YOUR_BOT"),
        ({"seat": 9, "bot": "otter"}, "SEAT_UNKNOWN"),
        ({"seat": 0, "bot": "nobody"}, "BOT_UNKNOWN"),
    ):
        assert reason(client.post(url, json=body, headers=ana)) == why
    assert reason(client.get(f"{TOURNAMENTS}/{site.over}/rematch")) == "REMATCH_NOT_FOUND"
    page = client.get(f"/matches/{store_match}", headers=BROWSER).text
    assert f"/matches/{store_match}/rematch" not in page
