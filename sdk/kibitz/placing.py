"""Totals and returns that several games have in common."""

from collections.abc import Sequence

Scores = tuple[float, ...]


def sums(results: Sequence[Scores], seats: int) -> Scores:
    """Return each seat's total over some deals."""
    return tuple(sum(scores[seat] for scores in results) for seat in range(seats))


def against_all(totals: Scores) -> Scores:
    """Return n times each total less the sum of all: zero-sum, and whole if the totals are."""
    return tuple(len(totals) * total - sum(totals) for total in totals)


def by_place(totals: Scores) -> Scores:
    """Return a zero-sum result by placing: k sharing the top of n get n - k each, the rest -k."""
    first = [total == max(totals) for total in totals]
    k = sum(first)
    return tuple(len(totals) - k if top else -k for top in first)
