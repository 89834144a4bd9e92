"""Which tournaments may need a further round: found by counts, so that most looks cost little."""

from __future__ import annotations

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import DealSet, Entrant, SetState, Tournament, TournamentState
from kibitz_worker.store.planning import format_of

OPEN = (SetState.WAITING, SetState.LEASED)


class Rounds:
    """Remembers how far each tournament was when its format was last asked."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, int, int, str]] = {}

    def due(self, session: Session) -> list[str]:
        """Return the running tournaments whose format would answer otherwise than last time."""
        running = select(Tournament).where(
            Tournament.state == TournamentState.RUNNING, ~Tournament.planned
        )
        tournaments = {tournament.id: tournament for tournament in session.scalars(running)}
        counts = _counts(session, list(tournaments))
        fields = _fields(session, list(tournaments))
        due = []
        for key, tournament in tournaments.items():
            over, open_ = counts.get(key, (0, 0))
            field = fields.get(key, 0)
            when_all = format_of(tournament).looks == "when_all_is_played"
            looked = over, open_, field, str(tournament.format_options)
            if (open_ and when_all) or self._seen.get(key) == looked:
                continue
            self._seen[key] = looked
            due.append(key)
        return due


def _counts(session: Session, tournaments: list[str]) -> dict[str, tuple[int, int]]:
    """Return how many sets of each tournament are over and open."""
    is_open = func.sum(case((DealSet.state.in_(OPEN), 1), else_=0))
    query = (
        select(DealSet.tournament_id, func.count(), is_open)
        .where(DealSet.tournament_id.in_(tournaments))
        .group_by(DealSet.tournament_id)
    )
    return {key: (total - open_, open_) for key, total, open_ in session.execute(query)}


def _fields(session: Session, tournaments: list[str]) -> dict[str, int]:
    """Return how many entrants of each tournament have not left it."""
    query = (
        select(Entrant.tournament_id, func.count())
        .where(Entrant.tournament_id.in_(tournaments), Entrant.left.is_(None))
        .group_by(Entrant.tournament_id)
    )
    return dict(session.execute(query).all())
