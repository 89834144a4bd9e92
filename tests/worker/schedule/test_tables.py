"""Who meets whom."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from kibitz_worker.schedule import balanced_blocks, fair_tables, plan_sets, round_robin
from kibitz_worker.schedule.skolem import skolem_pairs
from kibitz_worker.schedule.whist import whist_tables

FIELDS = [*range(5, 24), 26, 31, 37, 50, 64, 100]


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


def level(meetings: Counter[tuple[int, int]], entrants: int) -> bool:
    """Whether every two have met, equally often within one."""
    everybody = len(meetings) == entrants * (entrants - 1) // 2
    return everybody and max(meetings.values()) - min(meetings.values()) <= 1


def ordered(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_large_fields_meet_within_one_and_sit_in_every_seat_equally(players: int) -> None:
    for entrants in FIELDS:
        tables = balanced_blocks(entrants, players)
        meetings = Counter(p for table in tables for p in combinations(sorted(table), 2))
        assert level(meetings, entrants), entrants
        assert all(len(set(table)) == players for table in tables)
        seats = Counter((bot, seat) for table in tables for seat, bot in enumerate(table))
        sat = Counter(bot for table in tables for bot in table)
        assert len(set(sat.values())) == 1, entrants
        if players > 2:
            assert len(set(seats.values())) == 1, entrants


def test_a_thousand_bots_at_tables_of_three() -> None:
    tables = balanced_blocks(1000, 3)
    assert len(tables) == 167_000
    met = Counter(p for table in tables for p in combinations(sorted(table), 2))
    assert level(met, 1000)


@pytest.mark.parametrize("order", [6, 7, 8, 9, 50, 51, 52, 53])
def test_pairs_have_every_difference_and_every_number_once(order: int) -> None:
    pairs = skolem_pairs(order)
    assert sorted(b - a for a, b in pairs) == list(range(1, order + 1))
    hooked = order % 4 in {2, 3}
    last = 2 * order + 1 if hooked else 2 * order
    assert sorted(n for pair in pairs for n in pair) == [*range(1, 2 * order), last]


@pytest.mark.parametrize(("entrants", "players", "each"), [(10, 2, 3), (40, 3, 6), (30, 4, 9)])
def test_fair_tables_give_everybody_as_many(entrants: int, players: int, each: int) -> None:
    tables = fair_tables(entrants, players, each)
    sat = Counter(bot for table in tables for bot in table)
    assert len(set(sat.values())) == 1
    assert each <= min(sat.values()) < each + players
    met = Counter(p for table in tables for p in combinations(sorted(table), 2))
    assert max(met.values()) <= 2


@pytest.mark.parametrize("entrants", [4, 5, 7, 8, 13, 16, 19, 29, 37])
def test_everybody_is_everybodys_partner_and_opponent(entrants: int) -> None:
    tables = whist_tables(entrants)
    partners, opponents = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for a, b, c, d in tables:
        partners.update([ordered(a, c), ordered(b, d)])
        opponents.update([ordered(a, b), ordered(b, c), ordered(c, d), ordered(d, a)])
    assert level(partners, entrants)
    assert level(opponents, entrants)
    if entrants in {5, 13, 29, 37}:
        assert set(partners.values()) == {1}
        assert set(opponents.values()) == {2}


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
