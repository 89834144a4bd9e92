"""A real server over leagues that were really played, and a real browser that looks at it."""

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn
from kibitz_api.app import create_app
from kibitz_api.assets import STATIC
from kibitz_worker.settings import load_settings
from kibitz_worker.store import open_store
from kibitz_worker.store.models import Match, MatchState, Tournament, TournamentState
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
    tournaments: dict[str, str]
    matches: dict[str, str]
    unfinished: str
    forfeited: str


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if not (STATIC / "app" / "app.js").is_file():
        pytest.fail("the front end is not built: python hatch_build.py")
    data = tmp_path_factory.mktemp("data")
    store = open_store(str(data))
    fill(store, small())
    store.close()
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(load_settings(data_dir=data)),
            log_level="warning",
            ws="none",
            lifespan="on",
        )
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        wait_until(lambda: server.started)
        try:
            yield survey(data, f"http://127.0.0.1:{listener.getsockname()[1]}")
        finally:
            server.should_exit = True
            thread.join(10)


def wait_until(true: Callable[[], bool], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "the server did not start"
        time.sleep(0.02)


def survey(data: Path, url: str) -> Site:
    """Look up one tournament and one finished match of each game."""
    store = open_store(str(data))
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
        assert session.scalar(select(Match.state)) is MatchState.DONE
    store.close()
    return Site(url, over, matches, unfinished, forfeited)


@pytest.fixture(scope="session")
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
