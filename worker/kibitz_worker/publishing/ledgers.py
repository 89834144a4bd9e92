"""Reading what the deals of finished sets tell about roles, positions and luck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.ratings.luck import Board, boards_of
from kibitz_worker.ratings.tally import Tally
from kibitz_worker.store.models import DealSet, Match, Pairing, SetState

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
    query = (
        select(
            Match.set_id, DealSet.number, Match.half, Match.seating, Match.ledger, Pairing.entrants
        )
        .join(DealSet, DealSet.id == Match.set_id)
        .join(Pairing, Pairing.id == DealSet.pairing_id)
        .where(DealSet.tournament_id == key, DealSet.state == SetState.DONE)
        .order_by(DealSet.number, Match.number)
    )
    if after is not None:
        query = query.where(DealSet.finished > after)
    if numbers is not None:
        query = query.where(DealSet.number >= numbers.start, DealSet.number < numbers.stop)
    found = Ledgers()
    rows = session.execute(query.execution_options(yield_per=500))
    for set_id, matches in groupby(rows, key=lambda row: row.set_id):
        lanes = list(matches)
        missing = sum(lane.ledger is None for lane in lanes)
        if missing:
            found.missing += missing
            continue
        players = [names[number] for number in lanes[0].entrants]
        found.tally.add_set(players, ((lane.seating, lane.ledger) for lane in lanes))
        if len(found.boards) < MOST_BOARDS and lanes[0].number < BOARDS_OF:
            found.boards += boards_of(_halves(set_id, players, lanes))[0]
    return found


def _halves(
    set_id: str, players: list[str], lanes: Iterable[Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The lanes of a half play the same decks, so that the decks need not be compared again."""
    for lane in lanes:
        deals = [
            {
                "dealer": entry["dealer"],
                "deck": None,
                "scores": entry["scores"],
                "forfeit": "forfeit" in entry,
            }
            for entry in lane.ledger
        ]
        seats = [players[place] for place in lane.seating]
        yield f"{set_id}:{lane.half}", {"seats": seats, "deals": deals}
