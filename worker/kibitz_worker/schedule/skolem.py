"""Pairs from Skolem and hooked Skolem sequences, which give cyclic triples without any search.

A sequence of order m puts the numbers 1 to 2m (hooked: 1 to 2m - 1 and 2m + 1) into pairs whose
differences are 1, 2, ..., m. Constructions: C. J. Colbourn and J. H. Dinitz, Handbook of
Combinatorial Designs, 2nd edition, VI.53.
"""

from __future__ import annotations

Pairs = list[tuple[int, int]]


def skolem_pairs(order: int) -> Pairs:
    """Return pairs of every difference from 1 to `order`; hooked when order is 2 or 3 modulo 4.

    Raises ValueError for an order below 6.
    """
    if order < 6:
        raise ValueError(f"a sequence of order {order} is too short; at least 6")
    rest = order % 4
    if rest == 0:
        return _even(order // 4)
    if rest == 1:
        return _odd(order // 4)
    if rest == 2:
        return _hooked_even(order // 4)
    return _hooked_odd((order + 1) // 4)


def _even(s: int) -> Pairs:
    return [
        *((4 * s + r - 1, 8 * s - r + 1) for r in range(1, 2 * s + 1)),
        *((r, 4 * s - r - 1) for r in range(1, s - 1)),
        *((s + r + 1, 3 * s - r) for r in range(1, s - 1)),
        (s - 1, 3 * s),
        (s, s + 1),
        (2 * s, 4 * s - 1),
        (2 * s + 1, 6 * s),
    ]


def _odd(s: int) -> Pairs:
    return [
        *((4 * s + r + 1, 8 * s - r + 3) for r in range(1, 2 * s + 1)),
        *((r, 4 * s - r + 1) for r in range(1, s + 1)),
        *((s + r + 2, 3 * s - r + 1) for r in range(1, s - 1)),
        (s + 1, s + 2),
        (2 * s + 1, 6 * s + 2),
        (2 * s + 2, 4 * s + 1),
    ]


def _hooked_even(s: int) -> Pairs:
    return [
        *((r, 4 * s - r + 2) for r in range(1, 2 * s + 1)),
        *((4 * s + r + 3, 8 * s - r + 4) for r in range(1, s)),
        *((5 * s + r + 2, 7 * s - r + 3) for r in range(1, s)),
        (2 * s + 1, 6 * s + 2),
        (4 * s + 2, 6 * s + 3),
        (4 * s + 3, 8 * s + 5),
        (7 * s + 3, 7 * s + 4),
    ]


def _hooked_odd(s: int) -> Pairs:
    return [
        *((4 * s + r, 8 * s - r - 2) for r in range(1, 2 * s - 1)),
        *((r, 4 * s - r - 1) for r in range(1, s - 1)),
        *((s + r + 1, 3 * s - r) for r in range(1, s - 1)),
        (s - 1, 3 * s),
        (s, s + 1),
        (2 * s, 4 * s - 1),
        (2 * s + 1, 6 * s - 1),
        (4 * s, 8 * s - 1),
    ]


def cyclic_triples(n: int) -> list[tuple[int, int, int]]:
    """Return base blocks of three among `n` (32 or more) whose distances are met once or twice.

    Differences i, m + a, m + b of a pair (a, b) with b - a = i close a triangle, and all of them
    together are 1, 2, ..., 3m but for the hook; folded at n / 2 nothing is met three times.
    """
    order = -(-(n - 1) // 6)
    if n % 6 == 0 and order % 4 in {2, 3}:
        order += 1  # the hook would fold onto its neighbour and leave n / 2 out
    return [(0, b - a, order + b) for a, b in skolem_pairs(order)]
