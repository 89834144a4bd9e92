"""Where a running test may go: Brownian motion between two walls.

The log-likelihood ratio moves by a drift and a scatter a set. D. Siegmund, Sequential Analysis
(1985), chapter III: chance of the upper wall and mean time to either, by optional stopping.
"""

import math
from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.results import Floats
from kibitz_worker.ratings.sequential.likelihood import UNSEEN, effect_of, expected_score, moments
from kibitz_worker.ratings.sequential.plan import Plan


@dataclass(frozen=True, slots=True)
class Motion:
    """Mean and variance of a set's contribution to the log-likelihood ratio."""

    drift: float
    variance: float

    def chance_of_upper(self, lower: float, now: float, upper: float) -> float:
        """Chance to reach `upper` before `lower`, starting from `now` between them."""
        pull = 2.0 * self.drift / self.variance if self.variance > 0 else 0.0
        if abs(pull) * (upper - lower) < 1e-9:
            return (now - lower) / (upper - lower)
        if pull < 0:
            return 1.0 - Motion(-self.drift, self.variance).chance_of_upper(-upper, -now, -lower)
        return math.expm1(-pull * (now - lower)) / math.expm1(-pull * (upper - lower))

    def sets_to_either(self, lower: float, now: float, upper: float) -> float:
        """Expected number of further sets until a wall is reached."""
        if not lower < now < upper:
            return 0.0
        if self.variance <= 0:
            return math.inf
        chance = self.chance_of_upper(lower, now, upper)
        gain = chance * (upper - now) - (1.0 - chance) * (now - lower)
        if abs(self.drift) * (upper - lower) < 1e-6 * self.variance:
            return (upper - now) * (now - lower) / self.variance
        return gain / self.drift


def drifting(h0: float, h1: float, mean: float, variance: float) -> Motion:
    """Motion when each set gives a value of this mean and variance, tested for the means h0, h1.

    A set contributes (h1 - h0) (2 value - h0 - h1) / (2 variance).
    """
    step = h1 - h0
    return Motion(step * (2.0 * mean - h0 - h1) / (2.0 * variance), step * step / variance)


def pairs_motion(plan: Plan, counts: Floats) -> Motion:
    """Motion when game pairs go on to fall as they have so far."""
    seen = np.where(counts > 0, counts, UNSEEN)
    found = moments(seen / seen.sum(), np.linspace(0.0, 1.0, len(counts)))
    mean, variance = float(found[0]), float(found[1])
    if plan.model == "logistic":
        return drifting(expected_score(plan.h0), expected_score(plan.h1), mean, variance)
    effects = effect_of(plan.h0, len(counts)), effect_of(plan.h1, len(counts))
    return drifting(*effects, (mean - 0.5) / math.sqrt(variance), 1.0)


def expected_sets(plan: Plan, mean: float, deviation: float) -> tuple[float, float]:
    """How many sets a test takes on average, and how likely it accepts, if the truth is known.

    For margins, `mean` and `deviation` are points a deal; for game pairs scores between 0 and 1.
    The figures leave out how far the last set shoots over a bound and are slightly low.
    """
    motion = drifting(plan.h0, plan.h1, mean, deviation**2)
    if plan.model == "logistic":
        scores = expected_score(plan.h0), expected_score(plan.h1)
        motion = drifting(*scores, mean, deviation**2)
    elif plan.model == "normalized":
        motion = drifting(
            effect_of(plan.h0, 5), effect_of(plan.h1, 5), (mean - 0.5) / deviation, 1.0
        )
    sets = motion.sets_to_either(plan.lower, 0.0, plan.upper)
    return sets, motion.chance_of_upper(plan.lower, 0.0, plan.upper)
