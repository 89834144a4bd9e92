"""Do two players fare with one another as their results against all others let expect?

Two things give traded wins away. *Against*: of the sets that both played, one has won far more than
the strengths say that the rest of the league gives them (the pair's own sets left out). *Together*:
at tables of three and more, both together have more points in one another's company than their
levels account for. Pairs differ by style too; how much is usual is read off all pairs (the median
of z squared over that of chi-squared, as in B. Devlin and K. Roeder, "Genomic Control for
Association Studies", Biometrics 55, 1999), and every z is divided by its root.

Chances are corrected by Holm's procedure, among the pairs of one owner and among all others apart.
What is found is a reason to look, not a proof, and changes no rating.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any, Literal, NamedTuple

import numpy as np

from kibitz_worker.ratings.adjusted import adjusted_margins, expected_margins
from kibitz_worker.ratings.bradley_terry import count_wins, information, maximise
from kibitz_worker.ratings.covariance import invert
from kibitz_worker.ratings.log import Block, Log
from kibitz_worker.ratings.logistic import logistic
from kibitz_worker.ratings.margins import Column, Read, clustered
from kibitz_worker.ratings.results import Bools, Floats, Ints

LEVEL = 0.01
LEAST_SETS = 12
"""With fewer sets in common a pair says too little for the normal distribution."""

MOST_REFITS, MOST_FOUND = 50, 20
Kind = Literal["against", "together"]
MEDIAN_CHI_SQUARED = 0.454936
LEAST_SPREAD_PAIRS = 10
"""With fewer pairs their spread is not estimated, and taken as 1."""


@dataclass(frozen=True, slots=True)
class Trade:
    """A pair that fares with one another unlike with all others.

    `against`: `observed` is the share of their sets that `one` won, `expected` that by the others'
    results. `together`: points a deal that both have above the table, and that their levels give.
    `corrected` is the chance after Holm's correction for all pairs looked at.
    """

    one: str
    two: str
    kind: Kind
    same_owner: bool
    sets: int
    observed: float
    expected: float
    p_value: float
    corrected: float


@dataclass(frozen=True, slots=True)
class Trades:
    """What was found, the clearest first, and how many comparisons were made."""

    of_one_owner: int
    of_others: int
    spread: float
    found: tuple[Trade, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return asdict(self)


class _Looks(NamedTuple):
    """Comparisons as columns: the pair, sets, what was seen and expected, and its z."""

    one: Ints
    two: Ints
    sets: Ints
    observed: Floats
    expected: Floats
    z: Floats


def find_trades(log: Log, owners: Mapping[str, str]) -> Trades:
    """Compare all pairs of players that have an owner; others (bots of the house) have no motive.

    Leagues whose partners change are not looked at.
    """
    owned = np.array([name in owners for name in log.names], dtype=np.bool_)
    if owned.sum() < 2 or any(block.partners for block in log.blocks):
        return Trades(0, 0, 1.0, ())
    apart: set[tuple[str, str]] = set()
    while True:
        told = _look(log, _without_pairs(log, apart), owned, owners)
        clearest = [(t.one, t.two) for t in told.found if (t.one, t.two) not in apart]
        if not clearest or len(apart) == MOST_FOUND:
            return told
        # What one pair traded lifts it above others too: look again without its sets.
        apart.add(clearest[0])


def _look(log: Log, rest: Log, owned: Bools, owners: Mapping[str, str]) -> Trades:
    """Compare all pairs in all sets with what `rest`, the sets without the pairs found, gives."""
    looks: dict[Kind, _Looks] = {
        "against": _against(count_wins(log), count_wins(rest), owned),
        "together": _together(log, adjusted_margins(rest).level, owned),
    }
    spreads = {kind: _spread(look.z) for kind, look in looks.items()}
    rows = [
        _Row(kind, look, n, float(look.z[n]) / spreads[kind] ** 0.5)
        for kind, look in looks.items()
        for n in range(len(look.z))
    ]
    same = [row for row in rows if row.same(log.names, owners)]
    others = [row for row in rows if not row.same(log.names, owners)]
    found = [*_flagged(same, log.names, True), *_flagged(others, log.names, False)]
    found.sort(key=lambda trade: (trade.corrected, trade.one, trade.two))
    return Trades(len(same), len(others), max(spreads.values()), tuple(found))


def _without_pairs(log: Log, apart: Collection[tuple[str, str]]) -> Log:
    """The sets in which no such pair sat together."""
    blocks = []
    for block in log.blocks:
        keep = np.ones(len(block.players), dtype=np.bool_)
        for one, two in apart:
            numbers = [log.names.index(one), log.names.index(two)]
            keep &= np.isin(block.players, numbers).sum(axis=1) < 2
        blocks.append(block.chosen(keep))
    return Log(log.names, tuple(blocks))


def _against(wins: Floats, rest: Floats, owned: Bools) -> _Looks:
    """Won less expected of each pair, by strengths that its own sets have no part in.

    Leaving a pair out changes the information by a matrix of rank one, and so the difference of its
    strengths by one Newton step in closed form (J. Sherman and W. J. Morrison, Annals of
    Mathematical Statistics 21, 1950). For pairs that stand out the fit is made anew.
    """
    theta = maximise(rest)
    inverse = invert(information(theta, rest, 1.0), 1.0)
    one, two = _pairs(wins + wins.T, owned)
    n, won, ahead = (wins + wins.T)[one, two], wins[one, two], theta[one] - theta[two]
    own, chance = (rest + rest.T)[one, two], logistic(ahead)
    weight = own * chance * (1.0 - chance)
    leverage = inverse[one, one] + inverse[two, two] - 2.0 * inverse[one, two]
    variance = leverage / np.maximum(1.0 - weight * leverage, 1e-6)
    ahead = ahead - (rest[one, two] - own * chance) * variance
    clear = np.abs(_z(won, n, ahead, variance)) > 3.0
    for k in np.flatnonzero(clear)[:MOST_REFITS]:
        ahead[k], variance[k] = _without(rest, theta, int(one[k]), int(two[k]))
    z = _z(won, n, ahead, variance)
    return _Looks(one, two, np.rint(n).astype(np.int64), won / n, logistic(ahead), z)


def _z(won: Floats, games: Floats, ahead: Floats, variance: Floats) -> Floats:
    """Surplus of wins over its standard error: that of the sets, and that of the expectation."""
    chance = logistic(ahead)
    spread = chance * (1.0 - chance)
    error = np.sqrt(games * spread + (games * spread) ** 2 * variance)
    surplus = won - games * chance
    nearer = np.sign(surplus) * np.maximum(np.abs(surplus) - 0.5, 0.0)  # for continuity
    return np.asarray(nearer / np.maximum(error, 0.5), dtype=np.float64)


def _without(wins: Floats, start: Floats, one: int, two: int) -> tuple[float, float]:
    """Difference of strengths and its variance by all sets but the pair's own."""
    rest = wins.copy()
    rest[one, two] = rest[two, one] = 0.0
    theta = maximise(rest, start=start)
    inverse = invert(information(theta, rest, 1.0), 1.0)
    variance = inverse[one, one] + inverse[two, two] - 2.0 * inverse[one, two]
    return float(theta[one] - theta[two]), float(variance)


