"""When seasons begin: cron expressions in a time zone, across the changes of its clocks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from croniter import croniter
from croniter.croniter import CroniterError

from kibitz_worker.errors import InvalidError

LONGEST_CRON = 120
RANDOM = re.compile(r"\b[rh]\b", re.IGNORECASE)
EXAMPLE = "such as '0 18 * * fri' for Fridays at 18:00, or @weekly, @monthly"
LATES = ("wait", "close")
MOST_SEASONS = 10_000
NOWHERE = frozenset({"localtime", "Factory", "posixrules"})
"""Names of zones that mean another place on every machine, or none."""


@dataclass(frozen=True)
class Calendar:
    """When the seasons of a league begin, and how many there are (None: no end).

    Without `cron` each begins when the one before it is over. `late` says what becomes of a season
    that is not finished when the next is due: they ``wait`` for it, or ``close`` it.
    """

    cron: str | None = None
    time_zone: str = "UTC"
    seasons: int | None = None
    late: str = "wait"

    def checked(self) -> Calendar:
        """Return it when it can be.

        Raises InvalidError (CRON_INVALID, CRON_NEVER, TIME_ZONE_UNKNOWN, SEASONS_INVALID,
        LATE_INVALID).
        """
        check_time_zone(self.time_zone)
        if self.cron is not None:
            check_cron(self.cron, self.time_zone)
        if self.seasons is not None and not 1 <= self.seasons <= MOST_SEASONS:
            raise InvalidError(
                f"a league has 1 to {MOST_SEASONS} seasons, or no number for no end; not "
                f"{self.seasons}",
                reason="SEASONS_INVALID",
            )
        if self.late not in LATES:
            raise InvalidError(
                f"there is no {self.late[:40]!r} for late seasons; there are {', '.join(LATES)}",
                reason="LATE_INVALID",
            )
        return self

    def first(self, starts: datetime) -> datetime:
        """Return the first date at or after `starts`."""
        return starts if self.cron is None else self.after(starts - timedelta(seconds=1))

    def after(self, moment: datetime) -> datetime:
        """Return the first date after a moment; without `cron` it is the moment itself.

        An hour that clocks skip in spring is held when it ends, one that comes twice in autumn is
        held the first time.
        """
        return moment if self.cron is None else self.coming(moment, 1)[0]

    def coming(self, moment: datetime, count: int) -> list[datetime]:
        """Return the next dates after a moment, none without `cron`."""
        if self.cron is None:
            return []
        dates = croniter(self.cron, moment.astimezone(ZoneInfo(self.time_zone)))
        found: list[datetime] = []
        while len(found) < count:
            date: datetime = dates.get_next(datetime)
            if not date.fold:
                found.append(date.astimezone(UTC))
        return found


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) - NOWHERE


def check_time_zone(name: str) -> ZoneInfo:
    """Return the time zone of this name. Raises InvalidError (TIME_ZONE_UNKNOWN)."""
    if name not in _zones():
        raise InvalidError(
            f"there is no time zone {name[:64]!r}; write it like UTC or Europe/Rome",
            reason="TIME_ZONE_UNKNOWN",
        )
    return ZoneInfo(name)


def check_cron(cron: str, time_zone: str) -> None:
    """Refuse what is no cron expression of five fields, or has no date.

    Raises InvalidError (CRON_INVALID, CRON_NEVER).
    """
    fields = cron.split()
    alias = len(fields) == 1 and cron.startswith("@")
    if len(cron) > LONGEST_CRON or RANDOM.search(cron) or not (len(fields) == 5 or alias):
        raise InvalidError(
            f"{cron[:60]!r} is no cron expression of five fields (minute, hour, day of the month, "
            f"month, day of the week), {EXAMPLE}",
            reason="CRON_INVALID",
        )
    try:
        croniter(cron)
    except (CroniterError, ValueError) as error:
        why = str(error)[:200]
        raise InvalidError(
            f"{cron[:60]!r} is no cron expression: {why}; write one {EXAMPLE}",
            reason="CRON_INVALID",
        ) from error
    try:
        croniter(cron, datetime(2026, 1, 1, tzinfo=ZoneInfo(time_zone))).get_next(datetime)
    except (CroniterError, ValueError) as error:
        raise InvalidError(
            f"{cron[:60]!r} has no date: no such day comes in years", reason="CRON_NEVER"
        ) from error
