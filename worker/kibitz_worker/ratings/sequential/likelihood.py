"""Log-likelihood ratios of counts of outcomes, for expected scores and for normalized ones.

The generalised SPRT: both hypotheses are a set of distributions (those with the hypothetical
expectation), and each is represented by its most likely member given the counts. M. Van den Bergh,
"A Practical Introduction to the GSPRT" (2020) and "Comments on Normalized Elo" (2020), with X. Li,
J. Liu and Z. Ying, "Generalized Sequential Probability Ratio Test for Separate Families of
Hypotheses", Sequential Analysis 33 (2014).

Counts are arrays whose last axis holds the outcomes, worst first, equally spaced from 0 to 1 per
game: losses, draws, wins, or the five kinds of game pairs. Other axes are different samples.
"""

import math
from collections.abc import Callable

import numpy as np

from kibitz_worker.ratings.results import Floats

UNSEEN = 1e-3
"""What counts for an outcome that has not occurred, so that nothing has the probability 0."""

STEPS = 60
ROUNDS = 10


def _frequencies(counts: Floats) -> tuple[Floats, Floats, Floats]:
    """Number of games or pairs, relative frequencies, and the outcomes' scores."""
    seen = np.where(counts > 0, counts, UNSEEN)
    total = seen.sum(axis=-1)
    return total, seen / total[..., None], np.linspace(0.0, 1.0, counts.shape[-1])


def _tilted(p: Floats, phi: Floats) -> Floats:
    """The distribution nearest to p in likelihood that has the expectation 0 of phi.

    It is p / (1 + x phi), and x the root of sum p phi / (1 + x phi), which falls as x grows,
    found by Newton's method kept within bounds. Phi must have both signs.
    """
    low, high = -1.0 / phi.max(axis=-1), -1.0 / phi.min(axis=-1)
    x = np.zeros_like(low)
    for _ in range(STEPS):
        part = phi / (1.0 + x[..., None] * phi)
        value, slope = (p * part).sum(axis=-1), (p * part * part).sum(axis=-1)
        low, high = np.where(value > 0.0, x, low), np.where(value > 0.0, high, x)
        if (np.abs(value) <= 1e-13 * np.sqrt(slope)).all():
            break
        ahead = x + value / slope
        x = np.where((low < ahead) & (ahead < high), ahead, (low + high) / 2.0)
    return np.asarray(p / (1.0 + x[..., None] * phi), dtype=np.float64)


def _ratio(counts: Floats, likely: Callable[[Floats, Floats, float], Floats], h: Floats) -> Floats:
    total, p, scores = _frequencies(np.asarray(counts, dtype=np.float64))
    worse, better = likely(p, scores, float(h[0])), likely(p, scores, float(h[1]))
    return np.asarray(total * (p * np.log(better / worse)).sum(axis=-1), dtype=np.float64)


def expected_score(elo: float) -> float:
    """1 / (1 + 10^(-elo / 400))."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def _with_mean(p: Floats, scores: Floats, mean: float) -> Floats:
    return _tilted(p, np.broadcast_to(scores - mean, p.shape))


def logistic_ratio(counts: Floats, elo0: float, elo1: float) -> Floats:
    """Log-likelihood ratio of "the Elo difference is elo1" to "it is elo0"."""
    return _ratio(counts, _with_mean, np.array([expected_score(elo0), expected_score(elo1)]))


def moments(p: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of distributions over scores."""
    mean = (p * scores).sum(axis=-1)
    return mean, (p * (scores - mean[..., None]) ** 2).sum(axis=-1)


def _with_effect(p: Floats, scores: Floats, effect: float) -> Floats:
    """The likeliest distribution with (mean - 1/2) / sigma = effect, by repeated linearisation."""
    likely = np.full_like(p, 1.0 / p.shape[-1])
    for _ in range(ROUNDS):
        mean, variance = moments(likely, scores)
        sigma = np.sqrt(variance)[..., None]
        spread = ((scores - mean[..., None]) / sigma) ** 2
        after = _tilted(p, scores - 0.5 - effect * sigma * (1.0 + spread) / 2.0)
        done = np.abs(after - likely).max() < 1e-9
        likely = after
        if done:
            break
    return likely


def effect_of(normalized_elo: float, outcomes: int) -> float:
    """Mean over standard deviation of one count's score: a pair's is sqrt(2) times a game's."""
    games = (outcomes - 1) / 2.0
    return normalized_elo * math.log(10.0) / 800.0 * math.sqrt(games)


def normalized_ratio(counts: Floats, elo0: float, elo1: float) -> Floats:
    """Log-likelihood ratio of "the normalized Elo difference is elo1" to "it is elo0"."""
    outcomes = np.shape(counts)[-1]
    effects = np.array([effect_of(elo0, outcomes), effect_of(elo1, outcomes)])
    return _ratio(counts, _with_effect, effects)


def margin_ratio(rows: Floats, h0: float, h1: float) -> Floats:
    """The same for the mean of real values of unknown distribution: n (r(h0)^2 - r(h1)^2) / 2.

    Each row holds number n, mean, variance v and third central moment of the values. With
    d = (mean - h) / s the likeliest distribution of mean h is less likely than that of the values
    by n (d^2 / 2 + G d^3 / 3 + ...), G their skewness (A. Owen, "Empirical Likelihood Ratio
    Confidence Intervals for a Single Functional", Biometrika 75, 1988): leaving out G lets the
    errors on one side exceed what is promised. `_evened` has the same two terms. The scatter
    s^2 = n v / (n - 3) gives the mean, which follows Student's distribution of n - 1 degrees of
    freedom, its variance.
    """
    sizes, means, variances, thirds = np.moveaxis(rows, -1, 0)
    skewness = thirds / variances**1.5
    scatter = np.sqrt(variances * sizes / np.maximum(sizes - 3.0, 1.0))
    worse, better = (_evened((means - h) / scatter, skewness) for h in (h0, h1))
    return np.asarray(sizes * (worse**2 - better**2) / 2.0, dtype=np.float64)


def _evened(distance: Floats, skewness: Floats) -> Floats:
    """The distance d + G d^2 / 3 + ..., growing with d for any G and without end.

    With G d above 0 it is P. Hall's cubic, "On the Removal of Skewness by Transformation", Journal
    of the Royal Statistical Society B 54 (1992). That one is level at G d = -3, where it would
    tell no hypotheses apart; so below 0 a logarithm with the same two terms takes its place.
    """
    pull = skewness * distance / 3.0
    back = np.maximum(-2.0 * pull, 1e-9)
    stretch = np.where(pull > 0.0, 1.0 + pull + pull**2 / 3.0, np.log1p(back) / back)
    return np.asarray(distance * stretch, dtype=np.float64)
