"""What of each deal of a match the ratings' tables need, kept small beside the record."""

from __future__ import annotations

from typing import TypedDict

import kibitz
from kibitz.errors import KibitzError
from kibitz.match import whole
from kibitz.record import Record
from kibitz.roles import roles
from sqlalchemy import select
from sqlalchemy.orm import undefer

from kibitz_worker.store import Store
from kibitz_worker.store.models import Match, MatchState

AT_ONCE = 100


class Entry(TypedDict, total=False):
    """A deal: who dealt, each seat's score and part; `contract` and `forfeit` only where there is.

    `forfeit` is the seat that forfeited.
    """

    dealer: int
    scores: list[float]
    roles: list[str]
    contract: str
    forfeit: int


def ledger_of(match: kibitz.Match) -> list[Entry]:
    """Return an entry for each deal of a match as replayed."""
    ledger = []
    for played in match.played:
        entry = Entry(dealer=played.deal.dealer, scores=list(whole(played.scores)))
        if played.forfeit is not None:
            entry["forfeit"] = played.forfeit["seat"]
        elif parts := roles(played.deal):
            entry["roles"] = list(parts)
            if played.deal.contract.name:
                entry["contract"] = played.deal.contract.name
        ledger.append(entry)
    return ledger


def backfill(store: Store, most: int | None = None) -> int:
    """Write the ledgers of matches that were played before there were any; return how many.

    Records are replayed, a hundred a transaction; what does not replay any more stays without.
    """
    done, last = 0, ""
    while most is None or done < most:
        with store.write() as session:
            query = (
                select(Match)
                .where(
                    Match.state == MatchState.DONE,
                    Match.ledger.is_(None),
                    Match.record.is_not(None),
                    Match.id > last,
                )
                .order_by(Match.id)
                .limit(AT_ONCE if most is None else min(AT_ONCE, most - done))
                .options(undefer(Match.record))
            )
            found = list(session.scalars(query))
            for match in found:
                match.ledger = _read(match.record or "")
        if not found:
            break
        last = found[-1].id
        done += sum(match.ledger is not None for match in found)
    return done


def _read(record: str) -> list[Entry] | None:
    try:
        return ledger_of(Record.from_json(record).verify())
    except KibitzError:
        return None
