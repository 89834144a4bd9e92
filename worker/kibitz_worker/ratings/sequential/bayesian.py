"""The log-likelihood ratio of "Bayesian" Elo, for comparing with engine tests that use it.

Results of single games with a parameter for draws: P(win) = 1 / (1 + 10^((drawelo - elo) / 400)),
P(loss) = 1 / (1 + 10^((drawelo + elo) / 400)), the rest draws; drawelo is what the results
themselves give. R. Coulom, "Bayesian Elo Rating" (2008). Pairs of games are not independent under
it, so that plans of tests here do not offer it.
"""

import math
from collections.abc import Sequence

from kibitz_worker.ratings.errors import RatingError


def bayesian_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Log-likelihood ratio of "the difference is elo1" to "it is elo0".

    `counts` are losses, draws and wins. Raises RatingError `NO_SCATTER` unless all three occurred:
    without them there is no drawelo.
    """
    losses, draws, wins = counts
    if min(counts) <= 0:
        raise RatingError(
            "NO_SCATTER", f"counts {tuple(counts)}: losses, draws and wins are needed"
        )
    won, lost = wins / sum(counts), losses / sum(counts)
    drawelo = 200.0 * math.log10((1.0 - lost) / lost * (1.0 - won) / won)

    def likelihood(elo: float) -> float:
        win = 1.0 / (1.0 + math.pow(10.0, (drawelo - elo) / 400.0))
        loss = 1.0 / (1.0 + math.pow(10.0, (drawelo + elo) / 400.0))
        return wins * math.log(win) + losses * math.log(loss) + draws * math.log(1.0 - win - loss)

    return likelihood(elo1) - likelihood(elo0)
