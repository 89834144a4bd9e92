"""The way between a bot and a referee, which can be cut, slowed down, or half open."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType


class Wire:
    """Carries bytes from a port of this machine to a referee's socket; a context manager."""

    def __init__(self, to: Path) -> None:
        self._to = to
        self._loop = asyncio.new_event_loop()
        self._links: set[_Link] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="wire")
        self._delay = 0.0
        self._refuses = False
        self.address = ""

    def __enter__(self) -> Wire:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._serve(), self._loop).result(10)
        host, port = self._server.sockets[0].getsockname()[:2]
        self.address = f"{host}:{port}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def cut(self) -> None:
        """Break all connections under way: both ends are told."""
        self._all(_Link.break_off)

    def half_open(self) -> None:
        """Carry nothing more on the connections under way: neither end is told."""
        self._all(_Link.fall_silent)

    def refuse(self, refuses: bool) -> None:
        """Let no new connection through, or let them through again."""
        self._refuses = refuses

    def slow_down(self, seconds: float) -> None:
        """Let everything arrive so much later from now on."""
        self._delay = seconds

    def _all(self, happens: Callable[[_Link], None]) -> None:
        def now() -> None:
            for link in self._links:
                happens(link)

        self._loop.call_soon_threadsafe(now)

    async def _serve(self) -> asyncio.Server:
        return await asyncio.start_server(self._carry, "127.0.0.1", 0)

    async def _carry(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        try:
            if self._refuses:
                raise ConnectionRefusedError
            far, out = await asyncio.open_unix_connection(self._to)
        except OSError:  # there is no referee just now
            back.transport.abort()
            return
        link = _Link(back, out)
        self._links.add(link)
        ways = [self._pump(link, near, out), self._pump(link, far, back)]
        link.tasks = [asyncio.ensure_future(way) for way in ways]
        await asyncio.wait(link.tasks, return_when=asyncio.FIRST_COMPLETED)
        link.break_off()
        self._links.discard(link)

    async def _pump(
        self, link: _Link, source: asyncio.StreamReader, to: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if self._delay:
                    await asyncio.sleep(self._delay)
                if link.silent:
                    await asyncio.Future()  # for ever
                to.write(data)
                await to.drain()
        if link.silent:
            await asyncio.Future()

    async def _close(self) -> None:
        self._server.close()
        for link in tuple(self._links):
            link.break_off()
        await asyncio.sleep(0)


class _Link:
    """One connection through the wire."""

    def __init__(self, *ends: asyncio.StreamWriter) -> None:
        self._ends = ends
        self.silent = False
        self.tasks: list[asyncio.Future[None]] = []

    def fall_silent(self) -> None:
        self.silent = True

    def break_off(self) -> None:
        for task in self.tasks:
            task.cancel()
        for end in self._ends:
            end.transport.abort()
