"""Two sets that have the same cards, as a test of versions among company deals them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import kibitz
from kibitz_worker.store.accounts import user_named
from kibitz_worker.store.bots import host_version
from kibitz_worker.store.models import DealSet, Match, MatchState
from kibitz_worker.store.tournaments import create_tournament
from sqlalchemy import select
from sqlalchemy.orm import Session

START = datetime(2030, 1, 1, tzinfo=UTC)


def twin_sets(session: Session) -> tuple[DealSet, DealSet]:
    """Return the first two sets of a test among self-hosted bots; the second is the twin."""
    owner = user_named(session, "ana")
    names = ("one", "two", "three", "four")
    tournament = create_tournament(
        session, owner, "whiskey",
        [host_version(session, owner, name, ["whiskey"]) for name in names],
        options={"end": "deals:3"}, format="versus", format_options={"h1": 1.0, "limit": 16},
    )  # fmt: skip
    query = select(DealSet).where(DealSet.tournament_id == tournament.id).order_by(DealSet.number)
    first, second = session.scalars(query).all()[:2]
    assert second.twin_id == first.id
    return first, second


def play_all(session: Session, deal_set: DealSet) -> None:
    """Note results for all matches of a set."""
    for number, seating in enumerate(kibitz.seatings(kibitz.game("whiskey"))):
        session.add(
            Match(
                id=f"{deal_set.id}-{number}", set_id=deal_set.id, number=number,
                half=seating.half, lane=seating.lane, seating=list(seating.order),
                state=MatchState.DONE, decks=[], deals=3, margins=[1.0, 0.0, -1.0],
                finished=START + timedelta(seconds=number),
            )
        )  # fmt: skip
    session.flush()
    session.refresh(deal_set)
