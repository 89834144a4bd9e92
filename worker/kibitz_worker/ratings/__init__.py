"""Ratings from finished duplicate sets: pure functions on numpy arrays, no database, no clock.

    results = [SetResult("t-1-1", ("search/1", "careful"), scores=(6.0, -6.0), deals=24)]
    ratings = fit(results)                  # careful = 1500
    ratings.rows[0].elo, ratings.los("search/1", "careful"), ratings.to_json()

Everything published about strength comes from one `Ratings`, stored as `to_json()`, so numbers
never differ between pages.
"""

from kibitz_worker.ratings.crosstable import Cell, Crosstable
from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.fit import PROVISIONAL_SETS, fit
from kibitz_worker.ratings.pairs import PairEstimate, estimate_pair
from kibitz_worker.ratings.ratings import Ratings, Row
from kibitz_worker.ratings.results import SetColumns, SetResult, gather

__all__ = [
    "PROVISIONAL_SETS",
    "Cell",
    "Crosstable",
    "PairEstimate",
    "RatingError",
    "Ratings",
    "Row",
    "SetColumns",
    "SetResult",
    "estimate_pair",
    "fit",
    "gather",
]
