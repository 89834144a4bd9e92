"""Lists of finished matches: the latest of all, of a tournament, of a bot."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends
from fastapi import Query as QueryField
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
from kibitz_api.errors import NotFoundError
from kibitz_api.games.queries import title
from kibitz_api.matches.queries import is_open
from kibitz_api.paging import Page, Paging

TOURNAMENTS_MAX = 50
"""A bot's latest matches are looked for in so many tournaments, the newest first."""

FAR = datetime(9999, 1, 1, tzinfo=UTC)
"""The end of a tournament that is not over."""

Query = Select[Match]


@dataclass(frozen=True)
class Pair:
    """Versions whose matches are asked for, by label; None for no matter whom."""

    a: str | None
    b: str | None


def pair_of(
    a: Annotated[
        str | None, QueryField(max_length=130, description="At whose table it sat.")
    ] = None,
    b: Annotated[str | None, QueryField(max_length=130, description="And this one too.")] = None,
) -> Pair:
    """Take the versions that the query asks for."""
    return Pair(a, b)


PairQuery = Annotated[Pair, Depends(pair_of)]


def finished_matches() -> Query:
    """All finished matches; narrow it with `of_tournament`."""
    return select(Match).where(Match.state == MatchState.DONE, Match.finished.is_not(None))


def of_tournament(query: Query, tournament_id: str) -> Query:
    """Narrow to the matches of a tournament."""
    return query.where(Match.tournament_id == tournament_id)


def of_pair(session: Session, query: Query, tournament: Tournament, pair: Pair) -> Query:
    """Narrow to the matches at whose table all of these versions sat. Raises NotFoundError."""
    numbers = {entrant.version.label: entrant.number for entrant in tournament.entrants}
    wanted = [(where, label) for where, label in (("a", pair.a), ("b", pair.b)) if label]
    for where, label in wanted:
        if label not in numbers:
            raise NotFoundError("entrant", label, where=f"query.{where}")
    if not wanted:
        return query
    seated = {numbers[label] for _, label in wanted}
    tables = select(Pairing.id, Pairing.entrants).where(Pairing.tournament_id == tournament.id)
    keys = [key for key, players in session.execute(tables) if seated <= set(players)]
    return query.join(Match.set).where(DealSet.pairing_id.in_(keys))


def newest(session: Session, query: Query, paging: Paging) -> Page[RecentMatch]:
    """A part of the matches of a query, those that finished last first."""
    total = session.scalar(query.with_only_columns(func.count()).order_by(None)) or 0
    return Page.of(page_of(session, query, paging), total, paging)


def page_of(session: Session, query: Query, paging: Paging) -> list[RecentMatch]:
    """Read a part of the matches of a query, those that finished last first."""
    return _listed(session, _page(session, query, paging))


def _page(session: Session, query: Query, paging: Paging) -> Sequence[Match]:
    deal_set = selectinload(Match.set)
    return session.scalars(
        query.order_by(Match.finished.desc(), Match.id.desc())
        .limit(paging.limit)
        .offset(paging.offset)
        .options(
            deal_set.selectinload(DealSet.matches),
            deal_set.selectinload(DealSet.pairing),
            deal_set.selectinload(DealSet.tournament),
        )
    ).all()


def of_bot(session: Session, bot_id: int, count: int) -> list[RecentMatch]:
    """The latest matches that a version of the bot played, those that finished last first.

    Tournaments are gone through one by one, the newest first, so that nobody's thousands of old
    matches are read to show a few.
    """
    found: list[tuple[datetime, str]] = []
    for tournament, numbers in _entered(session, bot_id):
        if len(found) >= count and _over_before(tournament, found[count - 1][0]):
            break
        query = of_tournament(finished_matches(), tournament.id).join(Match.set)
        query = query.where(DealSet.pairing_id.in_(_pairings(session, tournament.id, numbers)))
        found += _latest(session, query, count)
        found.sort(reverse=True)
    chosen = select(Match).where(Match.id.in_([key for _, key in found[:count]]))
    return page_of(session, chosen, Paging(count, 0))


def _latest(session: Session, query: Query, count: int) -> list[tuple[datetime, str]]:
    """Read only when matches of a query finished and their ids: few of them are shown."""
    keys = query.with_only_columns(Match.finished, Match.id)
    rows = session.execute(keys.order_by(Match.finished.desc(), Match.id.desc()).limit(count))
    return [(finished, key) for finished, key in rows if finished is not None]


def _entered(session: Session, bot_id: int) -> list[tuple[Tournament, set[int]]]:
    """The tournaments that versions of a bot entered, with their numbers there."""
    query = (
        select(Tournament, Entrant.number)
        .join(Entrant, Entrant.tournament_id == Tournament.id)
        .join(Version, Entrant.version_id == Version.id)
        .where(Version.bot_id == bot_id)
        .order_by(
            func.coalesce(Tournament.finished, FAR).desc(),
            Tournament.created.desc(),
            Tournament.id,
        )
        .limit(TOURNAMENTS_MAX)
    )
    found: dict[str, tuple[Tournament, set[int]]] = {}
    for tournament, number in session.execute(query):
        found.setdefault(tournament.id, (tournament, set()))[1].add(number)
    return list(found.values())


def _pairings(session: Session, tournament_id: str, numbers: set[int]) -> list[int]:
    query = select(Pairing.id, Pairing.entrants).where(Pairing.tournament_id == tournament_id)
    return [key for key, players in session.execute(query) if numbers.intersection(players)]


def _over_before(tournament: Tournament, moment: datetime) -> bool:
    return tournament.finished is not None and tournament.finished < moment


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
        kind=tournament.kind.value,
        game=tournament.game,
        title=title(tournament.game),
        seats=[labels[tournament.id, entrants[player]] for player in match.seating],
        returns=match.returns,
        forfeits=len(match.forfeits or ()),
        finished=match.finished,
        open=is_open(match),
    )
