"""Seating tables of people who are about equally good and have not met yet, by local search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

AGAIN = 1_000.0
"""What a second meeting costs, where a difference of one point costs one."""

STEPS_PER_TABLE = 300
NEAR = 4
"""How many tables up or down the standings a swap reaches, save when it is to end a repetition."""

Met = Mapping[tuple[int, int], int]


def seat(
    order: Sequence[int], players: int, level: Mapping[int, float], met: Met, random: Random
) -> list[tuple[int, ...]]:
    """Return tables of `players`, in order of strength, out of all of `order` (the best first).

    `level` are points, `met` counts earlier meetings of pairs (lower number first). The length of
    `order` must be a multiple of `players`.
    """
    tables = [list(order[start : start + players]) for start in range(0, len(order), players)]
    costs = [_cost(table, level, met) for table in tables]
    for _ in range(STEPS_PER_TABLE * len(tables)):
        one = _worst(costs, random)
        other = _neighbour(one, len(tables), costs[one] >= AGAIN, random)
        if one != other:
            _swap(tables, costs, (one, other), level, met, random)
        if not any(costs):
            break
    return [tuple(table) for table in tables]


def _worst(costs: Sequence[float], random: Random) -> int:
    """Choose a table with a repetition while there is one, else any."""
    again = [number for number, cost in enumerate(costs) if cost >= AGAIN]
    return random.choice(again) if again else random.randrange(len(costs))


def _neighbour(one: int, tables: int, far: bool, random: Random) -> int:
    if far and random.random() < 0.5:
        return random.randrange(tables)
    return min(tables - 1, max(0, one + random.randint(-NEAR, NEAR)))


def _swap(
    tables: list[list[int]],
    costs: list[float],
    chosen: tuple[int, int],
    level: Mapping[int, float],
    met: Met,
    random: Random,
) -> None:
    """Let two people change tables if that is better, or as good, or now and then if it is not."""
    one, other = chosen
    a, b = random.randrange(len(tables[one])), random.randrange(len(tables[other]))
    before = costs[one] + costs[other]
    _change(tables, one, a, other, b)
    after = _cost(tables[one], level, met), _cost(tables[other], level, met)
    sidestep = before >= AGAIN and sum(after) < 2 * before and random.random() < 0.05
    if sum(after) <= before or sidestep:
        costs[one], costs[other] = after
    else:
        _change(tables, one, a, other, b)


def _change(tables: list[list[int]], one: int, a: int, other: int, b: int) -> None:
    tables[one][a], tables[other][b] = tables[other][b], tables[one][a]


def _cost(table: Sequence[int], level: Mapping[int, float], met: Met) -> float:
    return sum(
        AGAIN * met.get((min(a, b), max(a, b)), 0) ** 2 + (level[a] - level[b]) ** 2
        for a, b in combinations(table, 2)
    )
