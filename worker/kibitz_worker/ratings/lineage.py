"""A new version of a bot starts from its parent, with widened uncertainty.

What is believed of a version before its first set is the parent's strength, give or take `CHANGE`
elo (the standard deviation of what a revision may change). Its own sets and this belief are then
combined by their precisions, the update of R. E. Kalman, Journal of Basic Engineering 82 (1960),
with the covariance of P. D. Joseph's form (any gain K: (1 - K) own error + K (parent's error +
change)). After some dozens of sets the belief has no weight left. The parent, and everybody else,
stays as fitted: a child cannot move its parent.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.results import Bools, Floats

CHANGE = 150.0


@dataclass(frozen=True, slots=True)
class Line:
    """Elos and their covariance with the parents' part in them; `heirs` marks who has one.

    The first players are those that have played, in their order; `names` goes on with versions
    that have not played yet.
    """

    names: tuple[str, ...]
    elo: Floats
    covariance: Floats
    heirs: Bools
    pools: list[list[int]]


def _expected(names: tuple[str, ...], parents: Mapping[str, str]) -> tuple[str, ...]:
    """Versions without a set whose line leads to somebody who has played, parents first."""
    known = [*names]
    for child in sorted(parents):
        line = [child]
        while line[-1] not in known and parents.get(line[-1], line[0]) not in line:
            line.append(parents[line[-1]])
        if line[-1] in known:
            known += reversed(line[:-1])
    return tuple(known[len(names) :])


def inherit(
    names: tuple[str, ...],
    elo: Floats,
    covariance: Floats,
    pools: Sequence[Sequence[int]],
    parents: Mapping[str, str],
    anchor: str,
) -> Line:
    """Combine each version with what its parent lets expect; the anchor stays where it is.

    `parents` names the parent of a version; versions of different pools are left as they are.
    """
    fresh = _expected(names, parents)
    every, played = (*names, *fresh), len(names)
    size = len(every)
    place = {name: n for n, name in enumerate(every)}
    groups = [[*pool] for pool in pools]
    home = {player: number for number, pool in enumerate(groups) for player in pool}
    levels, errors = np.zeros(size), np.zeros((size, size))
    levels[:played], errors[:played, :played] = elo, covariance
    heirs = np.zeros(size, dtype=np.bool_)
    done: set[int] = {place[anchor]} if anchor in place else set()

    def take(child: int) -> None:
        """Parents first; a child without sets takes all from its parent."""
        if child in done or every[child] not in parents:
            return
        done.add(child)
        parent = place.get(parents[every[child]])
        if parent is None:
            return
        take(parent)
        if child >= played:
            groups[home[parent]].append(child)
            home[child] = home[parent]
        if home[child] == home[parent]:
            heirs[child] = True
            _update(levels, errors, child, parent, unplayed=child >= played)

    for number in range(size):
        take(number)
    return Line(every, levels, errors, heirs, groups)


def _update(levels: Floats, errors: Floats, child: int, parent: int, *, unplayed: bool) -> None:
    """Move a child towards its parent by the gain, and its covariances with everybody."""
    gap = errors[child, child] + errors[parent, parent] - 2.0 * errors[child, parent]
    gain = 1.0
    if not unplayed:
        gain = (errors[child, child] - errors[child, parent]) / (gap + CHANGE**2)
        gain = min(1.0, max(0.0, gain))
    levels[child] += gain * (levels[parent] - levels[child])
    row = (1.0 - gain) * errors[child] + gain * errors[parent]
    own = (1.0 - gain) * row[child] + gain * row[parent] + (gain * CHANGE) ** 2
    errors[child], errors[:, child] = row, row
    errors[child, child] = own


def newest_of(bot: str, players: Iterable[str]) -> str | None:
    """The newest version of a bot among labels like ``careful/2``; None where there is none."""
    parts = (label.rpartition("/") for label in players)
    numbers = [int(number) for name, _, number in parts if name == bot and number.isdecimal()]
    return f"{bot}/{max(numbers)}" if numbers else None
