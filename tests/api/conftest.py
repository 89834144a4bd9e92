"""An API over leagues that were really played, rated and stored as workers do it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from kibitz_api.app import create_app
from kibitz_worker.live import Live
from kibitz_worker.settings import load_settings
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.accounts import create_token, create_user, user_named

from tests.e2e.league import fill, small

BROWSER = {"accept": "text/html,application/xhtml+xml"}


@dataclass(frozen=True)
class Site:
    """A data folder with played leagues, and the tokens of two users."""

    data: Path
    tournaments: tuple[str, ...]
    ana: str
    ben: str

    @property
    def over(self) -> str:
        """A finished tournament of German Whist."""
        return self.tournaments[0]

    @property
    def unfinished(self) -> str:
        """A tournament of Whist with finished, void and waiting sets."""
        return self.tournaments[-1]


def make_site(data: Path) -> Site:
    """Play the leagues into a new data folder."""
    with open_store(data) as store:
        tournaments = tuple(fill(store, nobody(), small()))
        with store.write() as session:
            tokens = [
                create_token(session, user_named(session, n), "test")[1] for n in ("ana", "ben")
            ]
    return Site(data, tournaments, *tokens)


def nobody() -> Live:
    """Live progress that nobody can listen to."""
    return Live(redis.Redis.from_url("unix:///nonexistent/redis.sock"))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Leagues to read; tests that write use `own_site`."""
    return make_site(tmp_path_factory.mktemp("site"))


@pytest.fixture
def own_site(tmp_path: Path) -> Site:
    """An installation of one's own with users and bots, nothing played."""
    with open_store(tmp_path) as store:
        fill(store, nobody(), [])
        with store.write() as session:
            create_user(session, "eve")
            tokens = [
                create_token(session, user_named(session, n), "test")[1] for n in ("ana", "ben")
            ]
    return Site(tmp_path, (), *tokens)


@pytest.fixture(scope="session")
def app(site: Site) -> Iterator[FastAPI]:
    app = create_app(load_settings(data_dir=site.data))
    yield app
    app.state.services.store.close()


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    """Somebody without a token."""
    return TestClient(app, raise_server_exceptions=False)


@pytest.fixture
def own_client(own_site: Site) -> Iterator[TestClient]:
    app = create_app(load_settings(data_dir=own_site.data))
    yield TestClient(app, raise_server_exceptions=False)
    app.state.services.store.close()


@pytest.fixture
def store(app: FastAPI) -> Store:
    """The store that the app reads."""
    found: Store = app.state.services.store
    return found


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def reason(answer: object) -> str:
    """The machine-readable reason of a refusal."""
    body = answer.json()  # type: ignore[attr-defined]
    assert set(body) == {"error"}
    assert body["error"]["message"]
    return str(body["error"]["reason"])
