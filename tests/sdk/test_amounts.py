"""Numbers of things and lengths of time in words."""

import pytest
from kibitz.amounts import amount, duration
from kibitz.cli.console import interval


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (1, "set", "1 set"),
        (0, "set", "0 sets"),
        (2, "match", "2 matches"),
        (1, "match", "1 match"),
    ],
)
def test_one_is_told_apart_from_several(count: int, noun: str, words: str) -> None:
    assert amount(count, noun) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 second"),
        (38, "38 seconds"),
        (894, "15 minutes"),
        (9000, "2.5 hours"),
        (259200, "3.0 days"),
    ],
)
def test_a_time_is_told_in_the_unit_people_would_use(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_fixed_number_has_no_interval() -> None:
    assert interval(1500, 1500, 1500) == "1500"
    assert interval(1523, 1511, 1535) == "1523 ±12"
