"""The app: what serves the dashboard and the JSON API."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, Depends, FastAPI
from kibitz_worker.settings import Settings, load_settings, socket_path
from kibitz_worker.store import open_store
from starlette.middleware.gzip import GZipMiddleware

from kibitz_api import assets, docs, error_handlers, home
from kibitz_api.body_limit import BodyLimit
from kibitz_api.bots import routes as bots
from kibitz_api.context import Services, asker
from kibitz_api.error_handlers import ErrorAnswer
from kibitz_api.games import routes as games
from kibitz_api.health import routes as health
from kibitz_api.leaderboards import routes as leaderboards
from kibitz_api.leagues import forms as league_forms
from kibitz_api.leagues import routes as leagues
from kibitz_api.live import routes as live
from kibitz_api.live.hub import Hub
from kibitz_api.matches import routes as matches
from kibitz_api.security import SecurityHeaders
from kibitz_api.sessions import routes as sessions
from kibitz_api.sessions import tokens
from kibitz_api.static_files import CachedStaticFiles
from kibitz_api.submissions import routes as submissions
from kibitz_api.tournaments import archives, exports, ladders
from kibitz_api.tournaments import forms as tournament_forms
from kibitz_api.tournaments import routes as tournaments
from kibitz_api.versions import routes as versions

API = (
    leaderboards,
    archives,
    exports,
    ladders,
    tournaments,
    leagues,
    bots,
    versions,
    submissions,
    matches,
    games,
    live,
    sessions,
    tokens,
)
PAGES = (
    home,
    leaderboards,
    ladders,
    tournament_forms,
    tournaments,
    league_forms,
    leagues,
    bots,
    versions,
    matches,
    games,
    live,
    submissions,
    sessions,
    tokens,
    health,
    docs,
)
FAILURES: dict[int | str, dict[str, Any]] = {
    code: {"model": ErrorAnswer} for code in (401, 403, 404, 409, 413, 422, 429, 503)
}


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Follow the live stream while the app runs, and let everything go at its end."""
    found: Services = app.state.services
    found.hub.start()
    try:
        yield
    finally:
        await found.hub.stop()
        found.store.close()


def create_app(settings: Settings | None = None) -> FastAPI:
    """Make the app over the store and the Redis that the settings name.

    Raises kibitz_worker.errors.StoreError when the database cannot be opened. A Redis that is
    missing or down only takes the live updates away.
    """
    services = open_services(settings or load_settings())
    app = bare_app()
    app.state.services = services
    return app


def open_services(settings: Settings) -> Services:
    """Open what the app answers from. Raises StoreError as `create_app` does."""
    redis_url = settings.redis_url or f"unix://{socket_path(settings.data_dir, 'valkey.sock')}"
    return Services(
        settings=settings,
        store=open_store(settings.database),
        redis_url=redis_url,
        hub=Hub(redis_url),
        assets=assets.find(),
    )


def bare_app() -> FastAPI:
    """Make the app with all its routes; it answers once it has services as its state."""
    app = FastAPI(
        title="Kibitz",
        summary="Leagues of bots that play trick-taking card games.",
        version=version("kibitz-server"),
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    error_handlers.install(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(BodyLimit)
    app.add_middleware(SecurityHeaders)
    _include(app)
    app.mount("/static", CachedStaticFiles(directory=assets.STATIC), name="static")
    return app


def _include(app: FastAPI) -> None:
    api = APIRouter(prefix="/api/v1", responses=FAILURES)
    for subject in API:
        api.include_router(subject.api)
    app.include_router(api)
    app.include_router(health.probes)
    for pages in PAGES:
        app.include_router(pages.pages, include_in_schema=False, dependencies=[Depends(asker)])
