"""Further tokens of one's own account, and their end."""

import re

import pytest
from fastapi.testclient import TestClient
from kibitz_worker.store import tokens

from tests.api.conftest import BROWSER, Site, bearer, reason

TOKENS = "/api/v1/tokens"


def test_a_further_token_is_worth_as_much_until_it_is_revoked(
    own_client: TestClient, own_site: Site
) -> None:
    assert reason(own_client.get(TOKENS)) == "TOKEN_NEEDED"
    ana, ben = bearer(own_site.ana), bearer(own_site.ben)
    made = own_client.post(TOKENS, json={"name": "second"}, headers=ana)
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    second = bearer(made.json()["token"])
    assert own_client.get("/api/v1/account", headers=second).json() == {"name": "ana"}
    listed = own_client.get(TOKENS, headers=second).json()
    assert [token["name"] for token in listed] == ["test", "second"]
    assert "token" not in listed[1]
    url = f"{TOKENS}/{made.json()['id']}"
    assert reason(own_client.delete(url, headers=ben)) == "TOKEN_UNKNOWN"
    assert own_client.delete(url, headers=ana).json()["name"] == "second"
    assert reason(own_client.get("/api/v1/account", headers=second)) == "TOKEN_UNKNOWN"
    assert len(own_client.get(TOKENS, headers=ana).json()) == 1


def test_tokens_have_names_and_an_end_of_number(
    own_client: TestClient, own_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_client.headers.update(bearer(own_site.ana))
    for name in ("", "two\nlines"):
        assert reason(own_client.post(TOKENS, json={"name": name})) == "TITLE_INVALID"
    monkeypatch.setattr(tokens, "MOST_TOKENS", 1)
    assert reason(own_client.post(TOKENS, json={"name": "more"})) == "TOO_MANY_TOKENS"


def test_the_account_page_makes_and_revokes_tokens(own_client: TestClient, own_site: Site) -> None:
    assert own_client.get("/account", headers=BROWSER, follow_redirects=False).status_code == 303
    own_client.cookies.set("kibitz_token", own_site.ana)
    made = own_client.post("/account/tokens", data={"name": "<b>bot</b>"}, headers=BROWSER)
    text = re.search(r"<code>(kbz_\w+|[\w-]{20,})</code>", made.text)
    assert text is not None
    assert "&lt;b&gt;bot" in made.text
    assert text[1] not in own_client.get("/account", headers=BROWSER).text
    number = own_client.get(TOKENS, headers=bearer(text[1])).json()[1]["id"]
    done = own_client.post(
        f"/account/tokens/{number}/revoke", headers=BROWSER, follow_redirects=False
    )
    assert done.status_code == 303
    assert reason(own_client.get(TOKENS, headers=bearer(text[1]))) == "TOKEN_UNKNOWN"
    assert own_client.post("/account/tokens", data={"name": ""}, headers=BROWSER).status_code == 422
