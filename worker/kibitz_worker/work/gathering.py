"""Which sets go into one job: many of few bots, so that each bot is started once for all of them.

The pairing that is furthest behind comes first; others of its bots join it while the job has room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import kibitz
from kibitz.errors import KibitzError
from sqlalchemy import Select, exists, func, or_, select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import (
    DealSet,
    Pairing,
    SetState,
    Tournament,
)

MOST_PROCESSES = 16
"""Bot processes that one job may start, if a table can be had with so few; each takes memory."""

LOOKED_AT = 400
"""Pairings that are looked at for company, those furthest behind first."""

Numbers = Sequence[int]


class Due:
    """The sets of a tournament that are due and that nobody has; `waits` says which may not yet.

    `queue` tells the queue of the jobs in which entrants play, given by their numbers.
    """

    def __init__(
        self,
        session: Session,
        now: datetime,
        tournament: Tournament,
        queue: Callable[[Numbers], str],
        waits: Callable[[Numbers], bool] | None,
    ) -> None:
        self._session = session
        self._tournament = tournament
        self._queue = queue
        self._waiting = self._query(now, waits)

    def together(self, size: int) -> tuple[list[DealSet], Numbers]:
        """Return up to `size` sets for one job, by pairings, and the entrants that play in them."""
        first = self._session.scalar(self._waiting.order_by(DealSet.number).limit(1))
        if first is None:
            return [], ()
        pairing = self._session.get_one(Pairing, first.pairing_id)
        players = set(pairing.entrants)
        found = self._of(pairing.id, size)
        company = self._company(pairing) if len(found) < size else {}
        while company and len(found) < size:
            best = min(company, key=lambda key: len(players | set(company[key])))
            together = players | set(company.pop(best))
            if len(together) > self._most_players():
                break
            players = together
            found += self._of(best, size - len(found))
        return found, sorted(players)

    def _query(self, now: datetime, waits: Callable[[Numbers], bool] | None) -> Select[DealSet]:
        tournament = self._tournament.id
        waiting = select(DealSet).where(
            DealSet.tournament_id == tournament,
            DealSet.state == SetState.WAITING,
            DealSet.job.is_(None),
            or_(DealSet.due.is_(None), DealSet.due <= now),
        )
        if waits is None:
            return waiting
        pairings = select(Pairing.id, Pairing.entrants).where(Pairing.tournament_id == tournament)
        closed = [key for key, numbers in self._session.execute(pairings) if waits(numbers)]
        return waiting.where(DealSet.pairing_id.not_in(closed))

    def _of(self, pairing: int, most: int) -> list[DealSet]:
        query = self._waiting.where(DealSet.pairing_id == pairing).order_by(DealSet.number)
        return list(self._session.scalars(query.limit(most)))

    def _company(self, first: Pairing) -> dict[int, Numbers]:
        """Return the pairings (id: entrants) that may be played along with the first.

        None where sets have each other's decks: no process may meet one twice.
        """
        twins = exists().where(
            DealSet.tournament_id == self._tournament.id, DealSet.twin_id.is_not(None)
        )
        if self._session.scalar(select(twins)):
            return {}
        behind = self._waiting.with_only_columns(DealSet.pairing_id).group_by(DealSet.pairing_id)
        keys = behind.order_by(func.min(DealSet.number)).limit(LOOKED_AT)
        found = self._session.execute(
            select(Pairing.id, Pairing.entrants)
            .where(Pairing.id.in_(keys.scalar_subquery()), Pairing.id != first.id)
            .order_by(Pairing.number)
        )
        queue = self._queue(first.entrants)
        return {key: numbers for key, numbers in found if self._queue(numbers) == queue}

    def _most_players(self) -> int:
        try:
            game = kibitz.game(self._tournament.game, **self._tournament.options)
        except KibitzError:
            return 0
        lanes = {seating.lane for seating in kibitz.seatings(game, game.players)}
        return MOST_PROCESSES // (len(lanes) * game.seats // game.players)
