"""The terms of a match: its clock, what follows a failure, and what is noted of failures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

ILLEGAL_ACTION = "ILLEGAL_ACTION"
TIMEOUT = "TIMEOUT"
STALL = "STALL"
CRASH = "CRASH"
DISCONNECT = "DISCONNECT"
RESIGN = "RESIGN"

INFRASTRUCTURE = "INFRASTRUCTURE"
"""No reason for a forfeit: a match that the platform failed has no result."""

STALLED_AFTER = 3
"""So many timeouts in a row are a stall, and a bot that stalls forfeits the match."""

DETAIL_LENGTH = 8_000
"""What is kept of a traceback: its last characters."""


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """How long a seat may think, in seconds; ``proto/kibitz/v1/table.proto`` says what is what."""

    bank: float = 300.0
    increment: float = 10.0
    cap: float = 10.0
    ready: float = 30.0
    tolerance: float = 0.05
    untimed: bool = False

    @property
    def start(self) -> float:
        """What the bank holds before the first deal."""
        return math.inf if self.untimed else self.bank


class OnFailure(Enum):
    """What happens when a seat fails to decide."""

    FORFEIT_DEAL = 1
    FORFEIT_MATCH = 2
    SUBSTITUTE = 3


@dataclass(frozen=True, slots=True)
class Policy:
    """How failures are dealt with; beyond ``max_penalties`` substitutes the match is forfeited."""

    on_failure: OnFailure = OnFailure.FORFEIT_DEAL
    max_penalties: int = 10


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure of a seat: why, and how much of which limit was used (seconds; 0 for no limit).

    ``said`` is what its bot says of its time (``Latency.last``).
    """

    seat: int
    reason: str
    detail: str = ""
    limit: float = 0.0
    used: float = 0.0
    lag: float = 0.0
    said: Mapping[str, int] = field(default_factory=dict)

    def milliseconds(self) -> dict[str, int]:
        """Return limit, used and lag as records hold them, and what the bot says if it does."""
        limit = 0.0 if math.isinf(self.limit) else self.limit
        return {
            "limit_ms": round(limit * 1000),
            "used_ms": round(self.used * 1000),
            "lag_ms": round(self.lag * 1000),
            **self.said,
        }


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A deal that was lost by a failure."""

    deal: int
    failure: Failure


@dataclass(frozen=True, slots=True)
class Penalty:
    """A decision that the referee took for a seat."""

    deal: int
    failure: Failure
    action: str
