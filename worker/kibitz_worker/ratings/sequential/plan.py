"""What a sequential test is to decide, fixed before its first set is played."""

import math
from dataclasses import dataclass
from typing import Literal

from kibitz_worker.ratings.errors import RatingError

Model = Literal["logistic", "normalized", "margin"]
FIRST_LOOK = {"logistic": 16, "normalized": 16, "margin": 64}


@dataclass(frozen=True, slots=True)
class Plan:
    """Is a candidate's advantage over its opponent `h1` or more, rather than `h0` or less?

    `logistic` and `normalized` are Elo points of game pairs between two sides, `margin` is points
    a deal between two players of a table. `alpha` is the chance to accept a candidate of h0,
    `beta` that to reject one of h1. Before `first` sets nothing is decided (0: the model's own
    default), since too few sets say little about their own scatter; after `limit` sets the test
    ends without a decision (0: never).

    Raises RatingError `BAD_HYPOTHESES`, `BAD_ERRORS` or `BAD_LIMIT`.
    """

    model: Model
    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    first: int = 0
    limit: int = 0

    def __post_init__(self) -> None:
        if self.model not in FIRST_LOOK:
            raise RatingError("BAD_MODEL", f"model {self.model!r}: must be one of {[*FIRST_LOOK]}")
        if not (math.isfinite(self.h0) and math.isfinite(self.h1) and self.h0 < self.h1):
            raise RatingError("BAD_HYPOTHESES", f"h0 = {self.h0:g} must be below h1 = {self.h1:g}")
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise RatingError("BAD_ERRORS", "alpha and beta must lie between 0 and 0.5")
        if self.first < 0 or self.limit < 0 or 0 < self.limit < self.looks_from:
            raise RatingError("BAD_LIMIT", f"the limit must be 0 or at least {self.looks_from}")

    @property
    def looks_from(self) -> int:
        """How many sets there must be before the first look."""
        return self.first or FIRST_LOOK[self.model]

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio the candidate is rejected.

        A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics 16
        (1945): ln(beta / (1 - alpha)).
        """
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this the candidate is accepted: ln((1 - beta) / alpha), as in `lower`."""
        return math.log((1.0 - self.beta) / self.alpha)
