"""Balanced tables of three or four among many, by cyclic development of base blocks.

A base block (b0, ..., bk-1) shifted by t = 0, ..., n-1 modulo n gives n tables in which everybody
sits equally often. How often two of them meet depends only on their distance round the circle, so
a few base blocks whose distances are level make the whole plan level (difference families;
Colbourn and Dinitz, Handbook of Combinatorial Designs, 2nd edition, VI.16). They are found by
annealing from a fixed seed.
"""

from __future__ import annotations

import math
import random
from itertools import combinations

STEPS = 60_000
"""Moves of one search; a search that has not levelled by then starts anew."""

TRIES = 6
"""Searches before another base block is added."""


def balanced_blocks(n: int, seats: int) -> list[tuple[int, ...]]:
    """Return tables of `seats` among `n` so that every two meet, equally often within one.

    Everybody sits at the same number of tables. Raises ValueError for n < seats or seats < 2.
    """
    if seats < 2 or n < seats:
        raise ValueError(f"cannot seat tables of {seats} among {n}")
    if n == seats:
        return [tuple(range(n))]
    count = math.ceil((n - 1) / (seats * (seats - 1)))
    while True:
        for attempt in range(TRIES):
            base = _Search(n, seats, count, f"{n}/{seats}/{count}/{attempt}").run()
            if base is not None:
                return _develop(base, n)
        count += 1


def _develop(base: list[list[int]], n: int) -> list[tuple[int, ...]]:
    return [tuple((b + shift) % n for b in block) for shift in range(n) for block in base]


class _Search:
    """Annealing on base blocks: the cost is how unevenly their distances are spread."""

    def __init__(self, n: int, seats: int, blocks: int, seed: str) -> None:
        self.n, self.seats = n, seats
        self.random = random.Random(seed)  # noqa: S311 - a search, not a secret
        self.blocks = [self.random.sample(range(n), seats) for _ in range(blocks)]
        self.met = [0] * (n // 2 + 1)
        for block in self.blocks:
            for a, b in combinations(block, 2):
                self._count(a - b, 1)

    def _count(self, difference: int, by: int) -> None:
        d = difference % self.n
        d = min(d, self.n - d)
        # Half-way round the circle there are only half as many pairs: each is met twice.
        self.met[d] += 2 * by if 2 * d == self.n else by

    def run(self) -> list[list[int]] | None:
        """Return level base blocks, or None when this search found none."""
        distances = range(1, len(self.met))
        for step in range(STEPS):
            if step % 16 == 0 and self._level(distances):
                return self.blocks
            self._move(temperature=2.0 * (1 - step / STEPS) ** 2 + 0.05)
        return self.blocks if self._level(distances) else None

    def _level(self, distances: range) -> bool:
        counts = [self.met[d] for d in distances]
        return min(counts) >= 1 and max(counts) - min(counts) <= 1

    def _move(self, temperature: float) -> None:
        block = self.random.choice(self.blocks)
        place = self.random.randrange(self.seats)
        new = self.random.randrange(self.n)
        if new in block:
            return
        old = block[place]
        others = [b for b in block if b != old]
        before = self._cost(others, old, new)
        self._replace(others, old, new)
        block[place] = new
        rise = self._cost(others, old, new) - before
        if rise > 0 and self.random.random() >= math.exp(-rise / temperature):
            self._replace(others, new, old)
            block[place] = old

    def _cost(self, others: list[int], old: int, new: int) -> int:
        touched = set()
        for other in others:
            for one in (old, new):
                d = (one - other) % self.n
                touched.add(min(d, self.n - d))
        return sum(self.met[d] ** 2 for d in touched)

    def _replace(self, others: list[int], old: int, new: int) -> None:
        for other in others:
            self._count(old - other, -1)
            self._count(new - other, 1)
