"""Whether a bot plays decks better when it meets them again: a test on results.

In a duplicate set a bot meets each deck once in every seat. If it remembers nothing, it is a matter
of chance in which seat it met the deck first: over many decks the later meetings are neither
better nor worse than the first ones. A bot that recognises decks gains in the later ones.

For each row of decks (the half of a set) let x[0], x[1], ... be the bot's margins per deal in the
order in which it met the row, and d = mean(x[1:]) - x[0]. Were another meeting the first one, d
would be the mean of the others less that one; if all are as likely, these values have the mean 0
and the variance v that can be read from them. The sum of d over all rows, divided by the root of
the sum of v, is then nearly normal with mean 0 and variance 1, whatever the game, the opponents or
the luck of the cards: a permutation test in its normal approximation.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple

ALPHA = 0.001
"""How often at most an honest field has a bot flagged, for a tournament looked at once."""

LEAST_ROWS = 20
"""With fewer rows of decks the normal approximation is not trusted, and nobody is flagged."""

Meetings = Sequence[float]
"""A bot's margins per deal with one row of decks, in the order in which it met them."""


class SecondLook(NamedTuple):
    """What the test says of a bot.

    Attributes:
        rows: how many rows of decks it has met more than once.
        gain: points per deal by which later meetings were better than first ones.
        error: standard error of the gain if it remembers nothing.
        p: how likely a bot that remembers nothing gains so much or more.
        flagged: whether that is so unlikely, all bots looked at together, that it should be
            looked into.
    """

    rows: int
    gain: float
    error: float
    p: float
    flagged: bool


def second_looks(bots: Mapping[str, Iterable[Meetings]]) -> dict[str, SecondLook]:
    """Test some bots at once; flags keep ``ALPHA`` over all of them (Holm's method)."""
    tests = {bot: _test([row for row in rows if len(row) > 1]) for bot, rows in bots.items()}
    able = sorted((test.p, bot) for bot, test in tests.items() if test.rows >= LEAST_ROWS)
    for place, (p, bot) in enumerate(able):
        if p * (len(able) - place) > ALPHA:
            break
        tests[bot] = tests[bot]._replace(flagged=True)
    return tests


def _test(rows: Sequence[Meetings]) -> SecondLook:
    total = variance = 0.0
    for row in rows:
        mean, others = fmean(row), len(row) - 1
        gains = [(mean - one) * len(row) / others for one in row]
        total += gains[0]
        variance += fmean(gain * gain for gain in gains)
    if not variance:
        return SecondLook(len(rows), 0.0, 0.0, 1.0, flagged=False)
    deviation = sqrt(variance)
    p = NormalDist().cdf(-total / deviation)
    return SecondLook(len(rows), total / len(rows), deviation / len(rows), p, flagged=False)
