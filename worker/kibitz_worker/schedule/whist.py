"""Whist tournaments: everybody is everybody's partner, and opponent twice as often.

For 4n + 1 players, 4n + 1 a prime number, a whist tournament Wh(4n + 1) is made from a primitive
root w: tables w^i, w^(i+n), w^(i+2n), w^(i+3n) for i < n, partners the first and third, shifted
round the circle; the shift sits out (I. Anderson, "Combinatorial Designs and Tournaments" (1997),
chapter 11). For other numbers base blocks are searched whose partners' and opponents' distances are
level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from random import Random

TRIES = 8
STEPS = 4_000


def whist_tables(players: int) -> list[tuple[int, int, int, int]]:
    """Return tables (first and third against second and fourth) for four players or more.

    Any two are partners equally often within one, and opponents equally often within one, and
    everybody sits at as many tables. Raises ValueError for fewer than four.
    """
    if players < 4:
        raise ValueError(f"cannot seat tables of 4 among {players}")
    if players == 4:
        return [(0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)]
    base = _by_root(players) if prime_design(players) else _by_search(players)
    return [
        (a, b, c, d)
        for shift in range(players)
        for a, b, c, d in [[(x + shift) % players for x in block] for block in base]
    ]


def prime_design(players: int) -> bool:
    """Tell whether a whist tournament of so many is made without a search."""
    return players % 4 == 1 and all(
        players % divisor for divisor in range(2, math.isqrt(players) + 1)
    )


def _by_root(players: int) -> list[Sequence[int]]:
    n = players // 4
    root = next(w for w in range(2, players) if len(_powers(w, players)) == players - 1)
    return [[pow(root, i + k * n, players) for k in range(4)] for i in range(n)]


def _powers(w: int, modulus: int) -> set[int]:
    found, power = set(), 1
    for _ in range(modulus - 1):
        power = power * w % modulus
        found.add(power)
    return found


@cache
def _by_search(players: int) -> list[Sequence[int]]:
    count = math.ceil((players - 1) / 4)
    while True:
        for attempt in range(TRIES):
            search = _Search(players, count, Random(f"{players}/{count}/{attempt}"))  # noqa: S311
            if search.run():
                return list(search.blocks)
        count += 1 + count // 12


class _Search:
    """Moves single players until partners' and opponents' distances are level."""

    def __init__(self, players: int, count: int, random: Random) -> None:
        self.players, self.random = players, random
        self.blocks = [random.sample(range(players), 4) for _ in range(count)]
        self.met = [[0] * players, [0] * players]  # by distance: partners, opponents
        self.least = [max(1, 4 * count // (players - 1)), max(1, 8 * count // (players - 1))]
        distances = range(1, players // 2 + 1)
        self.cost = sum(self._uneven(kind, 0) for kind in (0, 1) for _ in distances)
        for block in self.blocks:
            self._count(block, 1)

    def run(self) -> bool:
        """Search; True when the blocks are level."""
        steps = STEPS * len(self.blocks)
        for step in range(steps):
            if self.cost == 0:
                return True
            self._move(0.6 * (1 - step / steps) + 0.02)
        return self.cost == 0

    def _move(self, heat: float) -> None:
        block = self.random.choice(self.blocks)
        old, before = list(block), self.cost
        new = self.random.randrange(self.players)
        if new in block:
            return
        self._count(block, -1)
        if self.random.random() < 0.3:
            self.random.shuffle(block)
        else:
            block[self.random.randrange(4)] = new
        self._count(block, 1)
        rise = self.cost - before
        if rise > 0 and self.random.random() >= math.exp(-rise / heat):
            self._count(block, -1)
            block[:] = old
            self._count(block, 1)

    def _count(self, block: Sequence[int], by: int) -> None:
        a, b, c, d = block
        pairs = ((0, a - c), (0, b - d), (1, a - b), (1, b - c), (1, c - d), (1, d - a))
        for kind, difference in pairs:
            distance = min(difference % self.players, -difference % self.players)
            count = self.met[kind][distance]
            # Half-way round the circle there are only half as many pairs: each is met twice.
            after = count + (2 * by if 2 * distance == self.players else by)
            self.cost += self._uneven(kind, after) - self._uneven(kind, count)
            self.met[kind][distance] = after

    def _uneven(self, kind: int, count: int) -> int:
        """How far a count is from the least it should be, or one more."""
        least = self.least[kind]
        return max(0, least - count) + max(0, count - least - 1)
