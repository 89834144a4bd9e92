"""Strengths of players whose partners change: a side is as strong as the mean of its two players.

P(side A beats side B) = 1 / (1 + e^-(mean of A's thetas - mean of B's)): the Bradley-Terry model
with a design row of halves (T.-K. Huang, C.-J. Lin and R. C. Weng, "Ranking Individuals by Group
Comparisons", Journal of Machine Learning Research 9, 2008, with the mean in place of the sum). So a
player of strength theta is one whose side has that strength when it holds both seats, and elos mean
the same as where nobody has a partner. Partners are never compared with one another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.logistic import logistic
from kibitz_worker.ratings.results import Floats, Ints

PARTS = np.array([0.5, -0.5, 0.5, -0.5])
"""What each seat of a table adds to the lead of the first side: first and third are partners."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Results of sides counted by table: `players` has a row of four for each different table.

    `won` counts the sets that the first and third won, draws as a half, out of `games`.
    """

    players: Ints
    won: Floats
    games: Floats

    def likelihood(self, theta: Floats) -> float:
        """The log-likelihood of these sets."""
        ahead = lead(theta, self.players)
        lost = self.games - self.won
        return float(
            -(self.won * np.logaddexp(0.0, -ahead) + lost * np.logaddexp(0.0, ahead)).sum()
        )

    def slope(self, theta: Floats) -> Floats:
        """Its gradient."""
        surplus = self.won - self.games * logistic(lead(theta, self.players))
        amounts = surplus[:, None] * PARTS
        return np.bincount(self.players.ravel(), amounts.ravel(), len(theta)).astype(np.float64)

    def information(self, theta: Floats) -> Floats:
        """Its negative Hessian."""
        share, size = logistic(lead(theta, self.players)), len(theta)
        weight = self.games * share * (1.0 - share)
        cells = self.players[:, :, None] * size + self.players[:, None, :]
        amounts = weight[:, None, None] * np.outer(PARTS, PARTS)
        total = np.bincount(cells.ravel(), amounts.ravel(), size * size)
        return np.asarray(total.reshape(size, size), dtype=np.float64)


def lead(theta: Floats, players: Ints) -> Floats:
    """How much stronger the first and third of each row are than the second and fourth."""
    return np.asarray(theta[players] @ PARTS, dtype=np.float64)


def count_sides(players: Ints, share: Floats, times: Floats | None = None) -> Sides:
    """Count sets by table; `share` is what the first side won of each, `times` its weight."""
    weight = np.ones(len(share)) if times is None else times
    tables, place = np.unique(players, axis=0, return_inverse=True)
    place = place.reshape(-1)
    won, games = (np.bincount(place, w, len(tables)) for w in (weight * share, weight))
    return Sides(tables, won.astype(np.float64), games.astype(np.float64))
