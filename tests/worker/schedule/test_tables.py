"""Who meets whom."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from kibitz_worker.schedule import balanced_blocks, plan_sets, round_robin


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 8, 9, 30])
def test_two_at_a_table_meet_once_each(entrants: int) -> None:
    tables = round_robin(entrants, 2)
    assert sorted(tables) == list(combinations(range(entrants), 2))


def test_two_at_a_table_play_in_rounds() -> None:
    tables = round_robin(6, 2)
    for start in range(0, len(tables), 3):
        seated = [player for table in tables[start : start + 3] for player in table]
        assert sorted(seated) == list(range(6))


@pytest.mark.parametrize(("entrants", "players"), [(3, 3), (6, 3), (10, 3), (4, 4), (9, 4)])
def test_small_fields_meet_in_every_company(entrants: int, players: int) -> None:
    assert round_robin(entrants, players) == list(combinations(range(entrants), players))


@pytest.mark.parametrize(
    ("entrants", "players"), [(13, 3), (20, 3), (31, 3), (50, 3), (13, 4), (20, 4), (37, 4)]
)
def test_large_fields_meet_within_one(entrants: int, players: int) -> None:
    tables = balanced_blocks(entrants, players)
    meetings = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert len(meetings) == entrants * (entrants - 1) // 2
    assert max(meetings.values()) - min(meetings.values()) <= 1
    seats = Counter(player for table in tables for player in table)
    assert len(set(seats.values())) == 1
    assert all(len(set(table)) == players for table in tables)


def test_the_plan_is_the_same_every_time() -> None:
    assert balanced_blocks(25, 3) == balanced_blocks(25, 3)


@pytest.mark.parametrize(("entrants", "players"), [(1, 2), (2, 3), (0, 2), (3, 1)])
def test_tables_that_cannot_be_filled_are_refused(entrants: int, players: int) -> None:
    with pytest.raises(ValueError, match="cannot seat"):
        round_robin(entrants, players)


def test_every_table_plays_once_before_any_plays_again() -> None:
    plan = plan_sets([(0, 1), (0, 2), (1, 2)], 2)
    assert [planned.number for planned in plan] == list(range(6))
    assert [planned.pairing for planned in plan] == [0, 1, 2, 0, 1, 2]
    assert [planned.repeat for planned in plan] == [0, 0, 0, 1, 1, 1]