def _pairs(games: Floats, owned: Bools) -> tuple[Ints, Ints]:
    """Pairs of owned players that met often enough."""
    often = np.triu(games >= LEAST_SETS, 1) & owned[:, None] & owned[None, :]
    one, two = np.nonzero(often)
    return one.astype(np.int64), two.astype(np.int64)


def _together(log: Log, level: Floats, owned: Bools) -> _Looks:
    """Points of both together at tables of three and more, beyond what their levels give."""
    large = Log(log.names, tuple(block for block in log.blocks if block.size > 2))
    surplus = clustered(large, _by_pair(level, log.size, observed=False), log.size**2)
    amount = clustered(large, _by_pair(level, log.size, observed=True), log.size**2)
    one, two = _pairs(np.triu(surplus.sets.reshape(log.size, log.size), 1).astype(float), owned)
    cells = one * log.size + two
    observed, beyond = amount.mean[cells], surplus.mean[cells]
    error = surplus.error[cells]
    z = np.divide(beyond, error, out=np.zeros_like(beyond), where=error > 0.0)
    return _Looks(one, two, surplus.sets[cells], observed, observed - beyond, z)


def _by_pair(level: Floats, size: int, *, observed: bool) -> Read:
    def read(block: Block) -> Iterator[Column]:
        amounts = block.margins
        if not observed:
            amounts = block.margins - expected_margins(block, level)
        for left, right in block.pairs():
            a, b = block.players[:, left], block.players[:, right]
            owners = np.minimum(a, b) * size + np.maximum(a, b)
            yield Column(owners, amounts[:, left] + amounts[:, right], block.deals)

    return read


def _spread(z: Floats) -> float:
    """How much larger z squared usually is than by luck alone; 1 at least."""
    if len(z) < LEAST_SPREAD_PAIRS:
        return 1.0
    return max(1.0, float(np.median(z**2)) / MEDIAN_CHI_SQUARED)


class _Row(NamedTuple):
    kind: Kind
    look: _Looks
    n: int
    z: float

    def same(self, names: tuple[str, ...], owners: Mapping[str, str]) -> bool:
        one, two = names[self.look.one[self.n]], names[self.look.two[self.n]]
        return owners[one] == owners[two]


def _flagged(rows: list[_Row], names: tuple[str, ...], same: bool) -> list[Trade]:
    """Rows that stay below the level after Holm's correction; too many points together count."""
    normal = NormalDist()
    chances = [
        2.0 * normal.cdf(-abs(row.z)) if row.kind == "against" else normal.cdf(-row.z)
        for row in rows
    ]
    found, corrected = [], 0.0
    for place, n in enumerate(sorted(range(len(rows)), key=chances.__getitem__)):
        corrected = max(corrected, min(1.0, (len(rows) - place) * chances[n]))
        if corrected >= LEVEL:
            break
        kind, look, k, _ = rows[n]
        found.append(
            Trade(
                one=names[look.one[k]],
                two=names[look.two[k]],
                kind=kind,
                same_owner=same,
                sets=int(look.sets[k]),
                observed=float(look.observed[k]),
                expected=float(look.expected[k]),
                p_value=chances[n],
                corrected=corrected,
            )
        )
    return found
