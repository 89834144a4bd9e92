"""The standings of a tournament: added up from its finished sets, rated by its snapshot."""

from kibitz.totals import Total, ranked
from kibitz_worker.ratings.ratings import Row
from kibitz_worker.store.models import Entrant, Snapshot, Tournament
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz_api.leaderboards.queries import Board, open_board
from kibitz_api.tournaments.models import Standing
from kibitz_api.tournaments.tallies import TALLIES


def standings(session: Session, tournament: Tournament, board: Board | None) -> list[Standing]:
    """All entrants, those with the greatest share of opponents beaten first."""
    tallies = TALLIES.of(session, tournament)
    ratings = {row.player: row for row in board.ratings.rows} if board else {}
    entrants = {entrant.version.label: entrant for entrant in tournament.entrants}
    order = ranked((label, tallies[entrant.number]) for label, entrant in entrants.items())
    return [
        _standing(rank, entrants[label], total, ratings.get(label))
        for rank, (label, total) in enumerate(order, 1)
    ]


def tournament_board(session: Session, tournament_id: str) -> Board | None:
    """The newest ratings within one tournament; None while there are none."""
    newest = select(func.max(Snapshot.id)).where(Snapshot.tournament_id == tournament_id)
    snapshot = session.scalar(select(Snapshot).where(Snapshot.id == newest.scalar_subquery()))
    return open_board(session, snapshot, main=False) if snapshot else None


def _standing(rank: int, entrant: Entrant, total: Total, row: Row | None) -> Standing:
    version = entrant.version
    return Standing(
        rank=rank,
        entrant=entrant.number,
        bot=version.bot.label,
        version=version.number,
        version_id=version.id,
        sets=total.sets,
        deals=total.deals,
        share=total.share,
        points=total.points,
        margin=total.mean_margin,
        margin_low=row.margin_low if row else None,
        margin_high=row.margin_high if row else None,
        forfeits=total.forfeits,
        elo=row.elo if row else None,
        elo_low=row.elo_low if row else None,
        elo_high=row.elo_high if row else None,
        provisional=row.provisional if row else True,
    )
