"""Leagues out of the store: lists, seasons, and where bots stand."""

from collections.abc import Sequence

from kibitz_worker.store.models import (
    Division,
    Event,
    League,
    LeagueState,
    Member,
    Placing,
    Season,
    SeasonState,
    User,
)
from kibitz_worker.store.names import HOUSE
from sqlalchemy import Select, case, func, select
from sqlalchemy.orm import Session, joinedload, selectinload

from kibitz_api.errors import NotFoundError
from kibitz_api.games.queries import title
from kibitz_api.leagues.models import (
    LeagueSummary,
    PlacingAnswer,
    SeasonAnswer,
    SeasonDivisionAnswer,
    SeasonSummary,
)
from kibitz_api.paging import Page, Paging
from kibitz_api.tournaments.models import LogEntry

IN = Member.left.is_(None) | Member.division.is_not(None)


def find(session: Session, league_id: str) -> League:
    """The league with its divisions. Raises NotFoundError."""
    query = select(League).where(League.id == league_id).options(selectinload(League.divisions))
    league = session.scalar(query.options(joinedload(League.owner)))
    if league is None:
        raise NotFoundError("league", league_id, where="path.league_id")
    return league


def newest(
    session: Session,
    paging: Paging,
    *,
    game: str | None = None,
    state: LeagueState | None = None,
) -> Page[LeagueSummary]:
    """Leagues, running ones first, people's before the house's, then the newest."""
    query: Select[League] = select(League).options(joinedload(League.owner))
    if game is not None:
        query = query.where(League.game == game)
    if state is not None:
        query = query.where(League.state == state)
    total = session.scalar(select(func.count()).select_from(query.subquery())) or 0
    ended = case((League.state == LeagueState.ENDED, 1), else_=0)
    houses = case((League.owner.has(User.name == HOUSE), 1), else_=0)
    query = query.order_by(ended, houses, League.created.desc(), League.id)
    found = session.scalars(query.limit(paging.limit).offset(paging.offset)).all()
    return Page.of(summaries(session, found), total, paging)


def summaries(session: Session, leagues: Sequence[League]) -> list[LeagueSummary]:
    """Leagues with how large they are and where they stand."""
    ids = [league.id for league in leagues]
    counts: list[dict[str, int]] = []
    for column in (Division.league_id, Member.league_id):
        query = select(column, func.count()).where(column.in_(ids)).group_by(column)
        query = query.where(IN) if column is Member.league_id else query
        counts.append(dict(session.execute(query).all()))
    last = (
        select(Season.league_id, func.max(Season.number).label("number"))
        .where(Season.league_id.in_(ids))
        .group_by(Season.league_id)
        .subquery()
    )
    same = (Season.league_id == last.c.league_id) & (Season.number == last.c.number)
    seasons = {one.league_id: one for one in session.scalars(select(Season).join(last, same))}
    return [
        _summary(one, counts[0].get(one.id, 0), counts[1].get(one.id, 0), seasons.get(one.id))
        for one in leagues
    ]


def _summary(league: League, divisions: int, bots: int, season: Season | None) -> LeagueSummary:
    return LeagueSummary(
        id=league.id,
        name=league.name,
        game=league.game,
        title=title(league.game),
        state=league.state.value,
        reason=league.reason,
        owner=league.owner.name,
        divisions=divisions,
        bots=bots,
        season=season.number if season else 0,
        season_state=season.state.value if season else None,
        due=league.due,
        cron=league.cron,
        time_zone=league.time_zone,
        created=league.created,
        url=f"/leagues/{league.id}",
    )


def seasons(session: Session, league: League, paging: Paging) -> Page[SeasonSummary]:
    """The seasons of a league, the latest first."""
    query = select(Season).where(Season.league_id == league.id).order_by(Season.number.desc())
    total = session.scalar(select(func.count()).where(Season.league_id == league.id)) or 0
    found = session.scalars(query.limit(paging.limit).offset(paging.offset)).all()
    winners = {
        placing.season_id: placing.member.bot.label
        for placing in session.scalars(
            select(Placing).where(
                Placing.season_id.in_([season.id for season in found]),
                Placing.division == 0,
                Placing.rank == 1,
            )
        )
    }
    items = [_season(season, winners.get(season.id)) for season in found]
    return Page.of(items, total, paging)


def _season(season: Season, winner: str | None) -> SeasonSummary:
    return SeasonSummary(
        number=season.number,
        state=season.state.value,
        reason=season.reason,
        due=season.due,
        made=season.made,
        closed=season.closed,
        winner=winner,
    )


def season(session: Session, league: League, number: int) -> SeasonAnswer:
    """One season with its tables. Raises NotFoundError."""
    query = (
        select(Season)
        .where(Season.league_id == league.id, Season.number == number)
        .options(
            selectinload(Season.divisions),
            selectinload(Season.placings).options(
                joinedload(Placing.member), joinedload(Placing.version)
            ),
        )
    )
    found = session.scalar(query)
    if found is None:
        raise NotFoundError("season", number, where="path.number")
    first = (p.member.bot.label for p in found.placings if (p.division, p.rank) == (0, 1))
    divisions = [
        SeasonDivisionAnswer(
            number=each.division + 1,
            name=league.divisions[each.division].name,
            tournament=each.tournament_id,
            reason=each.reason,
            placings=_placings(found, each.division),
        )
        for each in found.divisions
    ]
    return SeasonAnswer(**_season(found, next(first, None)).model_dump(), divisions=divisions)


def _placings(season: Season, division: int) -> list[PlacingAnswer]:
    here = [placing for placing in season.placings if placing.division == division]
    if season.state is SeasonState.CLOSED:
        here.sort(key=lambda placing: (placing.rank is None, placing.rank, placing.seed))
    return [
        PlacingAnswer(
            rank=placing.rank,
            seed=placing.seed + 1,
            bot=placing.member.bot.label,
            version=placing.version.number if placing.version else None,
            share=placing.share,
            margin=placing.margin,
            sets=placing.sets,
            moved=placing.moved.value if placing.moved else None,
            reason=placing.reason,
        )
        for placing in here
    ]


def log(session: Session, league: League, paging: Paging) -> Page[LogEntry]:
    """What was decided about a league, the latest first."""
    mine = Event.subject == league.id
    query = select(Event).where(mine).order_by(Event.id.desc())
    total = session.scalar(select(func.count()).where(mine)) or 0
    found = session.scalars(query.limit(paging.limit).offset(paging.offset))
    items = [LogEntry(at=each.at, kind=each.kind, reason=each.reason) for each in found]
    return Page.of(items, total, paging)
