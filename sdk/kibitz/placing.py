"""Totals and returns that several games have in common."""

from collections.abc import Sequence

Scores = tuple[float, ...]


def sums(results: Sequence[Scores], seats: int) -> Scores:
    """Return each seat's total over some deals."""
    return tuple(map(sum, zip(*results, strict=True)))[:seats] if results else (0,) * seats


def against_all(totals: Scores) -> Scores:
    """Return n times each total less the sum of all: zero-sum, and whole if the totals are."""
    return tuple(len(totals) * total - sum(totals) for total in totals)


def by_place(totals: Scores) -> Scores:
    """Return a zero-sum result by placing: k sharing the top of n get n - k each, the rest -k."""
    first = [total == max(totals) for total in totals]
    k = sum(first)
    return tuple(len(totals) - k if top else -k for top in first)


def target_reached(results: Sequence[Scores], seats: int, goal: tuple[str, int], most: int) -> bool:
    """Return whether a match of ``deals:N``, or to ``target:N`` in ``most`` deals, is over."""
    kind, n = goal
    if kind == "deals":
        return len(results) >= n
    return len(results) >= most or max(sums(results, seats)) >= n


def target_returns(results: Sequence[Scores], seats: int, goal: tuple[str, int]) -> Scores:
    """Return the result of such a match: against all for its totals, to a target by placing."""
    totals = sums(results, seats)
    return by_place(totals) if goal[0] == "target" else against_all(totals)
