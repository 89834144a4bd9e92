"""A real server over leagues that were really played, and a real browser that looks at it."""

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
import uvicorn
from kibitz_api.app import create_app
from kibitz_api.assets import STATIC
from kibitz_worker.live import Live
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import Match, Tournament, TournamentState
from kibitz_worker.valkey import open_queue_server
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from sqlalchemy import select

from tests.e2e.league import fill, small

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(frozen=True)
class Site:
    """A running server: its address and what there is to look at."""

    url: str
    store: Store
    live: Live
    tournaments: dict[str, str]
    matches: dict[str, str]
    unfinished: str
    forfeited: str


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if not (STATIC / "app" / "app.js").is_file():
        pytest.fail("the front end is not built: python hatch_build.py")
    settings = load_settings(data_dir=tmp_path_factory.mktemp("data"))
    with open_queue_server(settings) as queue, queue.connect() as redis:
        store, live = open_store(settings.database), Live(redis)
        fill(store, live, small())
        with serving(settings) as url:
            yield survey(store, live, url)
        store.close()


@contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """The app on a free port, in a thread of this process."""
    config = uvicorn.Config(create_app(settings), log_level="warning", ws="none", lifespan="on")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        wait_until(lambda: server.started)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)


def wait_until(true: Callable[[], bool], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "the server did not start"
        time.sleep(0.02)


def survey(store: Store, live: Live, url: str) -> Site:
    """Look up one tournament and one finished match of each game."""
    with store.read() as session:
        tournaments = list(session.scalars(select(Tournament)))
        over = {t.game: t.id for t in tournaments if t.state is TournamentState.FINISHED}
        matches = {
            match.set.tournament.game: match.id
            for match in session.scalars(select(Match).order_by(Match.id.desc()))
            if match.set.tournament_id in over.values() and not match.forfeits
        }
        forfeited = next(match.id for match in session.scalars(select(Match)) if match.forfeits)
        unfinished = next(t.id for t in tournaments if t.state is TournamentState.RUNNING)
    return Site(url, store, live, over, matches, unfinished, forfeited)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = os.environ.get("KIBITZ_TEST_BROWSER") or next(
        filter(None, map(shutil.which, BROWSERS)), None
    )
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium on PATH")
        pytest.skip("no Chromium on PATH; KIBITZ_TEST_BROWSER may name one")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Visit:
    """One visitor's browser window; `errors` is what its console complained of."""

    page: Page
    context: BrowserContext
    site: Site
    errors: list[str]

    def open(self, path: str) -> Page:
        self.page.goto(self.site.url + path)
        return self.page


Visitor = Callable[..., Visit]


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visitor]:
    """Open a window: `visit(width=390, dark=True, script=False)`."""
    contexts: list[BrowserContext] = []
    visits: list[Visit] = []

    def open_window(*, width: int = 1280, dark: bool = False, script: bool = True) -> Visit:
        context = browser.new_context(
            viewport={"width": width, "height": 844},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            has_touch=width < 500,
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        made = Visit(page, context, site, [])
        page.on("pageerror", lambda error: made.errors.append(str(error)))
        page.on(
            "console",
            lambda message: made.errors.append(message.text) if message.type == "error" else None,
        )
        visits.append(made)
        return made

    yield open_window
    for context in contexts:
        context.close()
    assert [error for made in visits for error in made.errors] == []
