"""The contracts of Solo Whist: tricks needed and units paid by each opponent."""

from collections.abc import Mapping
from typing import Final

from kibitz.actions import Action
from kibitz.games.solo_whist.bidding import ACTIONS, MISERE


class Terms:
    """What a contract needs (0 tricks: a misere, which takes none) and is worth to each opponent.

    ``over`` is paid for each trick too many, and one for each too few, where such tricks count at
    all; 0 if they never do for this contract.
    """

    __slots__ = ("need", "over", "units")

    def __init__(self, need: int, units: int, over: int = 0) -> None:
        self.need, self.units, self.over = need, units, over

    def made(self, won: int) -> bool:
        """Return whether so many tricks fulfil the contract."""
        return won >= self.need if self.need else won == 0

    def beyond(self, won: int) -> int:
        """Return what over- or undertricks add to the units of base."""
        if not self.over:
            return 0
        return self.over * (won - self.need) if won >= self.need else self.need - won

    def decided(self, won: int, played: int) -> bool:
        """Return whether success or failure is certain after some of the thirteen tricks."""
        if self.need == 0:
            return won > 0
        return won >= self.need or played - won > 13 - self.need


def _contracts(**terms: Terms) -> Mapping[Action, Terms]:
    return {ACTIONS[ACTIONS.number[code]]: its for code, its in terms.items()}


CONTRACTS: Final = _contracts(
    prop=Terms(8, 1, over=1),
    solo=Terms(5, 1, over=1),
    misere=Terms(0, 2),
    abundance=Terms(9, 3, over=2),
    royal=Terms(9, 3, over=2),
    ouverte=Terms(0, 4),
    declared=Terms(13, 6),
)
"""The contracts, lowest first."""

SLAM_CONTRACTS: Final = _contracts(
    prop=Terms(8, 2, over=1),
    solo=Terms(5, 2, over=1),
    misere=Terms(0, 4),
    abundance=Terms(9, 6, over=2),
    royal=Terms(9, 6, over=2),
    petit=Terms(12, 7),
    ouverte=Terms(0, 8),
    grand=Terms(13, 12),
)
"""The contracts with slams, lowest first: all units doubled, so that Petit fits in."""

HIGH: Final = frozenset({"abundance", "royal", "petit", "ouverte", "declared", "grand"})
"""Contracts after which the cards are shuffled, where they are not for each deal."""

NAMED: Final = frozenset({"abundance", "petit", "grand"})
"""Contracts whose maker names trumps; "declared" by option."""

TURNED: Final = frozenset({"prop", "solo", "royal"})
"""Contracts played in the suit turned up."""

BIDDER_LEADS: Final = frozenset({"declared", "petit", "grand"})


def irish(call: Action) -> Terms:
    """Return the terms of an Irish call: its number of tricks; a misere is worth twelve."""
    if call == MISERE:
        return Terms(0, 12)
    number = int("".join(filter(str.isdigit, call.code)))
    return Terms(number, number)
