"""How players fare in each part they play: declarer or defender, dealer or first after the dealer.

Sums are kept by duplicate set, whose deals depend on one another, in a form that can be added up
in any order. Means are ratios over sets, their errors the linearised ones of clusters of unequal
size (as in `margins`): with m the sum of a set, d its deals and R the mean, the variance is
C / (C - 1) * (sum m^2 - 2 R sum m d + R^2 sum d^2) / (sum d)^2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kibitz_worker.ratings.deals_played import DealsPlayed, Kind, Lane
from kibitz_worker.ratings.student import quantile

EVERYBODY = ""
AT_ONCE = 100_000
"""Deals whose columns are added up together."""


class Part(NamedTuple):
    """A part and who plays it: a player's label, or `EVERYBODY`.

    `name` is that of the role, or the number of the position (0 deals, 1 sits after it, ...).
    """

    player: str
    kind: Kind
    name: str


@dataclass(slots=True)
class Sums:
    """Sums over sets; a set adds d deals, score p, margin m and s deals above the table's mean."""

    sets: int = 0
    deals: float = 0.0
    score: float = 0.0
    margin: float = 0.0
    won: float = 0.0
    deals_squared: float = 0.0
    margin_squared: float = 0.0
    margin_deals: float = 0.0
    won_squared: float = 0.0
    won_deals: float = 0.0

    def add(self, other: Sums) -> None:
        """Add the sums of other sets."""
        self.sets += other.sets
        self.deals += other.deals
        self.score += other.score
        self.margin += other.margin
        self.won += other.won
        self.deals_squared += other.deals_squared
        self.margin_squared += other.margin_squared
        self.margin_deals += other.margin_deals
        self.won_squared += other.won_squared
        self.won_deals += other.won_deals


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part's line: means per deal with 95 % bounds (None for fewer than two sets).

    `won` is the share of deals in which the part scored more than the table's mean: the rate of
    success of a declarer.
    """

    player: str
    kind: Kind
    name: str
    sets: int
    deals: int
    score: float
    margin: float
    margin_low: float | None
    margin_high: float | None
    won: float
    won_low: float | None
    won_high: float | None


@dataclass(slots=True)
class Tally:
    """Sums by part; `add` takes those of other tallies, in any order."""

    sums: dict[Part, Sums] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Add another tally."""
        for part, sums in other.sums.items():
            self.sums.setdefault(part, Sums()).add(sums)

    def add_sets(self, sets: Iterable[tuple[Sequence[str], Sequence[Lane]]]) -> None:
        """Add sets: their players' labels, and their matches. Forfeited deals do not count."""
        numbers: dict[str, int] = {}
        waiting: dict[tuple[int, int], DealsPlayed] = {}
        for players, lanes in sets:
            shape = len(players), len(lanes[0][0]) if lanes else 0
            if (deals := waiting.get(shape)) is None:
                deals = waiting[shape] = DealsPlayed(*shape)
            who = [numbers.setdefault(player, len(numbers)) for player in players]
            deals.add_set(who, lanes)
            if len(deals) >= AT_ONCE:
                self._add_deals(waiting.pop(shape), list(numbers))
        for deals in waiting.values():
            self._add_deals(deals, list(numbers))

    def _add_deals(self, deals: DealsPlayed, labels: list[str]) -> None:
        for player, kind, name, sums in deals.sums():
            part = Part(EVERYBODY if player is None else labels[player], kind, name)
            self.sums.setdefault(part, Sums()).add(Sums(round(sums[0]), *sums[1:]))

    def rows(self) -> list[PartRow]:
        """A line for each part, everybody's first, then by player."""
        return [_row(part, self.sums[part]) for part in sorted(self.sums)]


def _row(part: Part, sums: Sums) -> PartRow:
    margin, margin_half = _ratio(sums, sums.margin, sums.margin_squared, sums.margin_deals)
    won, won_half = _ratio(sums, sums.won, sums.won_squared, sums.won_deals)
    return PartRow(
        player=part.player,
        kind=part.kind,
        name=part.name,
        sets=sums.sets,
        deals=round(sums.deals),
        score=sums.score / sums.deals,
        margin=margin,
        margin_low=None if margin_half is None else margin - margin_half,
        margin_high=None if margin_half is None else margin + margin_half,
        won=won,
        won_low=None if won_half is None else max(0.0, won - won_half),
        won_high=None if won_half is None else min(1.0, won + won_half),
    )


def _ratio(sums: Sums, total: float, squared: float, crossed: float) -> tuple[float, float | None]:
    """Mean per deal and half the width of its 95 % interval."""
    mean = total / sums.deals
    if sums.sets < 2:
        return mean, None
    scatter = squared - 2.0 * mean * crossed + mean * mean * sums.deals_squared
    variance = sums.sets / (sums.sets - 1.0) * max(0.0, scatter)
    return mean, quantile(sums.sets - 1) * math.sqrt(variance) / sums.deals
