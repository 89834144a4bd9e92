"""Headers that every answer carries, and limits that hold by client."""

import re

from fastapi.testclient import TestClient
from kibitz_api.limits import CLIENTS_REMEMBERED, Limiter, Rate

from tests.api.conftest import BROWSER


def test_every_answer_carries_the_security_headers(client: TestClient) -> None:
    for path in ("/", "/api/v1/bots", "/nothing", "/static/kibitz.css", "/healthz", "/docs"):
        headers = client.get(path, headers=BROWSER).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy, path
        assert re.search(r"script-src 'self' 'nonce-[\w-]{20,}'(;|$)", policy), path
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


def test_the_nonce_is_new_each_time(client: TestClient) -> None:
    policies = {client.get("/").headers["content-security-policy"] for _ in range(5)}
    assert len(policies) == 5


def test_static_files_are_kept_only_under_addresses_of_their_content(client: TestClient) -> None:
    page = client.get("/", headers=BROWSER).text
    style = re.findall(r'href="(/static/[^"]+\.css\?v=[^"]+)"', page)[0]
    assert "immutable" in client.get(style).headers["cache-control"]
    assert client.get(style.split("?")[0]).headers["cache-control"] == "no-cache"
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/static/%2e%2e/app.py").status_code == 404


def test_large_answers_are_compressed(client: TestClient) -> None:
    answer = client.get("/openapi.json", headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"


def test_a_client_waits_once_its_bucket_is_empty() -> None:
    now = 0.0
    limiter = Limiter(clock=lambda: now)
    rate = Rate(burst=3, per_second=0.5)
    assert [limiter.wait("x", "a", rate) for _ in range(3)] == [0, 0, 0]
    assert limiter.wait("x", "a", rate) == 2.0
    assert limiter.wait("x", "b", rate) == 0
    assert limiter.wait("y", "a", rate) == 0
    now = 2.0
    assert limiter.wait("x", "a", rate) == 0
    assert limiter.wait("x", "a", rate) > 0


def test_the_limiter_forgets_clients_instead_of_growing() -> None:
    limiter = Limiter(clock=lambda: 0.0)
    rate = Rate(burst=1, per_second=1)
    for client in range(CLIENTS_REMEMBERED + 10):
        limiter.wait("x", str(client), rate)
    assert len(limiter._buckets) == CLIENTS_REMEMBERED
    assert limiter.wait("x", "0", rate) == 0
