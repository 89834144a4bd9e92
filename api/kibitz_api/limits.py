"""Rate limits for what costs much and needs no token: one bucket a client and kind of request."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request

from kibitz_api.errors import TooManyRequestsError

CLIENTS_REMEMBERED = 10_000


@dataclass(frozen=True)
class Rate:
    """So many requests at once, and so many a second after that."""

    burst: int
    per_second: float


REPLAYS = Rate(burst=120, per_second=10)
LOGINS = Rate(burst=10, per_second=0.2)
UPLOADS = Rate(burst=10, per_second=0.2)


class Limiter:
    """Token buckets in this process's memory; forgets the client longest unheard of first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def wait(self, kind: str, client: str, rate: Rate) -> float:
        """Take one request from the client's bucket.

        Returns:
            0.0 when there was one, else the seconds until there will be.
        """
        now = self._clock()
        key = (kind, client)
        left, seen = self._buckets.pop(key, (float(rate.burst), now))
        left = min(rate.burst, left + (now - seen) * rate.per_second)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        if len(self._buckets) > CLIENTS_REMEMBERED:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / rate.per_second

    def allows(self, request: Request, kind: str, rate: Rate) -> bool:
        """Whether the client may have something dear that it can do without for now."""
        return not self._seconds(request, kind, rate)

    def _seconds(self, request: Request, kind: str, rate: Rate) -> float:
        return self.wait(kind, request.client.host if request.client else "unknown", rate)

    def check(self, request: Request, kind: str, rate: Rate) -> None:
        """Raise TooManyRequestsError when the client asks for this kind too often."""
        seconds = self._seconds(request, kind, rate)
        if seconds:
            raise TooManyRequestsError(
                "TOO_MANY_REQUESTS",
                f"Too many requests for {kind}; the next one is free in {seconds:.0f} s.",
                headers={"Retry-After": str(max(1, round(seconds)))},
            )
