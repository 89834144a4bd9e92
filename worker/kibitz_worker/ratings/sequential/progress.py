"""How a sequential test stands."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.results import Bools, Floats
from kibitz_worker.ratings.sequential.course import Motion, drifting, pairs_motion
from kibitz_worker.ratings.sequential.likelihood import (
    logistic_ratio,
    margin_ratio,
    normalized_ratio,
)
from kibitz_worker.ratings.sequential.plan import Plan
from kibitz_worker.ratings.sequential.prefix import pair_counts

State = Literal["running", "accepted", "rejected", "undecided"]
AT_ONCE = 32
"""Looks computed together at first, then ever more: those after the deciding one are in vain."""


@dataclass(frozen=True, slots=True)
class Progress:
    """State of a test after the sets that count.

    `sets` were used: none after the one that decided. `curve` is the log-likelihood ratio after
    each set from the first look on (its first element belongs to set number `curve_from`).
    `expected_left` sets are needed on average if the candidate is as good as it has looked so far,
    and `chance` is then that of being accepted; both None unless running past the first look.
    """

    state: State
    sets: int
    llr: float
    lower: float
    upper: float
    curve_from: int
    curve: tuple[float, ...]
    expected_left: float | None
    chance: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return asdict(self)


Ratio = Callable[[Floats], Floats]


def judge_pairs(plan: Plan, outcomes: Sequence[int]) -> Progress:
    """Judge game pairs, of kinds 0 to 4 (see `pair_outcome`), in the order of their sets.

    Raises RatingError `BAD_MODEL` if the plan is about margins, `BAD_OUTCOME`.
    """
    if plan.model == "margin":
        raise RatingError("BAD_MODEL", "a plan for margins cannot judge game pairs")
    pair_counts(outcomes)
    kinds = np.asarray(outcomes[: plan.limit or None], dtype=np.int64)
    counts = np.cumsum(np.eye(5)[kinds], axis=0)
    ratio = logistic_ratio if plan.model == "logistic" else normalized_ratio
    curve, state = _follow(plan, counts, lambda rows: ratio(rows, plan.h0, plan.h1))
    used = _used(plan, len(kinds), curve)
    return _progress(
        plan, used, curve, state, pairs_motion(plan, counts[used - 1]) if used else None
    )


def judge_margins(plan: Plan, margins: Sequence[float]) -> Progress:
    """Judge differences of two players' margins, points a deal of each set, in order of the sets.

    The more skewed they are, the later they decide (`sets_for_skewness`).
    Raises RatingError `BAD_MODEL` if the plan is about game pairs.
    """
    if plan.model != "margin":
        raise RatingError("BAD_MODEL", f"a plan of model {plan.model!r} cannot judge margins")
    values = np.asarray(margins[: plan.limit or None], dtype=np.float64)
    rows = _moments(values, 1e-9 * (plan.h1 - plan.h0) ** 2)
    needed = sets_for_skewness(plan, rows)
    curve, state = _follow(
        plan, rows, lambda r: margin_ratio(r, plan.h0, plan.h1), rows[:, 0] >= needed
    )
    used = _used(plan, len(values), curve)
    motion = drifting(plan.h0, plan.h1, *rows[used - 1, 1:3].tolist()) if used else None
    wait = max(0.0, float(needed[used - 1]) - used) if used else 0.0
    return _progress(plan, used, curve, state, motion, wait)


def _moments(values: Floats, least: float) -> Floats:
    """Number, mean, variance (of at least so much) and third central moment after each value."""
    sizes = np.arange(1.0, len(values) + 1.0)
    centre = values[0] if len(values) else 0.0
    first, second, third = (np.cumsum((values - centre) ** power) / sizes for power in (1, 2, 3))
    variances = np.maximum(second - first**2, least)
    thirds = third - 3.0 * first * second + 2.0 * first**3
    return np.stack([sizes, centre + first, variances, thirds], axis=1)


def sets_for_skewness(plan: Plan, rows: Floats) -> Floats:
    """How many sets there must be for a decision, as they look after each: first look (1 + G^2).

    The ratio allows for skewness G as far as it is known, and few values say little about it:
    W. G. Cochran, Sampling Techniques (1977), section 2.15, asks for a number of values in
    proportion to G^2. `rows` are those of `margin_ratio`.
    """
    skewness_squared = rows[:, 3] ** 2 / rows[:, 2] ** 3
    return np.asarray(plan.looks_from * (1.0 + skewness_squared), dtype=np.float64)


def _follow(
    plan: Plan, rows: Floats, ratio: Ratio, ready: Bools | None = None
) -> tuple[list[float], State]:
    """The curve up to the first look that decides; each look has a row of sums behind it.

    Only looks that are `ready` can decide (all, if left out).
    """
    curve: list[float] = []
    start, size = plan.looks_from - 1, AT_ONCE
    while start < len(rows):
        values = ratio(rows[start : start + size])
        beyond = (values <= plan.lower) | (values >= plan.upper)
        if ready is not None:
            beyond &= ready[start : start + size]
        outside = np.flatnonzero(beyond)
        if len(outside):
            curve += values[: outside[0] + 1].tolist()
            return curve, "accepted" if curve[-1] >= plan.upper else "rejected"
        curve += values.tolist()
        start, size = start + size, 2 * size
    return curve, "undecided" if 0 < plan.limit <= len(rows) else "running"


def _used(plan: Plan, sets: int, curve: list[float]) -> int:
    return plan.looks_from - 1 + len(curve) if curve else sets


def _progress(
    plan: Plan,
    used: int,
    curve: list[float],
    state: State,
    motion: Motion | None,
    wait: float = 0.0,
) -> Progress:
    left = chance = None
    if curve and motion and state == "running":
        now = min(max(curve[-1], plan.lower), plan.upper)
        left = max(wait, motion.sets_to_either(plan.lower, now, plan.upper))
        chance = motion.chance_of_upper(plan.lower, now, plan.upper)
    return Progress(
        state=state,
        sets=used,
        llr=curve[-1] if curve else 0.0,
        lower=plan.lower,
        upper=plan.upper,
        curve_from=plan.looks_from,
        curve=tuple(curve),
        expected_left=left,
        chance=chance,
    )
