"""Sequential tests: is a bot better than another, decided with as few sets as the errors allow.

    plan = Plan("logistic", h0=0.0, h1=10.0)             # before the first set
    row = contiguous({0: 3, 1: 2, 3: 4})                 # set 2 is still open: sets 0 and 1 count
    judge_pairs(plan, row).state                         # running, accepted, rejected, undecided

Game pairs are the duplicate sets of two sides; at tables with more players the margins of two of
them in the same sets are compared: `judge_margins`.
"""

from kibitz_worker.ratings.sequential.bayesian import bayesian_ratio
from kibitz_worker.ratings.sequential.course import expected_sets
from kibitz_worker.ratings.sequential.likelihood import (
    logistic_ratio,
    margin_ratio,
    normalized_ratio,
)
from kibitz_worker.ratings.sequential.plan import Model, Plan
from kibitz_worker.ratings.sequential.prefix import contiguous, pair_counts, pair_outcome
from kibitz_worker.ratings.sequential.progress import Progress, judge_margins, judge_pairs

__all__ = [
    "Model",
    "Plan",
    "Progress",
    "bayesian_ratio",
    "contiguous",
    "expected_sets",
    "judge_margins",
    "judge_pairs",
    "logistic_ratio",
    "margin_ratio",
    "normalized_ratio",
    "pair_counts",
    "pair_outcome",
]
