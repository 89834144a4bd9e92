"""Sets of files in the order in which they were planned, for tests that may not look ahead."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kibitz_worker.ratings.results import SetResult

NUMBER = re.compile(r"^(.*?)(\d+)\D*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Planned:
    """A set as a file tells it: `result` is None where some of its matches are missing.

    `name` is what the file calls it; sets are numbered by its last digits, or counted where
    `named` is false. `games` holds each match's returns by player, where the file knows them.
    """

    file: str
    name: str
    players: frozenset[str]
    result: SetResult | None
    games: tuple[Mapping[str, float], ...] = ()
    named: bool = True


Unit: TypeAlias = tuple[Planned, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """Sets of a test in order, up to the first that is missing or not complete.

    `left_out` counts the later ones; `stopped_by` names what they wait for.
    """

    sets: tuple[Unit, ...]
    left_out: int
    stopped_by: str | None


def row_of(planned: Iterable[Planned], players: frozenset[str]) -> Row:
    """The sets in which all of these players sat, sets of one unit together.

    Numbers run through all sets of a file whose names begin alike, whoever played them: one that
    no set has is missing, and what comes after it does not count.
    """
    series: dict[tuple[str, str], dict[int, list[Planned]]] = defaultdict(dict)
    for count, each in enumerate(planned):
        stem, number = _numbered(each, count)
        series[each.file, stem].setdefault(number, []).append(each)
    units: list[tuple[int, int, Unit | str]] = []
    for place, numbers in enumerate(series.values()):
        units += [(number, place, unit) for number, unit in _units(numbers, players)]
    units.sort(key=lambda unit: unit[:2])
    found: list[Unit] = []
    for position, (_, _, unit) in enumerate(units):
        if isinstance(unit, str):
            later = sum(isinstance(rest, tuple) for _, _, rest in units[position:])
            return Row(tuple(found), later, unit)
        found.append(unit)
    return Row(tuple(found), 0, None)


def _numbered(each: Planned, count: int) -> tuple[str, int]:
    """What the name begins with and its last number; without a name, its place among all."""
    found = NUMBER.match(each.name) if each.named else None
    return (found[1], int(found[2])) if found else ("", count)


def _units(
    numbers: dict[int, list[Planned]], players: frozenset[str]
) -> Iterator[tuple[int, Unit | str]]:
    """For each number what was played by these players, or in words what is missing."""
    theirs = {n: [p for p in numbers[n] if players <= p.players] for n in sorted(numbers)}
    wanted = max((len(found) for found in theirs.values()), default=0)
    named = next(iter(numbers.values()))[0].named
    before = min(numbers) - 1
    for number, found in theirs.items():
        if named and number != before + 1:
            yield before + 1, f"set {before + 1} is missing"
        before = number
        if found and (len(found) < wanted or any(each.result is None for each in found)):
            yield number, f"set {found[0].name} is not complete"
        elif found:
            yield number, tuple(found)
