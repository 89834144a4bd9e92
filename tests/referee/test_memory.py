"""A referee that has played for long holds no more than one that has just warmed up."""

from __future__ import annotations

import pytest
from kibitz.v1 import table_pb2

from tests.referee.parties import BotProcess, Played, Referee, set_of
from tests.referee.rogue import resident_kb

AT_ONCE = 250
ROUNDS = 96
"""24,000 tables: an hour in which about seven come to their end in every second."""

WARM = 24
CALM = table_pb2.Clock(bank_ms=600_000, cap_ms=300_000, ready_ms=200_000)


@pytest.mark.campaign
def test_memory_is_flat_over_an_hours_worth_of_tables(referee: Referee) -> None:
    referee.admit("a", "b", max_tables=AT_ONCE)
    seatings = [("a", "b"), ("b", "a")] * (AT_ONCE // 2)
    held = []
    with BotProcess(referee, "a"), BotProcess(referee, "b"):
        for number in range(ROUNDS):
            request = set_of("german_whist", *seatings, seed=str(number), clock=CALM, end="hands:2")
            played = Played(referee.stub.RunSet(request, timeout=600))
            assert len(played.matches) == AT_ONCE
            held.append(resident_kb(referee.process.pid))
    print(f"{ROUNDS * AT_ONCE} tables; resident kB {held}")
    assert max(held[WARM:]) < 1.05 * max(held[:WARM])
