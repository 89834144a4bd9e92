"""Which places of a list a player may really hold, given what is known of all differences.

For each player its differences to all others are tested together by Holm's procedure at 5 %: with
95 % certainty none of those that count as proven is wrong, and so the true rank lies between one
more than the number of those proven better and the number of all less those proven worse. M.
Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, "Inference for Ranks", Review of Economic
Studies 91 (2024), section 3, with Holm's steps in place of their bootstrap.
"""

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from kibitz_worker.ratings.results import Floats, Ints

LEVEL = 0.05
Bounds = dict[int, tuple[int, int]]


def rank_intervals(elo: Floats, covariance: Floats, groups: Sequence[Sequence[int]]) -> Bounds:
    """Best and worst rank within its group that each player may have, with 95 % certainty each.

    `covariance` is that of the elos; only differences within a group are looked at.
    """
    found: Bounds = {}
    for group in groups:
        better, worse = _proven(np.asarray(group, dtype=np.int64), elo, covariance)
        bounds = zip((1 + better).tolist(), (len(group) - worse).tolist(), strict=True)
        found.update(zip(group, bounds, strict=True))
    return found


def _proven(group: Ints, elo: Floats, covariance: Floats) -> tuple[Ints, Ints]:
    """How many of the group are proven better than each, and how many worse.

    Holm: the k-th largest of m statistics counts while all before it do and it is beyond the
    normal quantile for level / (m - k + 1).
    """
    part = covariance[np.ix_(group, group)]
    spread = np.diag(part)
    variance = spread[:, None] + spread[None, :] - 2.0 * part
    lead = elo[group][:, None] - elo[group][None, :]
    known = variance > 0.0
    z = np.zeros_like(lead)
    z[known] = lead[known] / np.sqrt(variance[known])
    order = np.argsort(-np.abs(z), axis=1, kind="stable")[:, :-1]  # oneself comes last: 0
    ordered = np.take_along_axis(z, order, axis=1)
    normal = NormalDist()
    tests = range(len(group) - 1, 0, -1)
    critical = np.array([normal.inv_cdf(1.0 - LEVEL / left / 2.0) for left in tests])
    proven = np.logical_and.accumulate(np.abs(ordered) > critical, axis=1)
    better = (proven & (ordered < 0.0)).sum(axis=1)
    worse = (proven & (ordered > 0.0)).sum(axis=1)
    return better, worse
