"""Owners strike finished sets out, with a reason that everybody can read."""

from fastapi.testclient import TestClient
from kibitz_worker.store import open_store
from kibitz_worker.store.models import DealSet, SetState
from sqlalchemy import select

from tests.api.conftest import BROWSER, Site, bearer, reason
from tests.e2e.league import play


def own_league(own_client: TestClient, own_site: Site) -> tuple[str, str]:
    made = own_client.post(
        "/api/v1/tournaments",
        json={
            "game": "whist",
            "entrants": ["careful", "random"],
            "options": {"end": "deals:4"},
            "sets": 2,
            "priority": 2,
            "absence": "forfeit",
            "wait_seconds": 60,
        },
        headers=bearer(own_site.ana),
    ).json()
    with open_store(own_site.settings.database) as store:
        play(store, made["id"], 0.5)
        with store.write() as session:
            done = session.scalars(select(DealSet).where(DealSet.state == SetState.VOID)).one()
            done.state = SetState.DONE
            done.scores, done.margins = [3, -3], [1.0, -1.0]
            return made["id"], done.id


def test_an_owner_annuls_a_set_once_and_it_is_played_again(
    own_client: TestClient, own_site: Site
) -> None:
    tournament, key = own_league(own_client, own_site)
    path, body = f"/api/v1/sets/{key}/annul", {"reason": "the wrong clock"}
    assert reason(own_client.post(path, json=body)) == "TOKEN_NEEDED"
    stranger = own_client.post(path, json=body, headers=bearer(own_site.ben))
    assert reason(stranger) == "NOT_THE_OWNER"
    assert own_client.post(path, json={}, headers=bearer(own_site.ana)).status_code == 422
    answer = own_client.post(path, json=body, headers=bearer(own_site.ana))
    assert answer.json() == {"set": key, "replaced_by": f"{tournament}-0-2"}
    again = own_client.post(path, json=body, headers=bearer(own_site.ana))
    assert (again.status_code, reason(again)) == (409, "SET_NOT_DONE")
    told = own_client.get(f"/api/v1/sets/{key}").json()
    assert (told["state"], told["reason"]) == ("annulled", "annulled: the wrong clock")
    assert "annulled: the wrong clock" in own_client.get(f"/sets/{key}", headers=BROWSER).text
    progress = own_client.get(f"/api/v1/tournaments/{tournament}").json()["progress"]
    assert (progress["total"], progress["done"], progress["waiting"]) == (3, 0, 2)


def test_no_set_is_annulled_that_does_not_exist(own_client: TestClient, own_site: Site) -> None:
    body = {"reason": "because"}
    answer = own_client.post("/api/v1/sets/none/annul", json=body, headers=bearer(own_site.ana))
    assert answer.status_code == 404


def test_the_page_of_a_set_has_a_button_for_its_owner(
    own_client: TestClient, own_site: Site
) -> None:
    _, key = own_league(own_client, own_site)
    page, path = f"/sets/{key}", f"/sets/{key}/annul"
    own_client.cookies.set("kibitz_token", own_site.ben)
    assert path not in own_client.get(page, headers=BROWSER).text
    assert own_client.post(path, data={"reason": "envy"}, headers=BROWSER).status_code == 422
    own_client.cookies.set("kibitz_token", own_site.ana)
    assert path in own_client.get(page, headers=BROWSER).text
    short = own_client.post(path, data={"reason": "no"}, headers=BROWSER)
    assert short.status_code == 422
    assert 'value="no"' in short.text
    assert "3 to 500 characters" in short.text
    done = own_client.post(
        path, data={"reason": "a broken clock"}, headers=BROWSER, follow_redirects=False
    )
    assert done.status_code == 303
    shown = own_client.get(page, headers=BROWSER).text
    assert "annulled: a broken clock" in shown
    assert path not in shown
