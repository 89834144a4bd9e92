"""How players fare in each part they play: declarer or defender, dealer or first after the dealer.

Sums are kept by duplicate set, whose deals depend on one another, in a form that can be added up
in any order. Means are ratios over sets, their errors the linearised ones of clusters of unequal
size (as in `margins`): with m the sum of a set, d its deals and R the mean, the variance is
C / (C - 1) * (sum m^2 - 2 R sum m d + R^2 sum d^2) / (sum d)^2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from kibitz_worker.ratings.student import quantile

Kind = Literal["role", "position"]
EVERYBODY = ""


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

    def add_set(self, deals: float, score: float, margin: float, won: float) -> None:
        """Add what one set gave."""
        squares = (deals**2, margin**2, margin * deals, won**2, won * deals)
        self.add(Sums(1, deals, score, margin, won, *squares))

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

    def add_set(self, players: Sequence[str], lanes: Iterable[Lane]) -> None:
        """Add a set: its players' labels, and its matches. Forfeited deals do not count."""
        found: _Found = {}
        for seating, entries in lanes:
            labels = [players[place] for place in seating]
            for entry in entries:
                if "forfeit" not in entry:
                    _add_deal(found, labels, len(players), entry)
        everybody: dict[tuple[Kind, str], list[float]] = {}
        for (player, kind, name), sums in found.items():
            self.sums.setdefault(Part(player, kind, name), Sums()).add_set(*sums)
            total = everybody.setdefault((kind, name), [0.0] * 4)
            total[:] = [a + b for a, b in zip(total, sums, strict=True)]
        for (kind, name), sums in everybody.items():
            self.sums.setdefault(Part(EVERYBODY, kind, name), Sums()).add_set(*sums)

    def rows(self) -> list[PartRow]:
        """A line for each part, everybody's first, then by player."""
        return [_row(part, self.sums[part]) for part in sorted(self.sums)]


Lane = tuple[Sequence[int], Sequence[Mapping[str, Any]]]
"""Who sits where (places in the set's players), and an entry for each deal."""


_Found = dict[tuple[str, Kind, str], list[float]]
"""Deals, score, margin and deals above the mean, by player, kind and name of a part."""


def _add_deal(found: _Found, labels: list[str], size: int, entry: Mapping[str, Any]) -> None:
    """Seats of one side hold its score, so the first seat of each stands for its position."""
    scores, roles, dealer = entry["scores"], entry.get("roles"), entry["dealer"]
    mean = sum(scores) / len(scores)
    for seat, score in enumerate(scores):
        label = labels[seat]
        if seat < size:
            _add(found, (label, "position", str((seat - dealer) % size)), score, mean)
        if roles:
            _add(found, (label, "role", roles[seat]), score, mean)


def _add(found: _Found, part: tuple[str, Kind, str], score: float, mean: float) -> None:
    sums = found.get(part)
    if sums is None:
        sums = found[part] = [0.0] * 4
    sums[0] += 1.0
    sums[1] += score
    sums[2] += score - mean
    sums[3] += score > mean


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
