"""How much better one bot is than another: mean margin per deal, with errors clustered by set.

The *margin* of a deal is a player's score minus the mean score of the table. The deals of one
duplicate set share their decks, so sets, not deals, are the independent units: the standard error
comes from the spread between sets (linearised ratio estimator), and the interval uses Student's t
with one degree of freedom less than there are sets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple


class SetScores(NamedTuple):
    """What one duplicate set gave; the three tuples have one element a player.

    Attributes:
        deals: how many deals each player played.
        scores: points, summed over the deals.
        margins: points minus the table's mean, summed over the deals.
        returns: match returns, summed over the matches; they decide who won the set.
        forfeits: deals lost by a fault.
    """

    deals: int
    scores: tuple[float, ...]
    margins: tuple[float, ...]
    returns: tuple[float, ...]
    forfeits: tuple[int, ...]


class Standing(NamedTuple):
    """How a player did over some sets.

    Attributes:
        player: the player's name.
        margin: points per deal above the table's mean.
        error: half the width of the margin's 95 % interval; None for fewer than two sets.
        score: points per deal.
        won: share of the sets won; a set won by several counts in parts.
        sets: how many sets.
        deals: how many deals.
        forfeits: how many of them were lost by a fault.
    """

    player: str
    margin: float
    error: float | None
    score: float
    won: float
    sets: int
    deals: int
    forfeits: int


def standings(players: Sequence[str], sets: Sequence[SetScores]) -> list[Standing]:
    """Return how the players did, best margin first; a player is an index into the sets' tuples."""
    rows = [_standing(name, player, sets) for player, name in enumerate(players)]
    return sorted(rows, key=lambda row: -row.margin)


def _standing(name: str, player: int, sets: Sequence[SetScores]) -> Standing:
    deals = sum(each.deals for each in sets)
    mean, error = clustered_mean([(each.margins[player], each.deals) for each in sets])
    return Standing(
        player=name,
        margin=mean,
        error=error,
        score=sum(each.scores[player] for each in sets) / deals if deals else 0.0,
        won=sum(_share(each.returns, player) for each in sets) / len(sets) if sets else 0.0,
        sets=len(sets),
        deals=deals,
        forfeits=sum(each.forfeits[player] for each in sets),
    )


def _share(returns: Sequence[float], player: int) -> float:
    best = max(returns)
    return 1 / returns.count(best) if returns[player] == best else 0.0


def clustered_mean(clusters: Sequence[tuple[float, int]]) -> tuple[float, float | None]:
    """Return the mean of all observations and the half width of its 95 % interval.

    Args:
        clusters: sum and number of the observations of each cluster; observations within a cluster
            may depend on each other, clusters may not.

    Returns:
        Mean (0 if there is nothing) and half width (None for fewer than two clusters).
    """
    number = sum(n for _, n in clusters)
    if not number:
        return 0.0, None
    mean = sum(total for total, _ in clusters) / number
    count = len(clusters)
    if count < 2:
        return mean, None
    squares = sum((total - mean * n) ** 2 for total, n in clusters)
    deviation = math.sqrt(squares * count / (count - 1)) / number
    return mean, student(0.975, count - 1) * deviation


def student(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t.

    Exact for one and two degrees of freedom, otherwise the expansion round the normal quantile
    (Abramowitz and Stegun 26.7.5), good to 0.5 % at 97.5 % from three degrees up.
    """
    if freedom == 1:
        return math.tan(math.pi * (probability - 0.5))
    if freedom == 2:
        return (2 * probability - 1) * math.sqrt(2 / (4 * probability * (1 - probability)))
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / math.pow(freedom, power) for power, term in enumerate(terms, 1))
