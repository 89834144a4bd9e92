"""Logging in: the cookie, and what it may not be used for."""

import pytest
from fastapi.testclient import TestClient
from kibitz_api.sessions.routes import local_path
from kibitz_worker.store import open_store
from kibitz_worker.store.accounts import revoke_token
from kibitz_worker.store.ids import sha256_hex
from kibitz_worker.store.models import Token
from sqlalchemy import select

from tests.api.conftest import BROWSER, Site, bearer, reason

FORM = {"game": "whist", "entrants": ["careful/1", "random/1"], "sets": "1", "action": "create"}


def log_in(client: TestClient, token: str) -> None:
    answer = client.post("/login", data={"token": token}, headers=BROWSER, follow_redirects=False)
    assert answer.status_code == 303


def test_the_address_with_the_token_logs_in_and_leaves_no_token_behind(
    own_client: TestClient, own_site: Site
) -> None:
    answer = own_client.get(
        "/login", params={"token": own_site.ana}, headers=BROWSER, follow_redirects=False
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert answer.headers["cache-control"] == "no-store"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    page = own_client.get("/", headers=BROWSER).text
    assert "ana" in page
    assert own_site.ana not in page


def test_a_wrong_token_is_refused_and_sets_nothing(own_client: TestClient) -> None:
    for token in ("kbz_wrong", "", "x" * 900):
        answer = own_client.post("/login", data={"token": token}, headers=BROWSER)
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
        assert "Nobody has this token" in answer.text


def test_logging_out_forgets_the_token(own_client: TestClient, own_site: Site) -> None:
    log_in(own_client, own_site.ana)
    assert own_client.get("/account", headers=BROWSER).status_code == 200
    own_client.post("/logout", headers=BROWSER)
    answer = own_client.get("/account", headers=BROWSER, follow_redirects=False)
    assert answer.headers["location"] == "/login?next=/account"


def test_a_revoked_token_ends_the_session_at_once(own_client: TestClient, own_site: Site) -> None:
    log_in(own_client, own_site.ana)
    with open_store(own_site.settings.database) as store, store.write() as session:
        query = select(Token.id).where(Token.sha256 == sha256_hex(own_site.ana))
        revoke_token(session, session.scalars(query).one())
    answer = own_client.post("/tournaments/new", data=FORM, headers=BROWSER)
    assert answer.status_code == 401
    answer = own_client.get("/api/v1/versions/1", headers=bearer(own_site.ana))
    assert (answer.status_code, reason(answer)) == (401, "TOKEN_UNKNOWN")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"referer": "https://evil.example/testserver"},
        {"sec-fetch-site": "cross-site", "origin": "http://testserver"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://testserver.evil.example"},
        {"origin": "http://testserver:81"},
        {"origin": "http://["},
        {"referer": "http://[::1/tournaments"},
        {"origin": "https://evil.example", "authorization": "Basic YW5hOnNlY3JldA=="},
    ],
)
def test_forms_of_other_sites_change_nothing(
    own_client: TestClient, own_site: Site, headers: dict[str, str]
) -> None:
    log_in(own_client, own_site.ana)
    for path in ("/tournaments/new", "/api/v1/tournaments", "/logout", "/login", "/submit"):
        answer = own_client.post(path, data=FORM, headers=headers)
        assert (answer.status_code, reason(answer)) == (403, "CROSS_SITE"), path
    assert own_client.get("/api/v1/tournaments").json()["total"] == 0


def test_forms_of_our_own_pages_are_taken(own_client: TestClient, own_site: Site) -> None:
    log_in(own_client, own_site.ana)
    headers = {"origin": "http://testserver", "sec-fetch-site": "same-origin"} | BROWSER
    own_client.post("/tournaments/new", data=FORM, headers=headers)
    assert own_client.get("/api/v1/tournaments").json()["total"] == 1


@pytest.mark.parametrize(
    ("given", "led_to"),
    [
        ("/submit", "/submit"),
        ("/bots?owner=ana", "/bots?owner=ana"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/a\r\nSet-Cookie: x", "/"),
        ("", "/"),
    ],
)
def test_logging_in_leads_to_paths_of_this_site_only(given: str, led_to: str) -> None:
    assert local_path(given) == led_to


def test_guessing_tokens_is_slowed_down(own_client: TestClient) -> None:
    codes = [own_client.post("/login", data={"token": f"kbz_{n}"}).status_code for n in range(12)]
    assert codes[:10] == [401] * 10
    assert codes[-1] == 429
    answer = own_client.post("/login", data={"token": "kbz_again"})
    assert reason(answer) == "TOO_MANY_REQUESTS"
    assert int(answer.headers["retry-after"]) >= 1


def test_a_program_may_ask_whose_token_it_has(own_client: TestClient, own_site: Site) -> None:
    assert own_client.get("/api/v1/account").json()["error"]["reason"] == "TOKEN_NEEDED"
    wrong = own_client.get("/api/v1/account", headers={"Authorization": "Bearer wrong"})
    assert (wrong.status_code, wrong.json()["error"]["reason"]) == (401, "TOKEN_UNKNOWN")
    told = own_client.get("/api/v1/account", headers={"Authorization": f"Bearer {own_site.ana}"})
    assert told.json() == {"name": "ana"}
