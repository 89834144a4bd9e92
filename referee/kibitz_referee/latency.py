"""What is lost on the way between the referee and a bot: what was measured, less what the bot says.

A bot may say with its answers how long it worked on them. Nobody is charged by that: it tells the
author of a bot that was late whether the bot was slow or the way to it. What it says is a claim,
and counts for as much as was measured at most.
"""

from __future__ import annotations

LONGEST_US = (1 << 36) - 1
"""Longer times, from 19 hours on, count as this one."""


class Spread:
    """How times are distributed, in microseconds; each is known to a sixteenth, and it never grows.

    Attributes:
        count: how many times there are.
    """

    __slots__ = ("_buckets", "count")

    def __init__(self) -> None:
        self._buckets = [0] * (_bucket(LONGEST_US) + 1)
        self.count = 0

    def add(self, us: int) -> None:
        """Add a time, which must not be negative."""
        self._buckets[_bucket(us if us < LONGEST_US else LONGEST_US)] += 1
        self.count += 1

    def percentile(self, percent: float) -> int:
        """Return a percentile in microseconds, 0 if there is nothing yet."""
        left = self.count * percent / 100
        for bucket, count in enumerate(self._buckets):
            left -= count
            if count and left <= 0:
                return _middle(bucket)
        return 0


class Latency:
    """What one connection of a bot says of its answers, and what was measured of the same ones.

    Attributes:
        measured: how many microseconds the bot was at work on its last answers.
        said: how many of these it says it was; ``None`` if it never said.
        spread: the differences.
    """

    __slots__ = ("_busy", "_lost", "measured", "said", "spread")

    def __init__(self, busy: float) -> None:
        self._busy = busy
        self._lost = 0
        self.measured = 0
        self.said: int | None = None
        self.spread = Spread()

    def since(self, busy: float) -> int:
        """Return the microseconds since the last answers during which a decision was open.

        ``busy`` is what the bot's stopwatch says of all its decisions.
        """
        passed = int((busy - self._busy) * 1e6)
        return passed if passed > 0 else 0

    def answered(self, busy: float) -> None:
        """Note that answers came."""
        self.measured = self.since(busy)
        self._busy = busy

    def report(self, took_us: int) -> int:
        """Take what the bot says of the answers that came last; return what was lost on the way."""
        measured = self.measured
        self.said = took_us if took_us < measured else measured
        self._lost = lost = measured - self.said
        self.spread.add(lost)
        return lost

    @property
    def last(self) -> dict[str, int]:
        """The last report as evidence has it, in milliseconds; empty if there was none."""
        if self.said is None:
            return {}
        return {"said_ms": round(self.said / 1000), "latency_ms": round(self._lost / 1000)}


def _bucket(us: int) -> int:
    if us < 8:
        return us
    bits = us.bit_length()
    return (bits - 4) * 8 + (us >> (bits - 4))


def _middle(bucket: int) -> int:
    if bucket < 16:
        return bucket
    shift = bucket // 8 - 1
    return (2 * (bucket % 8 + 8) + 1 << shift) // 2
