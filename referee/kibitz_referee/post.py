"""When what is due to bots goes out, and how that is done without a task for each bot."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz_referee.outbox import Outbox


@coroutine
def rest() -> Generator[None]:
    """Wait in a :class:`Driven` coroutine until it is resumed."""
    yield


class Driven:
    """A coroutine that is run by whoever resumes it, and goes on by itself from what it awaits.

    A task would be woken in the next round of the loop and need a future for each rest: a system
    call and a wake-up more for each message. The coroutine must raise nothing.
    """

    __slots__ = ("_coroutine", "_resting")

    def __init__(self, coroutine: Coroutine[asyncio.Future[Any] | None, None, None]) -> None:
        self._coroutine = coroutine
        self._resting = True

    def resume(self) -> None:
        """Run the coroutine until it waits again, if it rests or has not begun."""
        if self._resting:
            self._resting = False
            self._step()

    def _step(self, _done: object = None) -> None:
        try:
            awaited = self._coroutine.send(None)
        except StopIteration:
            return
        if awaited is None:
            self._resting = True
        else:
            awaited.add_done_callback(self._step)


class Post:
    """Sends what is due: at the end of the loop's round, as more may come up until then.

    Where nothing can, it goes out as soon as the message that brought it has been taken in.

    Attributes:
        held: whether a message is being taken in.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._due: list[Outbox] = []
        self._called = False
        self.held = False

    def add(self, outbox: Outbox) -> None:
        """Have an outbox sent."""
        self._due.append(outbox)
        if not self.held:
            self._call()

    def taken_in(self) -> None:
        """Send what is due after a message that was taken in."""
        self.held = False
        if self._due:
            due, self._due = self._due, []
            for outbox in due:
                if outbox.complete:
                    outbox.send()
                else:
                    self._due.append(outbox)
            if self._due:
                self._call()

    def _call(self) -> None:
        if not self._called:
            self._called = True
            self._loop.call_soon(self._send)

    def _send(self) -> None:
        self._called = False
        due, self._due = self._due, []
        for outbox in due:
            outbox.send()
