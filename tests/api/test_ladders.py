"""Joining and leaving ladders through the API and from their page."""

from fastapi.testclient import TestClient

from tests.api.conftest import BROWSER, Site, bearer, reason
from tests.api.test_formats import FIELD, WANTED, made

TOURNAMENTS = "/api/v1/tournaments"


def test_owners_take_their_own_bots_in_and_out(own_client: TestClient, own_site: Site) -> None:
    own_client.headers.update(bearer(own_site.ana))
    told = made(own_client, format="ladder", entrants=FIELD[:3])
    url = f"{TOURNAMENTS}/{told['id']}"
    ben = bearer(own_site.ben)
    joined = own_client.post(f"{url}/join", json={"bot": "heron"}, headers=ben)
    assert joined.status_code == 200
    assert (joined.json()["bot"], joined.json()["number"]) == ("ben/heron", 3)
    assert reason(own_client.post(f"{url}/join", json={"bot": "heron@1"}, headers=ben)) == (
        "ENTERED_ALREADY"
    )
    assert reason(own_client.post(f"{url}/leave", json={"bot": "ana/otter"}, headers=ben)) == (
        "NOT_YOUR_BOT"
    )
    assert reason(own_client.post(f"{url}/join", json={"bot": "nobody"}, headers=ben)) == (
        "BOT_UNKNOWN"
    )
    assert reason(own_client.post(f"{url}/join", json={"bot": "heron@77"}, headers=ben)) == (
        "VERSION_UNKNOWN"
    )
    left = own_client.post(f"{url}/leave", json={"bot": "ben/heron/1"}, headers=ben).json()
    assert left["left"] is not None
    standings = own_client.get(f"{url}/standings").json()
    assert len(standings) == 4
    assert made(own_client, sets=1)["entrants"][0]["left"] is None


def test_the_page_offers_ones_own_bots(own_client: TestClient, own_site: Site) -> None:
    own_client.headers.update(bearer(own_site.ana))
    told = made(own_client, format="ladder", entrants=FIELD[:3])
    page = f"/tournaments/{told['id']}"
    assert "ana/vole/1" in own_client.get(page, headers=BROWSER).text
    del own_client.headers["Authorization"]
    assert f"{page}/join" not in own_client.get(page, headers=BROWSER).text
    own_client.cookies.set("kibitz_token", own_site.ben)
    shown = own_client.get(page, headers=BROWSER).text
    assert '<option value="ben/heron/1">' in shown
    assert f"{page}/leave" not in shown
    done = own_client.post(
        f"{page}/join", data={"bot": "ben/heron/1"}, headers=BROWSER, follow_redirects=False
    )
    assert done.status_code == 303
    assert f"{page}/leave" in own_client.get(page, headers=BROWSER).text
    fixed = own_client.post(
        f"{TOURNAMENTS}",
        json=WANTED | {"entrants": ["careful", "random"]},
        headers=bearer(own_site.ana),
    ).json()
    refused = own_client.post(f"{fixed['url']}/join", data={"bot": "heron"}, headers=BROWSER)
    assert refused.status_code == 409
    assert "no ladder" in refused.text
