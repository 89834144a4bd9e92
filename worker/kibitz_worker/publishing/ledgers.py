"""Reading what the deals of finished sets tell about roles, positions and luck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any
from zlib import decompress

from pydantic_core import from_json
from sqlalchemy import LargeBinary, Row, Select, Text, cast, select, type_coerce
from sqlalchemy.orm import Session

from kibitz_worker.ratings.deals_played import Lane
from kibitz_worker.ratings.luck import Board, boards_of
from kibitz_worker.ratings.tally import Tally
from kibitz_worker.store.models import DealSet, Match, Pairing, SetState

ROWS_AT_ONCE = 2_000
LEDGER_BYTES = 2_048
"""Room for most ledgers, longer ones get more; by default far more would be taken for each."""
MOST_BOARDS = 20_000
BOARDS_OF = 10_000
"""More boards of a tournament say hardly more about luck; the first ones, of its first sets, are
kept.
"""


@dataclass(slots=True)
class Ledgers:
    """Sums of all sets, and the boards among them; `missing` counts matches without a ledger."""

    tally: Tally = field(default_factory=Tally)
    boards: list[Board] = field(default_factory=list)
    missing: int = 0

    def add(self, other: Ledgers) -> None:
        """Add what other sets tell."""
        self.tally.add(other.tally)
        self.boards += other.boards[: MOST_BOARDS - len(self.boards)]
        self.missing += other.missing


def read_ledgers(
    session: Session,
    key: str,
    names: tuple[str, ...],
    *,
    after: datetime | None = None,
    numbers: range | None = None,
) -> Ledgers:
    """Read the ledgers of a tournament's finished sets.

    Those that finished `after`, or have one of these `numbers`, if either is given; else all.
    """
    query = _matches_of(key)
    if after is not None:
        query = query.where(DealSet.finished > after)
    if numbers is not None:
        query = query.where(DealSet.number >= numbers.start, DealSet.number < numbers.stop)
    found = Ledgers()
    rows = session.connection().execute(query.execution_options(yield_per=ROWS_AT_ONCE))
    found.tally.add_sets(_sets_of(rows, names, found))
    return found


def _matches_of(key: str) -> Select[int, int, str, str, bytes | None]:
    """Columns as they are stored: making values of them one by one would take most of the time."""
    return (
        select(
            DealSet.number,
            Match.half,
            cast(Pairing.entrants, Text).label("entrants"),
            cast(Match.seating, Text).label("seating"),
            type_coerce(Match.ledger, LargeBinary).label("ledger"),
        )
        .join(DealSet, DealSet.id == Match.set_id)
        .join(Pairing, Pairing.id == DealSet.pairing_id)
        .where(DealSet.tournament_id == key, DealSet.state == SetState.DONE)
        .order_by(DealSet.number, Match.number)
    )


def _sets_of(
    rows: Iterable[Row[int, int, str, str, bytes | None]],
    names: Sequence[str],
    found: Ledgers,
) -> Iterator[tuple[list[str], list[Lane]]]:
    """Players and lanes of each set that is complete; boards and gaps go to what was found."""
    seatings: dict[str, list[int]] = {}
    tables: dict[str, list[str]] = {}
    for number, matches in groupby(rows, key=itemgetter(0)):
        halves: list[int] = []
        lanes: list[Lane] = []
        entrants, missing = "[]", 0
        for _, half, entrants, seating, ledger in matches:  # noqa: B007 - one for all of a set
            if ledger is None:
                missing += 1
                continue
            if seating not in seatings:
                seatings[seating] = from_json(seating)
            halves.append(half)
            lanes.append((seatings[seating], from_json(decompress(ledger, bufsize=LEDGER_BYTES))))
        if missing:
            found.missing += missing
            continue
        if entrants not in tables:
            tables[entrants] = [names[number] for number in from_json(entrants)]
        players = tables[entrants]
        if len(found.boards) < MOST_BOARDS and number < BOARDS_OF:
            found.boards += boards_of(_halves(number, players, halves, lanes))[0]
        yield players, lanes


def _halves(
    number: int, players: Sequence[str], halves: Iterable[int], lanes: Iterable[Lane]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The lanes of a half play the same decks, so that the decks need not be compared again."""
    for half, (seating, entries) in zip(halves, lanes, strict=True):
        deals = [
            {
                "dealer": entry["dealer"],
                "deck": None,
                "scores": entry["scores"],
                "forfeit": "forfeit" in entry,
            }
            for entry in entries
        ]
        seats = [players[place] for place in seating]
        yield f"{number}:{half}", {"seats": seats, "deals": deals}
