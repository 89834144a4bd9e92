"""Student's t distribution for whole degrees of freedom, in closed form.

M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4. Beyond
`LARGE` the normal distribution.
"""

from functools import cache
from math import erfc, sqrt
from statistics import NormalDist

import numpy as np

from kibitz_worker.ratings.results import Floats, Ints

LARGE = 100


def two_sided(t: float, freedom: int) -> float:
    """Probability that |T| is at least |t|."""
    return float(two_sided_all(np.array([t]), np.array([freedom]))[0])


def two_sided_all(t: Floats, freedom: Ints) -> Floats:
    """The same for each pair of elements."""
    chances = np.empty(len(t))
    large = freedom > LARGE
    chances[large] = [erfc(x) for x in (np.abs(t[large]) / sqrt(2.0)).tolist()]
    for each in np.unique(freedom[~large]):
        same = freedom == each
        chances[same] = np.clip(1.0 - _inside(np.abs(t[same]), int(each)), 0.0, 1.0)
    return chances


def _inside(t: Floats, freedom: int) -> Floats:
    angle = np.arctan(t / sqrt(freedom))
    cosine = np.cos(angle)
    odd = freedom % 2
    term = cosine if odd else np.ones_like(t)
    total = np.zeros_like(t)
    for k in range(odd, freedom - 1, 2):
        total = total + term
        term = term * cosine**2 * (k + 1) / (k + 2)
    inside = np.sin(angle) * total
    return np.asarray(2.0 / np.pi * (angle + inside) if odd else inside, dtype=np.float64)


@cache
def quantile(freedom: int) -> float:
    """The t whose interval -t..t holds 95 %."""
    if freedom > LARGE:
        return NormalDist().inv_cdf(0.975)
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if two_sided(middle, freedom) > 0.05 else (low, middle)
    return (low + high) / 2.0
