"""The input of the ratings: finished duplicate sets, and the same as arrays."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kibitz_worker.ratings.errors import RatingError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SetResult:
    """One finished duplicate set: the same decks played under all their seatings.

    `players` are the independent players (two sides for whist), each named once. `scores` are their
    returns added over the set; they alone decide who beat whom. `deals` counts the deals that each
    player played in the set, and `margins` are each player's deal scores minus the table's mean,
    added over the set (the scores' own deviations from their mean if left out). `unit` names the
    statistical unit when several sets form one (six sets of solo whist); a set is its own
    otherwise.
    """

    id: str
    players: tuple[str, ...]
    scores: tuple[float, ...]
    deals: int
    margins: tuple[float, ...] = ()
    unit: str = ""

    def __post_init__(self) -> None:
        size = len(self.players)
        if size < 2 or len(set(self.players)) != size:
            text = f"set {self.id}: needs two or more different players, has {self.players}"
            raise RatingError("BAD_PLAYERS", text)
        if len(self.scores) != size or len(self.margins) not in (0, size):
            raise RatingError("BAD_SCORES", f"set {self.id}: needs one score a player ({size})")
        if not all(math.isfinite(x) for x in (*self.scores, *self.margins)):
            raise RatingError("BAD_SCORES", f"set {self.id}: scores must be finite numbers")
        if self.deals < 1:
            raise RatingError("BAD_DEALS", f"set {self.id}: deals must be 1 or more")


@dataclass(frozen=True, slots=True)
class Block:
    """All sets with the same number of players: rows are sets, columns are players."""

    players: Ints
    scores: Floats
    margins: Floats
    deals: Floats
    units: Ints


@dataclass(frozen=True, slots=True)
class Log:
    """Results as arrays, in an order that does not depend on the order they came in."""

    names: tuple[str, ...]
    blocks: tuple[Block, ...]
    units: int

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def sets(self) -> int:
        return sum(len(block.units) for block in self.blocks)


def _block(group: list[SetResult], number: dict[str, int], units: dict[str, int]) -> Block:
    scores = np.array([r.scores for r in group], dtype=np.float64)
    centred = scores - scores.mean(axis=1, keepdims=True)
    margins = centred
    if any(r.margins for r in group):
        rows = [r.margins or centred[n] for n, r in enumerate(group)]
        margins = np.array(rows, dtype=np.float64)
    return Block(
        players=np.array([[number[p] for p in r.players] for r in group], dtype=np.int64),
        scores=scores,
        margins=margins,
        deals=np.array([r.deals for r in group], dtype=np.float64),
        units=np.array([units[r.unit or r.id] for r in group], dtype=np.int64),
    )


def read_log(results: Iterable[SetResult]) -> Log:
    """Sort the results by their ids and turn them into arrays.

    Raises RatingError `DUPLICATE_SET` if an id occurs twice: a set counts once.
    """
    ordered = sorted(results, key=lambda r: r.id)
    for before, after in pairwise(ordered):
        if before.id == after.id:
            raise RatingError("DUPLICATE_SET", f"set {after.id} occurs twice; a set counts once")
    names = tuple(sorted({p for r in ordered for p in r.players}))
    number = {name: n for n, name in enumerate(names)}
    labels = sorted({r.unit or r.id for r in ordered})
    units = {label: n for n, label in enumerate(labels)}
    sizes = sorted({len(r.players) for r in ordered})
    groups = ([r for r in ordered if len(r.players) == size] for size in sizes)
    return Log(names, tuple(_block(group, number, units) for group in groups), len(labels))
