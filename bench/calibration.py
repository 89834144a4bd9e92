"""Whether published errors are as large as the errors made, in leagues of many kinds.

Each league's rating differences are compared with those of a very long league of the same kind,
which stands for the truth also where scores follow no textbook model (draws by rounding, luck of
the deck). Errors in units of their published size must scatter by 1.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

import numpy as np
from kibitz_worker.ratings import Ratings, SetColumns, fit
from kibitz_worker.ratings.results import Floats

NAMES = tuple("abcdef")
SETS = 240
LONG = 60_000
TABLES_A_DECK = 3


@dataclass(frozen=True)
class Kind:
    """A kind of league: `rotated` decks favour no seat; others do, and several tables share one.

    `far`: strong and weak players in one pool, else all nearly equal. `draws`: scores so coarse
    that many are equal.
    """

    seats: int
    rotated: bool
    far: bool
    draws: bool

    def __str__(self) -> str:
        words = ("rotated" if self.rotated else "luck", "far" if self.far else "close")
        return f"{self.seats}-{'-'.join(words)}-{'draws' if self.draws else 'decided'}"


KINDS = [
    Kind(seats, rotated, far, draws)
    for seats in (2, 3, 4)
    for rotated, far, draws in product((True, False), repeat=3)
]


def play(kind: Kind, sets: int, seed: int) -> Ratings:
    """Rate a league of so many sets."""
    random = np.random.default_rng([seed, kind.seats, kind.rotated, kind.far, kind.draws])
    spread = 1.5 if kind.far else 0.1
    strengths = np.linspace(-spread, spread, len(NAMES))
    tables = np.array(list(combinations(range(len(NAMES)), kind.seats)))
    players = random.permuted(tables[random.integers(len(tables), size=sets)], axis=1)
    scores = strengths[players] + random.gumbel(size=players.shape)
    units = None
    if not kind.rotated:
        units = np.arange(sets) // TABLES_A_DECK
        scores[:, 0] += random.normal(0.0, 1.5, sets)[units]
    if kind.draws:
        scores = np.round(scores / 2.5)
    return fit([SetColumns(NAMES, players, scores, np.full(sets, 4), units=units)], anchor="a")


@cache
def truth(kind: Kind) -> Floats:
    """Differences of everybody to the first in a league without end, nearly."""
    return _differences(play(kind, LONG, seed=10**6))[:, 0]


def surprises(kind: Kind, leagues: int, start: int = 0) -> Floats:
    """Errors of rating differences over so many leagues, in units of their published size."""
    found = []
    for seed in range(start, start + leagues):
        told = _differences(play(kind, SETS, seed))
        found.append((told[:, 0] - truth(kind)) / told[:, 1])
    return np.concatenate(found)


def _differences(ratings: Ratings) -> Floats:
    found = [ratings.difference(name, "a") for name in NAMES[1:]]
    return np.array([each for each in found if each is not None])
