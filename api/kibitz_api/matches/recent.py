"""Lists of finished matches: the latest of all, of a tournament, of a bot."""

from collections.abc import Sequence

from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Match,
    MatchState,
    Pairing,
    Tournament,
    Version,
)
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, selectinload

from kibitz_api.bots.models import RecentMatch
from kibitz_api.games.queries import title
from kibitz_api.matches.queries import is_open
from kibitz_api.paging import Page, Paging

PAIRINGS_MAX = 5_000

Query = Select[Match]


def finished_matches() -> Query:
    """All finished matches; narrow it with `of_tournament` or `of_bot`."""
    return select(Match).join(DealSet).where(Match.state == MatchState.DONE)


def of_tournament(query: Query, tournament_id: str) -> Query:
    """Narrow to the matches of a tournament."""
    return query.where(DealSet.tournament_id == tournament_id)


def newest(session: Session, query: Query, paging: Paging) -> Page[RecentMatch]:
    """A part of the matches of a query, those that finished last first."""
    total = session.scalar(select(func.count()).select_from(query.subquery())) or 0
    return Page.of(page_of(session, query, paging), total, paging)


def page_of(session: Session, query: Query, paging: Paging) -> list[RecentMatch]:
    """Read a part of the matches of a query, those that finished last first."""
    deal_set = selectinload(Match.set)
    found = session.scalars(
        query.order_by(Match.finished.desc(), Match.id.desc())
        .limit(paging.limit)
        .offset(paging.offset)
        .options(
            deal_set.selectinload(DealSet.matches),
            deal_set.selectinload(DealSet.pairing),
            deal_set.selectinload(DealSet.tournament),
        )
    ).all()
    return _listed(session, found)


def of_bot(session: Session, query: Query, bot_id: int) -> Query:
    """Narrow to the matches that a version of the bot played."""
    entered = (
        select(Entrant.tournament_id, Entrant.number)
        .join(Version, Entrant.version_id == Version.id)
        .where(Version.bot_id == bot_id)
    )
    numbers: dict[str, set[int]] = {}
    for tournament, number in session.execute(entered):
        numbers.setdefault(tournament, set()).add(number)
    pairings = select(Pairing.id, Pairing.tournament_id, Pairing.entrants).where(
        Pairing.tournament_id.in_(numbers)
    )
    ids = [
        pairing
        for pairing, tournament, entrants in session.execute(pairings.order_by(Pairing.id.desc()))
        if numbers[tournament] & set(entrants)
    ]
    return query.where(DealSet.pairing_id.in_(ids[:PAIRINGS_MAX]))


def _listed(session: Session, matches: Sequence[Match]) -> list[RecentMatch]:
    tournaments = {match.set.tournament_id for match in matches}
    entrants = session.scalars(select(Entrant).where(Entrant.tournament_id.in_(tournaments)))
    labels = {(e.tournament_id, e.number): e.version.label for e in entrants}
    return [_one(match, labels) for match in matches]


def _one(match: Match, labels: dict[tuple[str, int], str]) -> RecentMatch:
    tournament: Tournament = match.set.tournament
    entrants = match.set.pairing.entrants
    return RecentMatch(
        id=match.id,
        set=match.set_id,
        tournament=tournament.id,
        tournament_name=tournament.name,
        game=tournament.game,
        title=title(tournament.game),
        seats=[labels[tournament.id, entrants[player]] for player in match.seating],
        returns=match.returns,
        forfeits=len(match.forfeits or ()),
        finished=match.finished,
        open=is_open(match),
    )
