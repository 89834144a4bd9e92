"""Student's t distribution for whole degrees of freedom, in closed form.

M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4. Beyond
`LARGE` the normal distribution.
"""

import math
from functools import cache
from statistics import NormalDist

LARGE = 100


def two_sided(t: float, freedom: int) -> float:
    """Probability that |T| is at least |t|."""
    if freedom > LARGE:
        return 2.0 * NormalDist().cdf(-abs(t))
    angle = math.atan(abs(t) / math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for k in range(odd, freedom - 1, 2):
        total += term
        term *= cosine**2 * (k + 1) / (k + 2)
    inside = math.sin(angle) * total
    if odd:
        inside = 2.0 / math.pi * (angle + inside)
    return min(1.0, max(0.0, 1.0 - inside))


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
