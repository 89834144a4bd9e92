"""Whose turn it is: owners share the workers evenly, and so do the tournaments of one owner.

A tournament's priority doubles its share with each step. A bot plays in so many jobs at most, so
that a slow one leaves the workers to the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Pairing,
    SetState,
    Tournament,
    TournamentState,
)

IN_HAND = (DealSet.state.in_((SetState.WAITING, SetState.LEASED)), DealSet.job.is_not(None))
"""Sets that a job holds or is to hold."""


class Turns:
    """The running tournaments, and how many jobs of each are under way."""

    def __init__(self, session: Session) -> None:
        query = select(Tournament).where(Tournament.state == TournamentState.RUNNING)
        self._left = list(session.scalars(query.order_by(Tournament.started, Tournament.id)))
        counts = (
            select(DealSet.tournament_id, func.count(DealSet.job.distinct()))
            .where(*IN_HAND)
            .group_by(DealSet.tournament_id)
        )
        self._jobs: Counter[str] = Counter(dict(session.execute(counts).all()))

    def __bool__(self) -> bool:
        return bool(self._left)

    def first(self) -> Tournament:
        """Return the tournament that has least of what is its share, of the owner who has."""
        owners = {tournament.owner_id: 0.0 for tournament in self._left}
        weights = dict(owners)
        for tournament in self._left:
            owner = tournament.owner_id
            owners[owner] += self._jobs[tournament.id]
            weights[owner] = max(weights[owner], weight(tournament))
        return min(
            self._left,
            key=lambda one: (
                owners[one.owner_id] / weights[one.owner_id],
                self._jobs[one.id] / weight(one),
                -one.priority,
            ),
        )

    def took(self, tournament: Tournament) -> None:
        """Count a job more for a tournament."""
        self._jobs[tournament.id] += 1

    def out(self, tournament: Tournament) -> None:
        """Leave a tournament out: it has nothing more to play for now."""
        self._left.remove(tournament)


def weight(tournament: Tournament) -> float:
    """Return how many jobs a tournament may have for one of a tournament of priority 0."""
    return 2.0**tournament.priority


class Seats:
    """In how many jobs each bot plays now, held against the most that it may."""

    def __init__(self, session: Session, most: int) -> None:
        self._most = most
        self._jobs: Counter[int] = Counter()
        if most:
            self._count(session)

    def _count(self, session: Session) -> None:
        keys = select(DealSet.job, DealSet.pairing_id).where(*IN_HAND).distinct().subquery()
        query = select(keys.c.job, Pairing.tournament_id, Pairing.entrants).join(
            keys, keys.c.pairing_id == Pairing.id
        )
        rows = session.execute(query).all()
        bots = bots_of(session, {tournament for _, tournament, _ in rows})
        jobs: dict[str, set[int]] = {}
        for job, tournament, numbers in rows:
            jobs.setdefault(job, set()).update(bots[tournament, number] for number in numbers)
        for players in jobs.values():
            self.took(players)

    def took(self, bots: Iterable[int]) -> None:
        """Count a job more for the bots that play in it."""
        self._jobs.update(set(bots))

    def full(self, bot: int) -> bool:
        """Whether a bot plays in as many jobs as it may."""
        return bool(self._most) and self._jobs[bot] >= self._most


def bots_of(session: Session, tournaments: Collection[str]) -> dict[tuple[str, int], int]:
    """Return the bot of each entrant, by tournament and number."""
    query = select(Entrant).where(Entrant.tournament_id.in_(tournaments))
    found: Sequence[Entrant] = session.scalars(query).all()
    return {(one.tournament_id, one.number): one.version.bot_id for one in found}
