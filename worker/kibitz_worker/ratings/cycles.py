"""Is there anybody whom a weaker player beats? Cycles that luck does not explain.

Directions of pairs count as proven when Holm's procedure over all pairs rejects "no difference in
margin": then with 95 % certainty not one of them is wrong, and so no cycle made of them is. S.
Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics
6 (1979). One number cannot describe players who beat one another in a circle.
"""

from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.crosstable import Crosstable
from kibitz_worker.ratings.results import Bools, Floats

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Cycle:
    """Each of the three beats the next, the last the first; `margins` in points a deal."""

    players: tuple[str, str, str]
    margins: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Cycles:
    """How many cycles of three are proven, the clearest of them, and how many pairs are proven."""

    count: int
    clearest: tuple[Cycle, ...]
    proven_pairs: int
    pairs: int


def _proven(p_values: Floats) -> Bools:
    """Holm: the k-th smallest of m p-values is rejected while it is at most level / (m - k + 1)."""
    chances = np.where(np.isnan(p_values), 1.0, p_values)
    order = np.argsort(chances, kind="stable")
    limits = LEVEL / np.arange(len(chances), 0, -1.0)
    failed = np.flatnonzero(chances[order] > limits)
    proven = np.zeros(len(chances), dtype=np.bool_)
    proven[order[: failed[0] if len(failed) else len(order)]] = True
    return proven


def find_cycles(table: Crosstable, most: int = 20) -> Cycles:
    """Cycles of three players whose directions are all proven; the `most` clearest are listed.

    Where proven directions make a longer cycle and all pairs in it are proven, they make one of
    three as well.
    """
    proven = _proven(table.p_value) & (table.margin != 0.0)
    margins = np.zeros((len(table.names), len(table.names)))
    one, two, margin = table.one[proven], table.two[proven], table.margin[proven]
    margins[one, two], margins[two, one] = margin, -margin
    beats = np.maximum(margins, 0.0)
    graph = (beats > 0.0).astype(np.float64)
    count = round(float(np.sum((graph @ graph) * graph.T)) / 3.0)
    found = _clearest(beats, most) if count else []
    return Cycles(
        count=count,
        clearest=tuple(_cycle(table.names, beats, each) for each in found),
        proven_pairs=int(proven.sum()),
        pairs=len(table.one),
    )


def _clearest(beats: Floats, most: int) -> list[tuple[int, int, int]]:
    """Cycles by the smallest of their three margins, the largest first."""
    found: list[tuple[float, tuple[int, int, int]]] = []
    for a in range(len(beats)):
        after, before = beats[a, a:], beats[a:, a]
        weakest = np.minimum(np.minimum(after[:, None], beats[a:, a:]), before[None, :])
        last = min(most, weakest.size - 1)
        for flat in np.argpartition(-weakest, last, axis=None)[: last + 1]:
            b, c = divmod(int(flat), len(after))
            if weakest[b, c] > 0.0:
                found.append((float(weakest[b, c]), (a, a + b, a + c)))
    found.sort(key=lambda item: (-item[0], item[1]))
    return [players for _, players in found[:most]]


def _cycle(names: tuple[str, ...], beats: Floats, players: tuple[int, int, int]) -> Cycle:
    a, b, c = players
    margins = (float(beats[a, b]), float(beats[b, c]), float(beats[c, a]))
    return Cycle((names[a], names[b], names[c]), margins)
