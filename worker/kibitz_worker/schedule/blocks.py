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
from collections.abc import Sequence
from functools import lru_cache

from kibitz_worker.schedule.skolem import cyclic_triples

CLOSED_FORM = 32
"""From so many on, tables of three come from a construction and not from a search."""

STEPS = 6_000
STEPS_PER_SEAT = 200
"""Moves of one search; a search that has not levelled by then starts anew."""

TRIES = 5
"""Searches before another base block is added."""

LOOSER = 12
"""A search that failed is followed by one for a twelfth more blocks, which are easier to level."""

CHOICE = 64
"""Numbers looked at for a seat of the first blocks."""

HOT = 0.8


def balanced_blocks(n: int, seats: int) -> list[tuple[int, ...]]:
    """Return tables of `seats` among `n` so that every two meet, equally often within one.

    Everybody sits at the same number of tables. Raises ValueError for n < seats or seats < 2.
    """
    return _develop(base_blocks(n, seats), n)


def fair_tables(n: int, seats: int, each: int) -> list[tuple[int, ...]]:
    """Return tables so that everybody sits at `each` of them or a few more, all equally often.

    Nobody meets anybody a second time before the whole field is through, as far as that can be.
    Raises ValueError as `balanced_blocks` does, and for `each` below 1.
    """
    if each < 1:
        raise ValueError(f"everybody must sit at a table or more, not at {each}")
    base = base_blocks(n, seats)
    chosen: list[Sequence[int]] = []
    sits = 0
    while sits < each:
        met: set[int] = set()
        left = list(base)
        while left and sits < each:
            best = min(left, key=lambda block: len(met & _distances(block, n)))
            left.remove(best)
            met |= _distances(best, n)
            chosen.append(best)
            sits += _orbit(best, n) * seats // n
    return _develop(chosen, n)


def _distances(block: Sequence[int], n: int) -> set[int]:
    return {min((a - b) % n, (b - a) % n) for a in block for b in block if a != b}


@lru_cache(64)
def base_blocks(n: int, seats: int) -> Sequence[Sequence[int]]:
    """Return blocks whose shifts modulo `n` are the tables of `balanced_blocks`.

    Raises ValueError as it does.
    """
    if seats < 2 or n < seats:
        raise ValueError(f"cannot seat tables of {seats} among {n}")
    if n == seats:
        return [range(n)]
    if seats == 2:
        return [(0, distance) for distance in range(1, n // 2 + 1)]
    if seats == 3 and n >= CLOSED_FORM:
        return cyclic_triples(n)
    count = math.ceil((n - 1) / (seats * (seats - 1)))
    while True:
        for attempt in range(TRIES):
            base = _Search(n, seats, count, f"{n}/{seats}/{count}/{attempt}").run()
            if base is not None:
                return base
        count += 1 + count // LOOSER


def _develop(base: Sequence[Sequence[int]], n: int) -> list[tuple[int, ...]]:
    return [
        tuple((b + shift) % n for b in block)
        for shift in range(n)
        for block in base
        if shift < _orbit(block, n)
    ]


def _orbit(block: Sequence[int], n: int) -> int:
    """After how many shifts a table that nobody searched for comes back to itself."""
    if len(block) == n:
        return 1
    return n // 2 if len(block) == 2 and 2 * abs(block[0] - block[1]) == n else n


class _Search:
    """Annealing on base blocks: the cost is how unevenly their distances are spread."""

    def __init__(self, n: int, seats: int, blocks: int, seed: str) -> None:
        self.n, self.seats = n, seats
        self.random = random.Random(seed)  # noqa: S311 - a search, not a secret
        self.met = [0] * (n // 2 + 1)
        self.rare = list(range(1, len(self.met)))
        self.blocks = [self._first_block() for _ in range(blocks)]

    def _first_block(self) -> list[int]:
        """Take of some random numbers the one whose distances were met least, seat by seat."""
        block = [self.random.randrange(self.n)]
        while len(block) < self.seats:
            free = [x for x in self.random.choices(range(self.n), k=CHOICE) if x not in block]
            if free:
                best = min(free, key=lambda x: sum(self.met[self._distance(x - b)] for b in block))
                for b in block:
                    self._count(best - b, 1)
                block.append(best)
        return block

    def _distance(self, difference: int) -> int:
        d = difference % self.n
        return min(d, self.n - d)

    def _count(self, difference: int, by: int) -> None:
        d = self._distance(difference)
        # Half-way round the circle there are only half as many pairs: each is met twice.
        self.met[d] += 2 * by if 2 * d == self.n else by

    def run(self) -> list[list[int]] | None:
        """Return level base blocks, or None when this search found none."""
        steps = STEPS + STEPS_PER_SEAT * len(self.blocks) * self.seats
        for step in range(steps):
            if step % 16 == 0 and self._level():
                return self.blocks
            self._move(temperature=HOT * (1 - step / steps) ** 2 + 0.05)
        return self.blocks if self._level() else None

    def _level(self) -> bool:
        """Look whether all distances are met equally often within one, and which are met least."""
        counts = self.met[1:]
        least = min(counts)
        self.rare = [d for d, count in enumerate(counts, 1) if count == least]
        return least >= 1 and max(counts) - least <= 1

    def _move(self, temperature: float) -> None:
        block = self.random.choice(self.blocks)
        place = self.random.randrange(self.seats)
        new = self._wish(block, place)
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

    def _wish(self, block: list[int], place: int) -> int:
        """Return a number that gives one of the rare distances to a neighbour, or any number."""
        if self.random.random() < 0.3:
            return self.random.randrange(self.n)
        other = block[place - 1]
        d = self.random.choice(self.rare)
        return (other + self.random.choice((d, -d))) % self.n

    def _cost(self, others: list[int], old: int, new: int) -> int:
        touched = set()
        for other in others:
            for one in (old, new):
                touched.add(self._distance(one - other))
        return sum(self.met[d] ** 2 for d in touched)

    def _replace(self, others: list[int], old: int, new: int) -> None:
        for other in others:
            self._count(old - other, -1)
            self._count(new - other, 1)
