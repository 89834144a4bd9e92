"""What the deals of many sets told, kept so that they need not be read again after a restart.

Sums are kept by ten thousand set numbers of a tournament. They are no source of anything: where
sets were added or annulled since, the mark differs and the ledgers of these sets are read again.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz_worker.publishing.ledgers import Ledgers, read_ledgers
from kibitz_worker.ratings.luck import Board
from kibitz_worker.ratings.tally import Part, Sums, Tally
from kibitz_worker.store.models import DealSet, Meta, SetState

CHUNK = 10_000
FORMAT = 1


def chunk_marks(session: Session, tournament: str) -> dict[int, str]:
    """What tells two states of each chunk's finished sets apart, chunks in order."""
    chunk = DealSet.number // CHUNK
    query = (
        select(chunk, func.count(), func.sum(DealSet.number), func.max(DealSet.finished))
        .where(DealSet.tournament_id == tournament, DealSet.state == SetState.DONE)
        .group_by(chunk)
        .order_by(chunk)
    )
    return {
        number: f"{sets} {numbers} {last.isoformat() if last else '-'}"
        for number, sets, numbers, last in session.execute(query)
    }


def load(session: Session, tournament: str, chunk: int, mark: str) -> Ledgers | None:
    """The sums of a chunk in the state that the mark tells; None when they are not kept."""
    row = session.get(Meta, _key(tournament, chunk))
    kept = json.loads(row.value) if row is not None else {}
    if kept.get("format") != FORMAT or kept["mark"] != mark:
        return None
    sums = {Part(*part[:3]): Sums(*part[3:]) for part in kept["parts"]}
    return Ledgers(Tally(sums), [_board(board) for board in kept["boards"]])


def save(session: Session, tournament: str, chunk: int, mark: str, ledgers: Ledgers) -> None:
    """Keep the sums of a chunk. Those with matches without a ledger are not kept: they may come."""
    if ledgers.missing:
        return
    parts = [
        [*part, *(getattr(sums, name) for name in Sums.__slots__)]
        for part, sums in sorted(ledgers.tally.sums.items())
    ]
    boards = [[board.players, board.dealer, board.margins] for board in ledgers.boards]
    kept = {"format": FORMAT, "mark": mark, "parts": parts, "boards": boards}
    value = json.dumps(kept, separators=(",", ":"))
    session.merge(Meta(key=_key(tournament, chunk), value=value))


def _key(tournament: str, chunk: int) -> str:
    return f"ledgers {tournament} {chunk}"


def _board(told: list[Any]) -> Board:
    players, dealer, margins = told
    return Board(tuple(players), dealer, tuple(map(tuple, margins)))


def worth_keeping(before: int, now: int) -> bool:
    """Whether enough sets have come to keep their sums, so that a restart has few to read."""
    return now // CHUNK > before // CHUNK


Unkept = tuple[int, str, Ledgers]
"""A chunk, its mark, and its sums, which were read and may be kept."""


def read_all(
    session: Session, tournament: str, names: tuple[str, ...]
) -> tuple[Ledgers, list[Unkept]]:
    """What all finished sets told: from what is kept, and from the ledgers where nothing is.

    The second value holds what was read from ledgers.
    """
    whole, unkept = Ledgers(), []
    for chunk, mark in chunk_marks(session, tournament).items():
        found = load(session, tournament, chunk, mark)
        if found is None:
            numbers = range(chunk * CHUNK, (chunk + 1) * CHUNK)
            found = read_ledgers(session, tournament, names, numbers=numbers)
            unkept.append((chunk, mark, found))
        whole.add(found)
    return whole, unkept
