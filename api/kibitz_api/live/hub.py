"""One reader of the live stream for the whole process, and the viewers it feeds.

Viewers never read Redis one by one: at some hundred viewers that stalls. A viewer that does not
keep up is let go; its browser comes back with the id of the last event it saw and is given what
it missed out of the stream itself.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import structlog
from kibitz_worker.live import STREAM
from kibitz_worker.relay import TABLES, WATCHED, WATCHED_S
from redis.asyncio import Redis
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

BACKLOG = 500
VIEWERS_MAX = 1000
WAITING_MAX = 256
BLOCK_MS = 5_000
RETRY_S = (0.5, 1, 2, 5)


@dataclass(frozen=True)
class LiveEvent:
    """One entry of the stream: its id resumes a broken connection."""

    id: str
    fields: dict[str, str]
    stream: str = STREAM

    @property
    def tournament(self) -> str | None:
        return self.fields.get("tournament")


@dataclass(eq=False)
class Viewer:
    """A connection that is being fed. None in the queue ends it."""

    stream: str = STREAM
    queue: asyncio.Queue[LiveEvent | None] = field(
        default_factory=lambda: asyncio.Queue(WAITING_MAX)
    )

    def put(self, event: LiveEvent | None) -> bool:
        """Hand over an event; False when the viewer is too slow."""
        try:
            self.queue.put_nowait(event)
        except asyncio.QueueFull:
            return False
        return True

    def end(self) -> None:
        while not self.put(None):
            self.queue.get_nowait()


class Hub:
    """Pumps the stream of one Redis into any number of viewers."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(url, decode_responses=True, socket_timeout=BLOCK_MS / 1000 + 5)
        self._viewers: set[Viewer] = set()
        self._pump: asyncio.Task[None] | None = None
        self._closed = False
        self._note_due = 0.0
        self.connected = False

    @property
    def viewers(self) -> int:
        return len(self._viewers)

    @property
    def full(self) -> bool:
        return self.viewers >= VIEWERS_MAX or self._closed

    def start(self) -> None:
        """Begin to read; needs a running event loop."""
        self._closed = False
        if self._pump is None:
            self._pump = asyncio.create_task(self._run(), name="live pump")

    def end_viewers(self) -> None:
        """Let all viewers go, so that a server that stops need not wait for them."""
        self._closed = True
        for viewer in self._viewers:
            viewer.end()

    async def stop(self) -> None:
        self.end_viewers()
        if self._pump is not None:
            self._pump.cancel()
            with suppress(asyncio.CancelledError):
                await self._pump
            self._pump = None
        await self._redis.aclose()

    @asynccontextmanager
    async def viewing(self, stream: str = STREAM) -> AsyncIterator[Viewer]:
        viewer = Viewer(stream)
        self._viewers.add(viewer)
        if stream == TABLES:
            await self._note_watching()
        try:
            yield viewer
        finally:
            self._viewers.discard(viewer)

    async def missed(self, after: str, stream: str = STREAM) -> list[LiveEvent]:
        """The newest events after the one with this id, oldest first; none while Redis is down."""
        try:
            entries = _entries(
                await self._redis.xrevrange(stream, max="+", min=f"({after}", count=BACKLOG),
                stream,
            )
        except (RedisError, OSError):
            return []
        return entries[::-1]

    async def recent(self, within_ms: int, stream: str) -> tuple[str, list[LiveEvent]]:
        """The events of the last so many milliseconds, and the id after which they begin.

        Ids hold the time by the clock of Redis, which may be another than ours.
        """
        try:
            seconds, micros = await self._redis.time()
        except (RedisError, OSError):
            return "0-0", []
        since = f"{seconds * 1000 + micros // 1000 - within_ms}-0"
        return since, await self.missed(since, stream)

    async def _run(self) -> None:
        last: dict[str, str] = {}
        failures = 0
        while True:
            try:
                last = await self._read(last)
                failures = 0
            except (RedisError, OSError) as error:
                if failures == 0:
                    log.warning("no live updates: Redis does not answer", error=str(error))
                self.connected = False
                await asyncio.sleep(RETRY_S[min(failures, len(RETRY_S) - 1)])
                failures += 1

    async def _read(self, last: dict[str, str]) -> dict[str, str]:
        """Wait for the next events, hand them on, and return the id of the last one by stream."""
        for stream in (STREAM, TABLES):
            if stream not in last:
                newest = _entries(await self._redis.xrevrange(stream, count=1), stream)
                last[stream] = newest[0].id if newest else "0-0"
        self.connected = True
        if any(viewer.stream == TABLES for viewer in self._viewers):
            await self._note_watching()
        after: dict[Any, Any] = {**last}
        answer: Any = await self._redis.xread(after, block=BLOCK_MS, count=100)
        streams = answer.items() if isinstance(answer, dict) else answer or ()
        for stream, entries in streams:
            for event in _entries(entries, stream):
                last[stream] = event.id
                self._tell(event)
        return last

    async def _note_watching(self) -> None:
        """Let the workers know that somebody looks at tables, at most every few seconds."""
        now = asyncio.get_running_loop().time()
        if now >= self._note_due:
            self._note_due = now + WATCHED_S / 4
            with suppress(RedisError, OSError):
                await self._redis.set(WATCHED, 1, ex=WATCHED_S)

    def _tell(self, event: LiveEvent) -> None:
        for viewer in list(self._viewers):
            if viewer.stream == event.stream and not viewer.put(event):
                self._viewers.discard(viewer)
                viewer.end()


# The client's types are those of all its protocols and settings at once, so they say little.
def _entries(answer: Any, stream: str) -> list[LiveEvent]:
    return [LiveEvent(str(key), dict(fields), stream) for key, fields in answer or ()]
