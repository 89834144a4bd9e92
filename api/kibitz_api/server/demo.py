"""`kibitz-server demo`: a whole server, sample bots, and a small league in each game."""

import os
import sys
import time
import webbrowser
from collections.abc import Callable

from kibitz.cli.failures import CommandError
from kibitz.cli.server import Server
from kibitz_worker.settings import Settings

from kibitz_api.server import leagues
from kibitz_api.server.errors import ServerError
from kibitz_api.server.installation import Installation
from kibitz_api.server.leagues import League
from kibitz_api.server.owner import how_to_log_in, token
from kibitz_api.server.progress import Display, sets, table

ASK_S = 0.5
ADMISSION_S = 60.0
"""How long the sample bot's leagues wait for it to be admitted."""
PATIENCE_S = 20.0
"""How long the server may be silent before the demo says so and ends."""


def run(settings: Settings, *, end: bool, browser: bool) -> None:
    """Run until Ctrl-C or SIGTERM, or with `end` until the leagues are complete.

    Raises ServerError or WorkerError when the server cannot run, ServerError too when a league
    was not played to its end.
    """
    display = Display()
    server = Installation(settings, display.say, move=True)
    demo = Demo(server, display, end=end, browser=browser)
    display.say(f"Starting the Kibitz demo on {settings.data_dir} ...")
    try:
        server.run(demo.begin)
    finally:
        display.close()
    demo.check()
    display.say("Stopped.")


class Demo:
    """What the demo does beside the server: it is called with every look of the supervisor."""

    def __init__(self, server: Installation, display: Display, *, end: bool, browser: bool) -> None:
        self.leagues = leagues.plan()
        self._server, self._display = server, display
        self._end, self._browser = end, browser
        self._next = self._answered = 0.0
        self._sample: int | None = None
        self._sample_until = 0.0
        self._sample_label: str | None = None
        self._entered = self._told = False

    def begin(self) -> Callable[[], None]:
        """Say where the dashboard is; return what is to be called again and again."""
        settings, say = self._server.settings, self._display.say
        say(f"\nWatch the leagues at\n\n  {self._server.url}\n")
        say(how_to_log_in(self._server.url, settings.data_dir))
        say("Ctrl-C stops the demo.\n")
        if self._browser and has_display():
            webbrowser.open(self._server.url)
        self._answered = time.monotonic()
        return self.look

    def look(self) -> None:
        """Take the next step when it is due."""
        now = time.monotonic()
        if now < self._next or self._told:
            return
        self._next = now + ASK_S
        try:
            with Server(self._server.url, token=token(self._server.settings.data_dir)) as server:
                self._step(server)
        except CommandError as error:
            silent = error.reason in {"SERVER_SILENT", "SERVER_UNREACHABLE"}
            if not silent or now - self._answered > PATIENCE_S:
                raise ServerError(f"The demo cannot go on: {error}") from error
        else:
            self._answered = now

    def check(self) -> None:
        """Raise ServerError unless every league was played to its end (where that was asked)."""
        lost = [league for league in self.leagues if league.void or league.state == "cancelled"]
        if self._end and self._told and lost:
            names = ", ".join(f"{league.title} ({sets(league.void)} void)" for league in lost)
            raise ServerError(f"Not all of the demo was played: {names}.")

    def _step(self, server: Server) -> None:
        if not self._entered:
            self._enter(server)
        for league in self.leagues:
            if league.id and not league.over:
                leagues.follow(server, league)
        self._display.show(self.leagues)
        if self._entered and all(league.over for league in self.leagues):
            self._conclude()

    def _enter(self, server: Server) -> None:
        """Start the leagues, the sample bot's when it has been admitted or cannot be."""
        if not leagues.house_is_in(server):
            return
        if self._sample is None and self._sample_until == 0.0:
            leagues.unfinished(server, self.leagues)
            self._sample_until = time.monotonic() + ADMISSION_S
            self._submit(server)
        waiting = self._sample_waits(server)
        for league in [league for league in self.leagues if not league.id]:
            if not (waiting and league.with_sample):
                self._start(server, league)
        self._entered = all(league.id for league in self.leagues)

    def _start(self, server: Server, league: League) -> None:
        sample = [self._sample_label] if league.with_sample and self._sample_label else []
        try:
            twin = [leagues.TWIN] if league.with_twin else []
            leagues.start(server, league, [*leagues.HOUSE, *twin, *sample])
        except CommandError as error:
            if error.reason != "TOO_FEW_ENTRANTS":
                raise
            self._display.say(f"{league.title} is left out: {error}")
            self.leagues.remove(league)

    def _submit(self, server: Server) -> None:
        try:
            games = [league.game for league in self.leagues if league.with_sample]
            self._sample = leagues.submit_sample(server, games)
        except CommandError as error:
            self._display.say(f"The sample bot stays out: {error}")

    def _sample_waits(self, server: Server) -> bool:
        """Whether the sample bot's admission is still open."""
        if self._sample is None or self._sample_label is not None:
            return False
        version = leagues.admission(server, self._sample)
        if version["state"] == "admitted":
            self._sample_label = str(version["label"])
            self._display.say(f"{self._sample_label} was submitted and admitted.")
        elif version["state"] != "pending" or time.monotonic() > self._sample_until:
            self._display.say(f"The sample bot stays out: {version.get('reason') or 'no answer'}")
            self._sample = None
        else:
            return True
        return False

    def _conclude(self) -> None:
        self._told = True
        self._display.close()
        for league in self.leagues:
            self._display.say(f"\n{table(league)}")
        if self._end:
            self._server.supervisor.ask_to_stop()
        else:
            self._display.say(
                f"\nThe leagues are complete. The dashboard stays at {self._server.url}"
            )


def has_display() -> bool:
    """Whether there is a screen on which a browser can open."""
    return sys.platform == "darwin" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
