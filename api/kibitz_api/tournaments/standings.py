"""The standings of a tournament: added up from its finished sets, rated by its snapshot."""

from dataclasses import dataclass

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


@dataclass
class Tally:
    """What an entrant has done in finished sets."""

    sets: int = 0
    deals: int = 0
    beaten: float = 0.0
    opponents: int = 0
    points: float = 0.0
    margin: float = 0.0
    forfeits: int = 0

    def add(self, place: int, scores: list[float], margins: list[float], deals: int) -> None:
        """Count one set, in which the entrant is the player at this place."""
        own = scores[place]
        others = scores[:place] + scores[place + 1 :]
        self.sets += 1
        self.deals += deals
        self.beaten += sum((own > other) + (own == other) / 2 for other in others)
        self.opponents += len(others)
        self.points += own
        self.margin += margins[place]


def standings(session: Session, tournament: Tournament, board: Board | None) -> list[Standing]:
    """All entrants, those with the greatest share of opponents beaten first."""
    tallies = tally(session, tournament)
    ratings = {row.player: row for row in board.ratings.rows} if board else {}
    found = [
        _standing(entrant, tallies[entrant.number], ratings.get(entrant.version.label))
        for entrant in tournament.entrants
    ]
    found.sort(key=lambda s: (-(s.share if s.share is not None else -1), -s.points, s.bot))
    return [standing.model_copy(update={"rank": n}) for n, standing in enumerate(found, 1)]


def tally(session: Session, tournament: Tournament) -> dict[int, Tally]:
    """What every entrant has done, by its number."""
    tallies = {entrant.number: Tally() for entrant in tournament.entrants}
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


def _standing(entrant: Entrant, tally: Tally, row: Row | None) -> Standing:
    version = entrant.version
    return Standing(
        rank=0,
        entrant=entrant.number,
        bot=version.bot.label,
        version=version.number,
        version_id=version.id,
        sets=tally.sets,
        deals=tally.deals,
        share=tally.beaten / tally.opponents if tally.opponents else None,
        points=tally.points,
        margin=tally.margin / tally.deals if tally.deals else None,
        margin_low=row.margin_low if row else None,
        margin_high=row.margin_high if row else None,
        forfeits=tally.forfeits,
        elo=row.elo if row else None,
        elo_low=row.elo_low if row else None,
        elo_high=row.elo_high if row else None,
        provisional=row.provisional if row else True,
    )
