"""A referee that has played for long holds no more than one that has just warmed up."""

from __future__ import annotations

import pytest

from tests.referee.parties import BotProcess, Referee, set_of
from tests.referee.rogue import resident_kb

AT_ONCE = 500
ROUNDS = 48
"""24,000 tables: what a referee plays in an hour for bots that take 20 ms over a batch of turns."""

WARM = 12


@pytest.mark.campaign
def test_memory_is_flat_over_an_hours_worth_of_tables(referee: Referee) -> None:
    referee.admit("a", "b", max_tables=AT_ONCE)
    seatings = [("a", "b"), ("b", "a")] * (AT_ONCE // 2)
    held = []
    with BotProcess(referee, "a"), BotProcess(referee, "b"):
        for number in range(ROUNDS):
            request = set_of("german_whist", *seatings, seed=str(number), end="hands:2")
            played = referee.run(request)
            assert len(played.matches) == AT_ONCE
            held.append(resident_kb(referee.process.pid))
    print(f"{ROUNDS * AT_ONCE} tables; resident kB {held}")
    assert max(held[WARM:]) < 1.05 * max(held[:WARM])
