"""Keeps the parts of a server running, and stops them together."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from kibitz_api.server import orphans
from kibitz_api.server.errors import NotInstalledError, PartFailedError
from kibitz_api.server.part import Part

LOOK_S = 0.1
GRACE_S = 15.0
"""How long parts may take to finish what they are at before they are killed."""
HOPELESS = 6
"""A part that dies this often in a row and never ran is not tried again: that would hide the
reason."""


class Supervisor:
    """Starts parts in order, starts again what dies, stops in the opposite order."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.parts: list[Part] = []
        self._say = say
        self._stop = threading.Event()

    @property
    def stopping(self) -> bool:
        """Whether a signal or `ask_to_stop` has asked for the end."""
        return self._stop.is_set()

    def ask_to_stop(self) -> None:
        """End `run` soon."""
        self._stop.set()

    def add(self, part: Part) -> None:
        """Start a part and look after it from now on."""
        part.start()
        self.parts.append(part)

    def run(self, each_look: Callable[[], None] = lambda: None) -> None:
        """Look after the parts until asked to stop, calling `each_look` several times a second.

        Raises PartFailedError when a part keeps dying, NotInstalledError when it lacks a package.
        """
        while not self.stopping:
            self.look()
            each_look()
            self._stop.wait(LOOK_S)

    def wait_for(self, ready: Callable[[], bool], part: Part, within_s: float) -> bool:
        """Look after the parts until `ready` says yes; False when asked to stop before that.

        Raises PartFailedError when the part keeps dying or is not ready in time.
        """
        until = time.monotonic() + within_s
        while not self.stopping:
            self.look()
            if ready():
                return True
            if time.monotonic() > until:
                raise PartFailedError(part.name, "is not ready", part.log, part.last_lines())
            self._stop.wait(LOOK_S)
        return False

    def look(self) -> None:
        """Note what has died and start again what is due."""
        now = time.monotonic()
        for part in self.parts:
            if part.running:
                continue
            if part.process is not None:
                self._note_death(part, now)
            elif now >= part.due:
                part.start()
        orphans.reap({part.pid for part in self.parts if part.pid is not None})

    def _note_death(self, part: Part, now: float) -> None:
        how = part.died(now)
        if package := part.missing():
            raise NotInstalledError(package)
        if part.deaths >= HOPELESS and not part.proven:
            raise PartFailedError(part.name, how, part.log, part.last_lines())
        wait = part.due - now
        self._say(f"The {part.name} {how}; starting it again in {wait:.1f} s (log: {part.log}).")

    def stop(self) -> None:
        """Stop all parts, last one first; kill what does not end in time and what is left."""
        self._stop.clear()  # a second signal from here on cuts the grace short
        until = time.monotonic() + GRACE_S
        for part in reversed(self.parts):
            part.ask_to_stop()
            while part.running and time.monotonic() < until and not self.stopping:
                self._stop.wait(LOOK_S)
            part.kill()

    @contextmanager
    def in_charge(self) -> Iterator[None]:
        """Own the process's signals and orphans while the block runs; then stop everything.

        SIGINT, SIGTERM and SIGHUP ask for the end. Every child of this process is ended with the
        block, so that nothing a part has started outlives the server.
        """

        def ask(_number: int, _frame: FrameType | None) -> None:
            self._stop.set()

        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = [signal.signal(number, ask) for number in numbers]
        orphans.adopt()
        try:
            yield
        finally:
            self.stop()
            orphans.end_all()
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)
