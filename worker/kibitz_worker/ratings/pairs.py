"""Elo of one player against one other straight from counted results.

The normal interval of the mean score, carried to the Elo scale; `normalized` divides the surplus by
the scatter of a game instead (800 / ln 10 Elo points a standard deviation), so that games with many
draws and with few compare. Definitions as published for engine testing by M. Van den Bergh
("Normalized Elo", 2020).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from kibitz_worker.ratings.errors import RatingError

NORMAL_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class PairEstimate:
    """Elo difference, half widths of the 95 % intervals, `los` the likelihood of superiority."""

    score: float
    elo: float
    elo_error: float
    normalized: float
    normalized_error: float
    los: float


def elo(score: float) -> float:
    """Elo difference at which the expected score is `score`; infinite at 0 and 1."""
    if score <= 0.0 or score >= 1.0:
        return math.copysign(math.inf, score - 0.5)
    return -400.0 * math.log10(1.0 / score - 1.0)


def estimate_pair(counts: Sequence[int]) -> PairEstimate:
    """Estimate from counts of equally spaced scores, lowest first.

    That is (losses, draws, wins), or the five kinds of game pairs.
    Raises RatingError `NO_SCATTER` if all scores are equal: then no interval exists.
    """
    games, top = sum(counts), len(counts) - 1
    scores = [n / top for n in range(top + 1)]
    if sum(count > 0 for count in counts) < 2:
        raise RatingError("NO_SCATTER", f"counts {tuple(counts)} show only one kind of result")
    mean = sum(count * score for count, score in zip(counts, scores, strict=True)) / games
    squares = sum(count * (score - mean) ** 2 for count, score in zip(counts, scores, strict=True))
    deviation = math.sqrt(squares / games)
    error = deviation / math.sqrt(games)
    low, high = elo(mean - NORMAL_95 * error), elo(mean + NORMAL_95 * error)
    unit = 800.0 / math.log(10.0) / math.sqrt(top / 2)
    return PairEstimate(
        score=mean,
        elo=elo(mean),
        elo_error=(high - low) / 2.0,
        normalized=(mean - 0.5) / deviation * unit,
        normalized_error=NORMAL_95 * unit / math.sqrt(games),
        los=NormalDist().cdf((mean - 0.5) / error),
    )
