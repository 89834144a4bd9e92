"""The calendar of a league, across changes of clocks."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from kibitz_worker.errors import InvalidError
from kibitz_worker.leagues.dates import Calendar

ROME = ZoneInfo("Europe/Rome")


def rome(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=ROME)  # type: ignore[misc,arg-type]


def dates(cron: str, start: datetime, count: int = 3) -> list[datetime]:
    return Calendar(cron, "Europe/Rome").coming(start, count)


def test_dates_keep_the_time_on_the_wall_when_clocks_change() -> None:
    fridays = dates("0 18 * * fri", rome(2026, 3, 26))
    assert fridays == [rome(2026, 3, 27, 18), rome(2026, 4, 3, 18), rome(2026, 4, 10, 18)]
    assert [date.hour for date in fridays] == [17, 16, 16]
    assert {date.tzinfo for date in fridays} == {UTC}


def test_a_date_in_the_hour_that_spring_skips_is_held_when_the_hour_would_have_ended() -> None:
    found = dates("30 2 * * *", rome(2026, 3, 28, 12))
    assert found == [rome(2026, 3, 29, 3), rome(2026, 3, 30, 2, 30), rome(2026, 3, 31, 2, 30)]


def test_a_date_in_the_hour_that_autumn_repeats_is_held_once() -> None:
    found = dates("30 2 * * *", rome(2026, 10, 24, 12))
    assert found[0] == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert found[1:] == [rome(2026, 10, 26, 2, 30), rome(2026, 10, 27, 2, 30)]
    calendar = Calendar("30 2 * * *", "Europe/Rome")
    assert calendar.after(found[0]) == found[1]


@pytest.mark.parametrize("cron", ["0 18 * * fri", "15 * * * *", "30 2 * * *", "@monthly"])
def test_dates_come_in_order_and_one_after_the_other(cron: str) -> None:
    calendar = Calendar(cron, "America/New_York")
    start = datetime(2026, 10, 30, tzinfo=UTC)
    row = calendar.coming(start, 80)
    assert row == sorted(set(row))
    for date, following in pairwise(row):
        assert calendar.after(date) == following
    assert calendar.first(row[0]) == row[0]


def test_without_dates_seasons_follow_one_another() -> None:
    calendar = Calendar().checked()
    moment = rome(2026, 1, 1)
    assert calendar.after(moment) == calendar.first(moment) == moment
    assert calendar.coming(moment, 3) == []


@pytest.mark.parametrize(
    "cron",
    [
        *("", "x", "* * * *", "* * * * * *", "60 0 * * *", "R * * * *", "h h * * *", "@reboot"),
        *("@never", "0 0 * * *" + " " * 120, "\0 * * * *", "*/0 * * * *", "0 0 * * fri,"),
        "r(0-30) * * * *",
    ],
)
def test_what_is_no_cron_expression_is_refused(cron: str) -> None:
    with pytest.raises(InvalidError, match="cron expression") as caught:
        Calendar(cron).checked()
    assert caught.value.reason == "CRON_INVALID"


def test_a_day_that_never_comes_is_refused() -> None:
    with pytest.raises(InvalidError) as caught:
        Calendar("0 0 31 2 *").checked()
    assert caught.value.reason == "CRON_NEVER"
    assert Calendar("0 0 29 2 *").checked().coming(rome(2026, 1, 1), 1) == [
        datetime(2028, 2, 29, tzinfo=UTC)
    ]


@pytest.mark.parametrize(
    ("calendar", "reason"),
    [
        (Calendar(time_zone="Europe/Atlantis"), "TIME_ZONE_UNKNOWN"),
        (Calendar(time_zone="../etc/passwd"), "TIME_ZONE_UNKNOWN"),
        (Calendar(time_zone=""), "TIME_ZONE_UNKNOWN"),
        (Calendar(time_zone="localtime"), "TIME_ZONE_UNKNOWN"),
        (Calendar(time_zone="Factory"), "TIME_ZONE_UNKNOWN"),
        (Calendar(seasons=0), "SEASONS_INVALID"),
        (Calendar(late="never"), "LATE_INVALID"),
    ],
)
def test_what_is_wrong_with_a_calendar_is_said(calendar: Calendar, reason: str) -> None:
    with pytest.raises(InvalidError) as caught:
        calendar.checked()
    assert caught.value.reason == reason
