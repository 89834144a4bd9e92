"""The history of ratings: a point for each version and completed round, with what was expected."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from kibitz_worker.publishing.results import columns_of
from kibitz_worker.ratings import Ratings, SetColumns
from kibitz_worker.ratings.bradley_terry import shares
from kibitz_worker.ratings.log import read_log
from kibitz_worker.ratings.logistic import logistic
from kibitz_worker.ratings.strength import SCALE
from kibitz_worker.store.models import (
    Attempt,
    DealSet,
    Entrant,
    Pairing,
    RatingPoint,
    SetState,
    Snapshot,
    Tournament,
)

OPEN = (SetState.WAITING, SetState.LEASED)


def completed_rounds(session: Session, tournament: str) -> list[int]:
    """Rounds of a tournament whose sets are all over and that have no points in the history."""
    told = select(RatingPoint.round).where(RatingPoint.tournament_id == tournament)
    query = (
        select(Pairing.round)
        .join(DealSet, DealSet.pairing_id == Pairing.id)
        .where(Pairing.tournament_id == tournament, Pairing.round.not_in(told))
        .group_by(Pairing.round)
        .having(func.sum(case((DealSet.state.in_(OPEN), 1), else_=0)) == 0)
        .having(func.sum(case((DealSet.state == SetState.DONE, 1), else_=0)) > 0)
        .order_by(Pairing.round)
    )
    return list(session.scalars(query))


def add_points(
    session: Session, tournament: Tournament, number: int, snapshot: Snapshot, ratings: Ratings
) -> int:
    """Add the points of a completed round, as the snapshot rates its players; return how many."""
    before = _ratings_before(session, tournament.id, number, snapshot.pool)
    query = select(Entrant).where(Entrant.tournament_id == tournament.id).order_by(Entrant.number)
    entrants = list(session.scalars(query))
    names = tuple(entrant.version.label for entrant in entrants)
    told = expectations(_round(session, tournament.id, number, names), ratings, before)
    rows = {row.player: row for row in ratings.rows}
    versions = {entrant.version.label: entrant.version_id for entrant in entrants}
    for player, (games, actual, expected, start) in told.items():
        row = rows[player]
        session.add(
            RatingPoint(
                pool=snapshot.pool,
                game=snapshot.game,
                tournament_id=tournament.id,
                round=number,
                version_id=versions[player],
                snapshot=snapshot.id,
                created=snapshot.created,
                elo=row.elo,
                elo_low=row.elo_low,
                elo_high=row.elo_high,
                rank=row.rank,
                sets=row.sets,
                games=games,
                before=start,
                expected=expected,
                actual=actual,
            )
        )
    return len(told)


def _ratings_before(session: Session, tournament: str, number: int, pool: str) -> Ratings | None:
    """The last ratings of a pool published before the first set of a round was begun."""
    first = (
        select(func.min(Attempt.started))
        .join(DealSet, DealSet.id == Attempt.set_id)
        .join(Pairing, Pairing.id == DealSet.pairing_id)
        .where(DealSet.tournament_id == tournament, Pairing.round == number)
    )
    query = (
        select(Snapshot)
        .where(
            Snapshot.pool == pool,
            Snapshot.tournament_id.is_(None),
            Snapshot.created < first.scalar_subquery(),
        )
        .order_by(Snapshot.id.desc())
        .limit(1)
    )
    found = session.scalar(query)
    return Ratings.from_json(found.payload) if found else None


def _round(
    session: Session, tournament: str, number: int, names: tuple[str, ...]
) -> list[SetColumns]:
    query = (
        select(DealSet.scores, DealSet.margins, DealSet.deals, Pairing.entrants)
        .join(Pairing, Pairing.id == DealSet.pairing_id)
        .where(
            DealSet.tournament_id == tournament,
            DealSet.state == SetState.DONE,
            Pairing.round == number,
        )
        .order_by(DealSet.number)
    )
    groups = defaultdict(list)
    for row in session.execute(query):
        groups[len(row.entrants)].append(row)
    return [columns_of(names, rows) for rows in groups.values()]


Told = tuple[int, float, float | None, float | None]


def expectations(
    results: list[SetColumns], ratings: Ratings, before: Ratings | None
) -> dict[str, Told]:
    """For each player of some sets: opponents met, points won, points expected, elo before.

    Expected are the points that the ratings before these sets give; an opponent that had none then
    counts as it is rated now. A player without a rating before has no expectation (None).
    """
    log = read_log(results)
    earlier = {row.player: row.elo for row in before.rows} if before else {}
    now = {row.player: row.elo for row in ratings.rows}
    theta = np.array([earlier.get(name, now.get(name, 0.0)) for name in log.names]) / SCALE
    games, won, hoped = np.zeros(log.size), np.zeros(log.size), np.zeros(log.size)
    for block in log.blocks:
        for left, right in block.pairs():
            one, two = block.players[:, left], block.players[:, right]
            share, chance = shares(block, left, right), logistic(theta[one] - theta[two])
            for who, got, due in ((one, share, chance), (two, 1.0 - share, 1.0 - chance)):
                games += np.bincount(who, minlength=log.size)
                won += np.bincount(who, got, log.size)
                hoped += np.bincount(who, due, log.size)
    return {
        name: (
            round(games[n]),
            float(won[n]),
            float(hoped[n]) if name in earlier else None,
            earlier.get(name),
        )
        for n, name in enumerate(log.names)
    }
