"""Lists of finished matches: the latest of all, of a tournament, of a bot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends
from fastapi import Query as QueryField
from kibitz_worker.store.models import (
    Bot,
    DealSet,
    Entrant,
    Match,
    Pairing,
    Tournament,
    User,
    Version,
)
from kibitz_worker.store.models.bots import bot_label
from sqlalchemy import Select, Text, cast, func, literal, select
from sqlalchemy.orm import Session, joinedload

from kibitz_api.bots.models import RecentMatch
from kibitz_api.errors import NotFoundError
from kibitz_api.games.queries import title
from kibitz_api.matches.queries import is_open
from kibitz_api.paging import Page, Paging

TOURNAMENTS_MAX = 10
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
    """All finished matches; narrow it with `of_tournament`.

    Done are those that have an end; their state stands in no index, and asking for it would read
    them all to count them.
    """
    return select(Match).where(Match.finished.is_not(None))


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
    deal_set = joinedload(Match.set, innerjoin=True)
    others = deal_set.selectinload(DealSet.matches)
    return session.scalars(
        query.order_by(Match.finished.desc(), Match.id.desc())
        .limit(paging.limit)
        .offset(paging.offset)
        .options(
            others.load_only(Match.id, Match.set_id, Match.half, Match.state),
            deal_set.joinedload(DealSet.pairing, innerjoin=True),
            deal_set.joinedload(DealSet.tournament, innerjoin=True),
        )
    ).all()


def of_bot(session: Session, bot_id: int, count: int) -> list[RecentMatch]:
    """The latest matches that a version of the bot played, those that finished last first.

    Tournaments are gone through one by one, the newest first, so that nobody's thousands of old
    matches are read to show a few.
    """
    found: list[tuple[datetime, str]] = []
    entered = _entered(session, bot_id)
    tables = _tables(session, bot_id, entered)
    for tournament, over in entered.items():
        if len(found) >= count and over < found[count - 1][0]:
            break
        newer = found[count - 1][0] if len(found) >= count else None
        found += _latest(session, tournament, tables.get(tournament, []), count, newer)
        found.sort(reverse=True)
    chosen = select(Match).where(Match.id.in_([key for _, key in found[:count]]))
    return page_of(session, chosen, Paging(count, 0))


def _latest(
    session: Session, tournament: str, pairings: list[int], count: int, newer: datetime | None
) -> list[tuple[datetime, str]]:
    """Read only when matches of pairings finished and their ids: few of them are shown.

    Those that are not `newer` than the last one to be shown so far are not looked at.
    """
    since = Match.finished.is_not(None) if newer is None else Match.finished > newer
    keys = (
        select(Match.finished, Match.id)
        .join(DealSet, DealSet.id == Match.set_id)
        .where(
            Match.tournament_id == tournament,
            since,
            DealSet.pairing_id.in_(pairings),
        )
        .order_by(Match.finished.desc(), Match.id.desc())
        .limit(count)
    )
    return [(finished, key) for finished, key in session.execute(keys) if finished is not None]


def _entered(session: Session, bot_id: int) -> dict[str, datetime]:
    """The latest tournaments that versions of a bot entered, with the end of each."""
    over = func.coalesce(Tournament.finished, FAR)
    mine = (
        select(Entrant.tournament_id)
        .join(Version, Entrant.version_id == Version.id)
        .where(Version.bot_id == bot_id)
    )
    query = (
        select(Tournament.id, Tournament.finished)
        .where(Tournament.id.in_(mine))
        .order_by(over.desc(), Tournament.created.desc(), Tournament.id)
        .limit(TOURNAMENTS_MAX)
    )
    return {key: finished or FAR for key, finished in session.execute(query)}


def _tables(session: Session, bot_id: int, tournaments: Iterable[str]) -> dict[str, list[int]]:
    """The pairings in which versions of a bot play, by tournament."""
    numbers = func.replace(cast(Pairing.entrants, Text), " ", "")
    mine = cast(Entrant.number, Text)
    bare = func.replace(func.replace(numbers, "[", ","), "]", ",")
    query = (
        select(Pairing.tournament_id, Pairing.id)
        .join(Entrant, Entrant.tournament_id == Pairing.tournament_id)
        .join(Version, Version.id == Entrant.version_id)
        .where(
            Pairing.tournament_id.in_(list(tournaments)),
            Version.bot_id == bot_id,
            bare.contains(literal(",") + mine + literal(",")),
        )
    )
    found: dict[str, list[int]] = {}
    for tournament, key in session.execute(query):
        found.setdefault(tournament, []).append(key)
    return found


def _listed(session: Session, matches: Sequence[Match]) -> list[RecentMatch]:
    tournaments = {match.set.tournament_id for match in matches}
    labels = _labels(session, tournaments)
    return [_one(match, labels) for match in matches]


def _labels(session: Session, tournaments: Iterable[str]) -> dict[tuple[str, int], str]:
    """The labels of all versions in some tournaments, by tournament and number of the entrant."""
    query = (
        select(Entrant.tournament_id, Entrant.number, Bot.kind, User.name, Bot.name, Version.number)
        .join(Version, Version.id == Entrant.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .join(User, User.id == Bot.owner_id)
        .where(Entrant.tournament_id.in_(tournaments))
    )
    return {
        (tournament, entrant): f"{bot_label(kind, owner, name)}/{number}"
        for tournament, entrant, kind, owner, name, number in session.execute(query)
    }


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
