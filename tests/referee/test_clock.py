"""How time is charged."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kibitz_referee.clock import SeatClock, Stopwatch


def test_a_batch_of_64_answered_after_640_ms_costs_10_ms_each() -> None:
    watch = Stopwatch(100.0)
    watch.open = 64
    assert watch.run(100.64) == pytest.approx(0.01)


def test_one_decision_alone_is_charged_what_passed() -> None:
    watch = Stopwatch(0.0)
    watch.run(50.0)  # nothing is open: nothing is charged
    opened = watch.reading
    watch.open = 1
    assert watch.run(50.25) - opened == pytest.approx(0.25)


def test_time_that_was_credited_is_not_charged_twice_or_lost() -> None:
    watch = Stopwatch(0.0)
    watch.open = 1
    assert watch.run(1.0 - 0.2) == pytest.approx(0.8)
    assert watch.run(0.5) == pytest.approx(0.8)  # the past is over
    assert watch.run(1.0) == pytest.approx(1.0)


@given(st.lists(st.tuples(st.floats(0, 10), st.integers(-3, 3)), max_size=60))
def test_all_charges_together_are_the_time_that_passed(
    steps: list[tuple[float, int]],
) -> None:
    watch, now, busy, charged = Stopwatch(0.0), 0.0, 0.0, 0.0
    opened: list[float] = []
    for passed, change in steps:
        now += passed
        busy += passed if opened else 0.0
        reading = watch.run(now)
        for _ in range(min(-change, len(opened))):
            charged += reading - opened.pop(0)
        opened += [reading] * max(change, 0)
        watch.open = len(opened)
    charged += sum(watch.run(now) - one for one in opened)
    assert charged == pytest.approx(busy, abs=1e-6)


@given(st.floats(0, 1e6), st.lists(st.floats(0, 1e6)))
def test_a_bank_never_falls_below_nothing(bank: float, charges: list[float]) -> None:
    clock = SeatClock(bank, 1.0, 5.0)
    for charge in charges:
        clock.charge(charge)
        assert clock.bank >= 0.0
        assert clock.left_ms >= 0
        assert 0.0 <= clock.limit <= 5.0


def test_the_limit_is_the_lesser_of_cap_and_bank() -> None:
    clock = SeatClock(8.0, 2.0, 5.0)
    assert clock.limit == 5.0
    clock.charge(5.5)
    assert clock.limit == pytest.approx(2.5)
    clock.next_deal()
    assert clock.limit == pytest.approx(4.5)


def test_without_a_clock_nothing_runs_out() -> None:
    clock = SeatClock(math.inf, 0.0, math.inf)
    clock.charge(1e9)
    assert math.isinf(clock.limit)
    assert clock.left_ms == 0
