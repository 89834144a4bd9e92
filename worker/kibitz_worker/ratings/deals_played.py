"""Deals of many sets as columns, added up by set and part: a row at a time would take minutes."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kibitz_worker.ratings.results import Floats

Kind = Literal["role", "position"]
Lane = tuple[Sequence[int], Sequence[Mapping[str, Any]]]
"""Who sits where (places in the set's players), and an entry for each deal."""
Ints = NDArray[np.int64]

NO_ROLE = -1


class DealsPlayed:
    """Deals of sets that have as many players and as many seats."""

    def __init__(self, players: int, seats: int) -> None:
        self._size, self._seats = players, seats
        self._players: list[Sequence[int]] = []
        self._lanes: list[tuple[int, int]] = []  # set and number of deals
        self._seatings: list[Sequence[int]] = []
        self._dealers: list[int] = []
        # Numbers alone: a hundred thousand lists would be looked through for garbage ever again.
        self._scores = array("d")
        self._roles: list[int] = []
        self._known: dict[tuple[str, ...], int] = {}

    def __len__(self) -> int:
        return len(self._dealers)

    def add_set(self, players: Sequence[int], lanes: Sequence[Lane]) -> None:
        """Add a set by the numbers of its players; its forfeited deals do not count."""
        number = len(self._players)
        self._players.append(players)
        for seating, entries in lanes:
            counted = [entry for entry in entries if "forfeit" not in entry]
            self._lanes.append((number, len(counted)))
            self._seatings.append(seating)
            self._dealers += [entry["dealer"] for entry in counted]
            self._scores.fromlist([score for entry in counted for score in entry["scores"]])
            self._roles += [
                self._known.setdefault(tuple(entry["roles"]), len(self._known))
                if "roles" in entry
                else NO_ROLE
                for entry in counted
            ]

    def sums(self) -> Iterator[tuple[int | None, Kind, str, list[float]]]:
        """Player (None: everybody), kind and name of a part, and what `tally.Sums` has of it."""
        if not self._dealers:
            return
        roles = sorted({role for known in self._known for role in known})
        cells = self._by_set(roles)
        players = np.array(self._players, dtype=np.int64)
        for who, found in ((players, cells), (None, cells.sum(axis=2, keepdims=True))):
            numbers = np.zeros(found.shape[1:3], dtype=np.int64) if who is None else who
            for player, part, row in _over_sets(numbers, found):
                whom = None if who is None else player
                if part < self._size:
                    yield whom, "position", str(part), row
                else:
                    yield whom, "role", roles[part - self._size], row

    def _by_set(self, roles: list[str]) -> Floats:
        """Deals, score, margin and deals above the mean, by set, place and part.

        Seats of one side hold its score, so the first seat of each stands for its position.
        """
        lanes = np.array(self._lanes, dtype=np.int64)
        sets = np.repeat(lanes[:, 0], lanes[:, 1])
        places = np.repeat(np.array(self._seatings, dtype=np.int64), lanes[:, 1], axis=0)
        scores = np.frombuffer(self._scores, dtype=np.float64).reshape(-1, self._seats)
        margins = scores - scores.mean(axis=1, keepdims=True)
        values = (np.ones_like(scores), scores, margins, (margins > 0.0).astype(np.float64))
        parts = self._size + len(roles)
        at = (sets[:, None] * self._size + places) * parts
        dealers = np.array(self._dealers, dtype=np.int64)[:, None]
        keys = at[:, : self._size] + (np.arange(self._size) - dealers) % self._size
        taken = [(keys.ravel(), [value[:, : self._size].ravel() for value in values])]
        if roles:
            played, codes = self._roles_played(roles)
            keys = at[played] + self._size + codes
            taken.append((keys.ravel(), [value[played].ravel() for value in values]))
        shape = (len(self._players), self._size, parts)
        return np.stack([_added(taken, which, shape) for which in range(len(values))])

    def _roles_played(self, roles: list[str]) -> tuple[Ints, Ints]:
        """Which deals have roles, and the number of each seat's role in them."""
        table = np.array([[roles.index(role) for role in known] for known in self._known])
        kinds = np.array(self._roles, dtype=np.int64)
        played = np.flatnonzero(kinds != NO_ROLE)
        return played, table[kinds[played]]


def _added(
    taken: list[tuple[Ints, list[Floats]]], which: int, shape: tuple[int, int, int]
) -> Floats:
    cells = int(np.prod(shape))
    found = [np.bincount(keys, values[which], minlength=cells) for keys, values in taken]
    return np.asarray(sum(found), dtype=np.float64).reshape(shape)


def _over_sets(players: Ints, cells: Floats) -> Iterator[tuple[int, int, list[float]]]:
    """Add sets up by player and part, with the squares and products of each set's sums."""
    parts = cells.shape[3]
    keys = players[:, :, None] * parts + np.arange(parts)
    met = cells[0] > 0.0
    deals, score, margin, won = cells[:, met]
    found, at = np.unique(keys[met], return_inverse=True)
    columns = [np.ones_like(deals), deals, score, margin, won]
    columns += [deals**2, margin**2, margin * deals, won**2, won * deals]
    rows = np.stack([np.bincount(at, column, minlength=len(found)) for column in columns], axis=1)
    for key, row in zip(found.tolist(), rows.tolist(), strict=True):
        yield key // parts, key % parts, row
