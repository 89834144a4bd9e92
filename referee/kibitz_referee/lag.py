"""How late the referee is: what it must not charge to bots."""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic

BEAT_S = 0.01
"""Time between two looks at the event loop."""

_KEPT = int(60 / BEAT_S)


class LagMeter:
    """Measures how late the event loop does what is due.

    While the loop is busy, what arrives waits: until the round of the loop is over in which it
    came, and then for its turn in the next one or two. ``credit`` is how late these rounds have
    been together, ``percentile`` what is published of single ones.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._due = monotonic() + BEAT_S
        self._last = 0.0
        self._before = 0.0
        self._late: deque[float] = deque(maxlen=_KEPT)
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to measure."""
        self._due = monotonic() + BEAT_S
        self._handle = self._loop.call_later(BEAT_S, self._beat)

    def stop(self) -> None:
        """Measure no longer."""
        if self._handle:
            self._handle.cancel()

    def credit(self, now: float) -> float:
        """Return how many seconds before ``now`` a message may have arrived that is read now."""
        late = now - self._due
        return self._last + self._before + (late if late > 0.0 else 0.0)

    def percentile(self, percent: float) -> float:
        """Return a percentile of the lag of the last minute, in seconds."""
        late = sorted(self._late)
        return late[min(len(late) - 1, int(len(late) * percent / 100))] if late else 0.0

    def _beat(self) -> None:
        now = monotonic()
        self._before, self._last = self._last, max(0.0, now - self._due)
        self._late.append(self._last)
        self._due = now + BEAT_S
        self._handle = self._loop.call_later(BEAT_S, self._beat)
