"""The input of the ratings: finished duplicate sets, one by one or as columns."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

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


@dataclass(frozen=True, slots=True, eq=False)
class SetColumns:
    """Many sets with the same number of players, as arrays: a row a set, a column a player.

    `players` holds indices into `names`; `scores`, `margins` and `deals` are as in `SetResult`.
    Rows with equal numbers in `units` are one statistical unit; each row is its own if left out.
    With `partners`, sets have four players of two sides, the first and third against the second and
    fourth, and each player has the score of its side. The caller vouches that no set occurs twice.
    """

    names: tuple[str, ...]
    players: Ints
    scores: Floats
    deals: Ints
    margins: Floats | None = None
    units: Ints | None = None
    partners: bool = False

    def __post_init__(self) -> None:
        players, scores = self.players, self.scores
        if players.ndim != 2 or players.shape[1] < 2 or len(set(self.names)) != len(self.names):
            raise RatingError("BAD_PLAYERS", "a table of two or more players a set is needed")
        if self.partners and players.shape[1] != 4:
            raise RatingError("BAD_PLAYERS", "partners sit at tables of four: two sides of two")
        if players.size and not 0 <= players.min() <= players.max() < len(self.names):
            raise RatingError("BAD_PLAYERS", "players must be indices into the names")
        if any((a == b).any() for a, b in combinations(players.T, 2)):
            raise RatingError("BAD_PLAYERS", "a player occurs twice in one set")
        if any(x is not None and x.shape != players.shape for x in (scores, self.margins)):
            raise RatingError("BAD_SCORES", f"scores must have the shape {players.shape}")
        if not all(np.isfinite(x).all() for x in (scores, self.margins) if x is not None):
            raise RatingError("BAD_SCORES", "scores must be finite numbers")
        if any(x is not None and x.shape != players.shape[:1] for x in (self.deals, self.units)):
            raise RatingError("BAD_DEALS", "deals and units need one number a set")
        if (self.deals < 1).any():
            raise RatingError("BAD_DEALS", "deals must be 1 or more")

    def __len__(self) -> int:
        return len(self.players)


def gather(results: Iterable[SetResult]) -> list[SetColumns]:
    """Turn sets into columns, one `SetColumns` a number of players, in the order of their ids.

    Raises RatingError `DUPLICATE_SET` if an id occurs twice: a set counts once.
    """
    ordered = sorted(results, key=lambda r: r.id)
    for before, after in pairwise(ordered):
        if before.id == after.id:
            raise RatingError("DUPLICATE_SET", f"set {after.id} occurs twice; a set counts once")
    sizes = sorted({len(r.players) for r in ordered})
    return [_columns([r for r in ordered if len(r.players) == size]) for size in sizes]


def _columns(group: Sequence[SetResult]) -> SetColumns:
    names = tuple(sorted({p for r in group for p in r.players}))
    number = {name: n for n, name in enumerate(names)}
    scores = np.array([r.scores for r in group], dtype=np.float64)
    margins = None
    if any(r.margins for r in group):
        centred = scores - scores.mean(axis=1, keepdims=True)
        rows = [r.margins or centred[n] for n, r in enumerate(group)]
        margins = np.array(rows, dtype=np.float64)
    units = None
    if any(r.unit for r in group):
        labels = {label: n for n, label in enumerate(sorted({r.unit or r.id for r in group}))}
        units = np.array([labels[r.unit or r.id] for r in group], dtype=np.int64)
    return SetColumns(
        names=names,
        players=np.array([[number[p] for p in r.players] for r in group], dtype=np.int64),
        scores=scores,
        deals=np.array([r.deals for r in group], dtype=np.int64),
        margins=margins,
        units=units,
    )
