"""The leagues of a bot, and the season a tournament belongs to."""

from kibitz_worker.store.models import Division, League, Member, Season, SeasonDivision
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_api.bots.models import BotLeague
from kibitz_api.leagues.queries import IN
from kibitz_api.tournaments.models import SeasonLink


def leagues_of(session: Session, bot_id: int) -> list[BotLeague]:
    """The leagues that a bot is in and where it stands, those that go on first."""
    here = (Division.league_id == League.id) & (Division.number == Member.division)
    query = (
        select(League, Member, Division.name)
        .join(Member, Member.league_id == League.id)
        .outerjoin(Division, here)
        .where(Member.bot_id == bot_id, IN)
        .order_by(League.ended.is_not(None), League.created.desc())
    )
    return [
        BotLeague(
            league=league.id,
            name=league.name,
            game=league.game,
            state=league.state.value,
            division=division,
            place=None if member.place is None else member.place + 1,
        )
        for league, member, division in session.execute(query)
    ]


def season_of(session: Session, tournament_id: str) -> SeasonLink | None:
    """The season of a league that a tournament is part of, if it is of any."""
    query = (
        select(League.id, League.name, Season.number)
        .join(Season, Season.league_id == League.id)
        .join(SeasonDivision, SeasonDivision.season_id == Season.id)
        .where(SeasonDivision.tournament_id == tournament_id)
    )
    for key, name, number in session.execute(query):
        return SeasonLink(league=key, name=name, season=number)
    return None
