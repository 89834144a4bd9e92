"""The time that bots are charged. Nothing here looks at a clock: the time is passed in.

A bot at many tables works on all its open decisions at once, as far as the referee can see. So the
time that passes is shared out equally among the decisions open at a bot: answering 64 at
once after 640 ms costs 10 ms each, and all charges together never come to more than the time that
passed. ``Stopwatch.reading`` is the share of one decision that has been open all along; what a
decision is charged is the difference of two readings.
"""

from __future__ import annotations

import math

FOREVER = math.inf


class Stopwatch:
    """Shares the time of one bot out among its open decisions; ``busy`` is all that was shared."""

    __slots__ = ("at", "busy", "open", "reading")

    def __init__(self, now: float) -> None:
        self.at = now
        self.open = 0
        self.reading = 0.0
        self.busy = 0.0

    def run(self, until: float) -> float:
        """Let the time up to ``until`` pass, if it has not yet; return the reading."""
        passed = until - self.at
        if passed > 0.0:
            self.at = until
            if self.open:
                self.busy += passed
                self.reading += passed / self.open
        return self.reading


class SeatClock:
    """What one seat has left; it never falls below 0.

    ``missed`` counts the decisions in a row that it let pass.
    """

    __slots__ = ("bank", "cap", "increment", "missed", "tolerance")

    def __init__(self, bank: float, increment: float, cap: float, tolerance: float = 0.0) -> None:
        self.bank = bank
        self.increment = increment
        self.cap = cap
        self.tolerance = tolerance
        self.missed = 0

    @property
    def limit(self) -> float:
        """How long the next decision may take."""
        bank, cap = self.bank, self.cap
        return bank if bank < cap else cap

    @property
    def due(self) -> float:
        """What may be charged for the next decision before it counts as late."""
        return self.limit + self.tolerance

    @property
    def left_ms(self) -> int:
        """What the bank holds, in whole milliseconds; 0 without a clock."""
        bank = self.bank
        return int(bank * 1000) if bank < FOREVER else 0

    def next_deal(self) -> None:
        """Add the increment."""
        self.bank += self.increment

    def charge(self, used: float) -> None:
        """Take what a decision has used."""
        left = self.bank - used
        self.bank = left if left > 0.0 else 0.0
