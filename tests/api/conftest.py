"""An API over leagues that were really played, rated and stored as workers do it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from kibitz_api.app import bare_app, create_app, open_services
from kibitz_worker.live import Live
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.accounts import create_token, create_user, user_named

from tests.e2e.league import fill, small
from tests.postgres import BOTH, Postgres, text_of

BROWSER = {"accept": "text/html,application/xhtml+xml"}


@dataclass(frozen=True)
class Site:
    """A data folder with played leagues, and the tokens of two users."""

    settings: Settings
    tournaments: tuple[str, ...]
    ana: str
    ben: str

    @property
    def data(self) -> Path:
        return self.settings.data_dir

    @property
    def over(self) -> str:
        """A finished tournament of German Whist."""
        return self.tournaments[0]

    @property
    def unfinished(self) -> str:
        """A tournament of Whist with finished, void and waiting sets."""
        return self.tournaments[-1]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests on the databases that `--database` names."""
    if "database" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("database")
        kinds = BOTH if chosen == "both" else [chosen]
        metafunc.parametrize("database", kinds, indirect=True, scope="session")


@pytest.fixture(scope="session")
def database(request: pytest.FixtureRequest) -> str:
    """The kind of database: `sqlite` or `postgresql`."""
    return str(request.param)


def make_site(settings: Settings) -> Site:
    """Play the leagues into an empty installation."""
    with open_store(settings.database) as store:
        tournaments = tuple(fill(store, nobody(), small()))
        with store.write() as session:
            tokens = [
                create_token(session, user_named(session, n), "test")[1] for n in ("ana", "ben")
            ]
    return Site(settings, tournaments, *tokens)


def nobody() -> Live:
    """Live progress that nobody can listen to."""
    return Live(redis.Redis.from_url("unix:///nonexistent/redis.sock"))


@pytest.fixture(scope="session")
def site(
    database: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Leagues to read; tests that write use `own_site`."""
    folder = tmp_path_factory.mktemp("site")
    if database == "sqlite":
        yield make_site(load_settings(data_dir=folder))
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    with server.database() as url:
        yield make_site(load_settings(data_dir=folder, database_url=text_of(url)))


@pytest.fixture
def own_site(
    database: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    furnish: Callable[[Path], Path],
) -> Site:
    """An installation of one's own with users and bots, nothing played."""
    url = text_of(request.getfixturevalue("postgres_url")) if database == "postgresql" else None
    if url is None:
        furnish(tmp_path)
    settings = load_settings(data_dir=tmp_path, database_url=url)
    with open_store(settings.database) as store:
        fill(store, nobody(), [])
        with store.write() as session:
            create_user(session, "eve")
            tokens = [
                create_token(session, user_named(session, n), "test")[1] for n in ("ana", "ben")
            ]
    return Site(settings, (), *tokens)


@pytest.fixture(scope="session")
def app(site: Site) -> Iterator[FastAPI]:
    app = create_app(site.settings)
    yield app
    app.state.services.store.close()


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    """Somebody without a token."""
    return TestClient(app, raise_server_exceptions=False)


@pytest.fixture(scope="session")
def routes() -> FastAPI:
    """An app that is given services by each test: to put the routes together takes a while."""
    return bare_app()


@pytest.fixture
def own_client(own_site: Site, routes: FastAPI) -> Iterator[TestClient]:
    services = routes.state.services = open_services(own_site.settings)
    yield TestClient(routes, raise_server_exceptions=False)
    services.store.close()


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
