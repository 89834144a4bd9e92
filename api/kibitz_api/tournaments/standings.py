"""The standings of a tournament: added up from its finished sets, rated by its snapshot."""

from kibitz.totals import Total, ranked
from kibitz_worker.ratings.ratings import Row
from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Match,
    Pairing,
    SetState,
    Snapshot,
    Tournament,
)
from sqlalchemy import String, cast, func, select
from sqlalchemy.orm import Session

from kibitz_api.leaderboards.queries import Board, open_board
from kibitz_api.tournaments.models import Standing


def standings(session: Session, tournament: Tournament, board: Board | None) -> list[Standing]:
    """All entrants, those with the greatest share of opponents beaten first."""
    tallies = tally(session, tournament)
    ratings = {row.player: row for row in board.ratings.rows} if board else {}
    entrants = {entrant.version.label: entrant for entrant in tournament.entrants}
    order = ranked((label, tallies[entrant.number]) for label, entrant in entrants.items())
    return [
        _standing(rank, entrants[label], total, ratings.get(label))
        for rank, (label, total) in enumerate(order, 1)
    ]


def tally(session: Session, tournament: Tournament) -> dict[int, Total]:
    """What every entrant has done, by its number."""
    tallies = {entrant.number: Total() for entrant in tournament.entrants}
    query = (
        select(DealSet.scores, DealSet.margins, DealSet.deals, Pairing.entrants)
        .join(Pairing, DealSet.pairing_id == Pairing.id)
        .where(DealSet.tournament_id == tournament.id, DealSet.state == SetState.DONE)
    )
    for scores, margins, deals, players in session.execute(query):
        if scores is None or margins is None:
            continue
        for place, number in enumerate(players):
            tallies[number].add(place, scores, margins, deals)
    for number, count in forfeits(session, tournament.id).items():
        tallies[number].forfeits = count
    return tallies


def forfeits(session: Session, tournament_id: str) -> dict[int, int]:
    """Deals that each entrant forfeited, by its number."""
    query = (
        select(Match.forfeits, Match.seating, Pairing.entrants)
        .join(DealSet, Match.set_id == DealSet.id)
        .join(Pairing, DealSet.pairing_id == Pairing.id)
        .where(DealSet.tournament_id == tournament_id, DealSet.state == SetState.DONE)
        .where(Match.forfeits.is_not(None), cast(Match.forfeits, String).not_in(("[]", "null")))
    )
    counts: dict[int, int] = {}
    for found, seating, players in session.execute(query):
        for forfeit in found or ():
            number = players[seating[forfeit["seat"]]]
            counts[number] = counts.get(number, 0) + 1
    return counts


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
