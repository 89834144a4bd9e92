"""The contracts of Solo Whist: tricks needed and units paid by each opponent."""

from collections.abc import Mapping
from typing import NamedTuple

from kibitz.actions import Action
from kibitz.games.solo_bidding import ACTIONS


class Terms(NamedTuple):
    """What a contract needs (0 tricks: a misere, which takes none) and is worth to each opponent.

    ``over`` is paid for each trick too many, where overtricks count at all (``counts``); each
    trick too few then costs one.
    """

    need: int
    units: int
    counts: bool = False
    over: int = 0

    def extra(self, won: int) -> int:
        """Return what over- or undertricks add to the units, before slams double them."""
        if not self.counts:
            return 0
        return self.over * (won - self.need) if won >= self.need else self.need - won


def _contracts(**terms: Terms) -> Mapping[Action, Terms]:
    return {ACTIONS[ACTIONS.number[code]]: its for code, its in terms.items()}


CONTRACTS = _contracts(
    prop=Terms(8, 1, counts=True, over=1),
    solo=Terms(5, 1, counts=True, over=1),
    misere=Terms(0, 2),
    abundance=Terms(9, 3, counts=True, over=2),
    royal=Terms(9, 3, counts=True, over=2),
    ouverte=Terms(0, 4),
    declared=Terms(13, 6),
)
"""The contracts, lowest first."""

SLAM_CONTRACTS = _contracts(
    prop=Terms(8, 2, counts=True, over=1),
    solo=Terms(5, 2, counts=True, over=1),
    misere=Terms(0, 4),
    abundance=Terms(9, 6, counts=True, over=2),
    royal=Terms(9, 6, counts=True, over=2),
    petit=Terms(12, 7),
    ouverte=Terms(0, 8),
    grand=Terms(13, 12),
)
"""The contracts with slams, lowest first: all units doubled, so that Petit fits in."""


def irish(call: Action, misere: Action) -> Terms:
    """Return the terms of an Irish call: its number of tricks; a misere is worth twelve."""
    if call == misere:
        return Terms(0, 12)
    number = int("".join(filter(str.isdigit, call.code)))
    return Terms(number, number)
