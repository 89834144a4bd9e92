"""Who can be compared with whom, and where zero is."""

import numpy as np

from kibitz_worker.ratings.results import Floats


def connected(wins: Floats) -> list[list[int]]:
    """Groups of players linked by games, directly or through others; the largest group first."""
    met = (wins + wins.T) > 0
    free = set(range(len(wins)))
    groups = []
    while free:
        group, fresh = set(), {min(free)}
        while fresh:
            group |= fresh
            fresh = set(np.flatnonzero(met[sorted(fresh)].any(axis=0)).tolist()) - group
        free -= group
        groups.append(sorted(group))
    return sorted(groups, key=lambda g: (-len(g), g))


def gauge(size: int, groups: list[list[int]], anchor: int | None) -> Floats:
    """Matrix that shifts each group so that its anchor, or failing that its mean, lies at 0."""
    shift = np.eye(size)
    for group in groups:
        reference = [anchor] if anchor in group else group
        for row in group:
            shift[row, reference] -= 1.0 / len(reference)
    return shift
