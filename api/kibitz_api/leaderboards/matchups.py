"""Two versions against each other: what is known of the pair, and the sets that tell it."""

import math

from kibitz_worker.ratings.crosstable import Cell
from kibitz_worker.store.models import DealSet, Entrant, Pairing, SetState, Tournament
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from kibitz_api.errors import NotFoundError
from kibitz_api.leaderboards.queries import Board
from kibitz_api.paging import Page, Paging


class MatchupSet(BaseModel):
    """A set that both played."""

    id: str
    tournament: str
    tournament_name: str
    one: float = Field(description="Returns of the first version, added over the set.")
    two: float
    margin: float = Field(description="First's score less the second's, points a deal.")


class Matchup(BaseModel):
    """What the newest ratings say of two versions; intervals hold 95 %."""

    snapshot: int
    game: str
    pool: str
    one: str
    two: str
    elo: float | None = Field(description="First's Elo less the second's; null: not comparable.")
    elo_error: float | None = Field(description="Standard error of that difference.")
    los: float | None = Field(description="Likelihood that the first is the stronger one.")
    expected: float | None = Field(description="Share of the sets that the Elos let expect.")
    sets: int
    deals: int
    share: float | None = Field(description="Sets won plus half the drawn ones, divided by all.")
    margin: float | None
    p_value: float | None = Field(description="Two-sided, for 'no difference in margin'.")
    significant: bool
    deals_needed: float | None = Field(
        description="Deals each to tell apart, at 95 %, two bots that differ by this margin."
    )
    played: Page[MatchupSet]


def matchup(session: Session, board: Board, one: str, two: str, paging: Paging) -> Matchup:
    """Compare two rated versions. Raises NotFoundError for a label that the board does not have."""
    for where, label in (("a", one), ("b", two)):
        if label not in board.versions:
            raise NotFoundError("version", label, where=where)
    ratings = board.ratings
    difference = ratings.difference(one, two)
    cell = next((cell for cell in ratings.crosstable.of(one) if cell.opponent == two), None)
    return Matchup(
        snapshot=board.snapshot.id,
        game=board.snapshot.game,
        pool=board.snapshot.pool,
        one=one,
        two=two,
        elo=difference[0] if difference else None,
        elo_error=difference[1] if difference else None,
        los=ratings.los(one, two),
        expected=1.0 / (1.0 + 10.0 ** (-difference[0] / 400.0)) if difference else None,
        sets=cell.sets if cell else 0,
        deals=cell.deals if cell else 0,
        share=cell.share if cell else None,
        margin=cell.margin if cell else None,
        p_value=cell.p_value if cell else None,
        significant=bool(cell and cell.significant),
        deals_needed=_needed(board, cell),
        played=_sets(session, board, one, two, paging),
    )


def _needed(board: Board, cell: Cell | None) -> float | None:
    luck = board.snapshot.payload.get("insights", {}).get("luck")
    if not luck or cell is None or cell.margin == 0.0:
        return None
    return float(max(1.0, math.ceil(2.0 * luck["rest"] * (1.959963984540054 / cell.margin) ** 2)))


def _sets(session: Session, board: Board, one: str, two: str, paging: Paging) -> Page[MatchupSet]:
    """The finished rated sets of the pool in which both sat, newest first."""
    first, second = aliased(Entrant), aliased(Entrant)
    ids = [board.versions[label].id for label in (one, two)]
    query = (
        select(DealSet, Pairing.entrants, first.number, second.number, Tournament)
        .join(Pairing, Pairing.id == DealSet.pairing_id)
        .join(Tournament, Tournament.id == DealSet.tournament_id)
        .join(first, (first.tournament_id == Tournament.id) & (first.version_id == ids[0]))
        .join(second, (second.tournament_id == Tournament.id) & (second.version_id == ids[1]))
        .where(
            Tournament.pool == board.snapshot.pool,
            Tournament.rated,
            DealSet.state == SetState.DONE,
        )
        .order_by(DealSet.finished.desc(), DealSet.id)
    )
    found = []
    for deal_set, entrants, a, b, tournament in session.execute(query.limit(20_000)):
        if a in entrants and b in entrants:
            found.append(_told(deal_set, tournament, entrants.index(a), entrants.index(b)))
    part = found[paging.offset : paging.offset + paging.limit]
    return Page.of(part, len(found), paging)


def _told(deal_set: DealSet, tournament: Tournament, a: int, b: int) -> MatchupSet:
    scores, margins = deal_set.scores or [], deal_set.margins or []
    return MatchupSet(
        id=deal_set.id,
        tournament=tournament.id,
        tournament_name=tournament.name,
        one=scores[a],
        two=scores[b],
        margin=(margins[a] - margins[b]) / max(1, deal_set.deals),
    )
