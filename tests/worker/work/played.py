"""Matches played without a referee, as a referee would report them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from random import Random

from kibitz_worker.store.models import DealSet, Tournament
from kibitz_worker.work.attempts import Retry
from kibitz_worker.work.holder import Holder
from kibitz_worker.work.leases import lease_sets
from kibitz_worker.work.plan import PlannedMatch, SetPlan, plan_set
from kibitz_worker.work.verify import Reported
from sqlalchemy import select
from sqlalchemy.orm import Session

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
RETRY = Retry(max_attempts=3, backoff_seconds=4, quarantine_after=2)


def holder(job: str = "job", seconds: float = 30) -> Holder:
    return Holder("host:1", job, seconds)


def sets_of(session: Session, tournament: Tournament) -> list[DealSet]:
    query = select(DealSet).where(DealSet.tournament_id == tournament.id).order_by(DealSet.number)
    return list(session.scalars(query))


def lease_first(session: Session, tournament: Tournament, who: Holder) -> tuple[DealSet, SetPlan]:
    first = sets_of(session, tournament)[0]
    assert list(lease_sets(session, NOW, who, {first.id: first.attempts + 1})) == [first.id]
    return first, plan_set(session, first)


def play(plan: SetPlan, match: PlannedMatch, seed: int = 0) -> Reported:
    """Play a match at random and report it."""
    chance = Random(f"{seed}:{match.id}")
    playing = plan.game.new_match([plan.names[player] for player in match.seating])
    for luck in match.decks:
        deal = playing.new_deal(luck["deck"], luck["cut"])
        while not deal.over:
            deal.apply(chance.choice(list(deal.legal())))
        playing.finish(deal)
    assert playing.returns is not None
    return Reported(match.id, playing.record(match=match.id).to_json(), playing.returns)


def retold(reported: Reported, **changes: object) -> Reported:
    """The same report with other keys in its record."""
    record = json.loads(reported.record) | changes
    return Reported(reported.match_id, json.dumps(record), reported.returns)
