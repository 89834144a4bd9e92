"""Founding leagues, joining and leaving them, and what their organisers do."""

from enum import StrEnum

import kibitz
from kibitz_worker.errors import ConflictError
from kibitz_worker.leagues.changes import (
    calendar_of,
    change_calendar,
    end_league,
    pause_league,
    resume_league,
    season_under_way,
)
from kibitz_worker.leagues.closing import cut_short
from kibitz_worker.leagues.dates import Calendar, check_time_zone
from kibitz_worker.leagues.founding import DivisionPlan, Terms, create_league
from kibitz_worker.leagues.members import join, league_with_id, leave, members_of
from kibitz_worker.leagues.moving import fill
from kibitz_worker.schedule.formats import format_named
from kibitz_worker.store.models import League, User
from kibitz_worker.store.moments import database_now
from kibitz_worker.store.running import Running
from sqlalchemy.orm import Session

from kibitz_api.context import Person
from kibitz_api.errors import ConflictError as NotNow
from kibitz_api.errors import ForbiddenError
from kibitz_api.leagues.answers import coming
from kibitz_api.leagues.models import (
    CalendarRequest,
    DivisionPreview,
    LeaguePreview,
    LeagueRequest,
)
from kibitz_api.tournaments.plans import sized
from kibitz_api.tournaments.speed import expected_seconds

NOT_ALLOWED = {"NOT_YOUR_BOT", "JOINING_CLOSED"}


class Change(StrEnum):
    PAUSE = "pause"
    RESUME = "resume"
    END = "end"
    CLOSE = "close"


def create(session: Session, person: Person, wanted: LeagueRequest) -> League:
    """Found the league that was asked for, and let its first bots join.

    Raises the store's InvalidError and what joining raises; InvalidRequestError for seasons larger
    than can sensibly be played.
    """
    now = database_now(session)
    zone = check_time_zone(wanted.time_zone)
    starts = wanted.starts
    if starts is not None and starts.tzinfo is None:
        starts = starts.replace(tzinfo=zone)
    calendar = Calendar(wanted.cron, wanted.time_zone, wanted.seasons, wanted.late)
    owner = session.get_one(User, person.id)
    league = create_league(session, now, owner, wanted.name, terms_of(wanted), calendar, starts)
    season_size(league)
    for label in dict.fromkeys(wanted.bots):
        join(session, now, owner, league, label)
    return league


def terms_of(wanted: LeagueRequest) -> Terms:
    """The terms of a request, as the store takes them."""
    return Terms(
        game=wanted.game,
        divisions=[DivisionPlan(d.size, d.movers, d.name) for d in wanted.divisions],
        preset=wanted.preset,
        options=wanted.options,
        format=wanted.format,
        format_options=wanted.format_options,
        sets_per_pairing=wanted.sets,
        rated=wanted.rated,
        one_owner=wanted.one_owner,
        running=Running(wanted.priority, wanted.absence, wanted.wait_seconds),
        joining=wanted.joining,
        newcomers=wanted.newcomers,
    )


def season_size(league: League) -> list[DivisionPreview]:
    """How much there is to play in each division when it is full. Raises InvalidRequestError."""
    rules = kibitz.game(league.game, **league.options)
    chosen = format_named(league.format, league.format_options)
    return [
        DivisionPreview(
            **sized(rules, chosen, division.size, league.sets_per_pairing).model_dump(),
            name=division.name,
            size=division.size,
        )
        for division in league.divisions
    ]


def preview(session: Session, person: Person, wanted: LeagueRequest) -> LeaguePreview:
    """Tell what a season would come to. Raises what `create` raises; nothing stays of it."""
    trial = session.begin_nested()
    try:
        league = create(session, person, wanted)
        divisions = season_size(league)
        deals = sum(each.deals for each in divisions)
        waiting = [member.id for member in members_of(session, league)]
        sizes = [each.size for each in divisions]
        tables, _ = fill([[] for _ in sizes], sizes, waiting)
        return LeaguePreview(
            divisions=divisions,
            sets=sum(each.sets for each in divisions),
            matches=sum(each.matches for each in divisions),
            deals=deals,
            seconds=expected_seconds(session, league.game, deals),
            dates=coming(league, database_now(session)),
            bots=[len(table) for table in tables],
            waiting=len(waiting) - sum(len(table) for table in tables),
        )
    finally:
        trial.rollback()


def change_members(
    session: Session, person: Person, league_id: str, label: str, *, joins: bool
) -> League:
    """Let a bot join or leave. Raises ForbiddenError and what the store raises."""
    league = league_with_id(session, league_id)
    asker = session.get_one(User, person.id)
    try:
        (join if joins else leave)(session, database_now(session), asker, league, label)
    except ConflictError as error:
        if error.reason in NOT_ALLOWED:
            raise ForbiddenError(error.reason, f"{error}.") from error
        raise
    return league


def change(session: Session, person: Person, league_id: str, action: Change) -> League:
    """Pause, resume or end a league, or close its season now. Raises ForbiddenError.

    Raises ConflictError (NO_SEASON) when there is no season to be closed.
    """
    league = _own(session, person, league_id)
    asker, now = session.get_one(User, person.id), database_now(session)
    match action:
        case Change.PAUSE:
            pause_league(session, now, asker, league)
        case Change.RESUME:
            resume_league(session, now, asker, league)
        case Change.END:
            end_league(session, now, asker, league)
        case Change.CLOSE:
            season = season_under_way(session, league)
            if season is None:
                raise NotNow("NO_SEASON", f"No season of league {league.id} is under way.")
            cut_short(session, now, league, season, f"closed early by {person.name}")
    return league


def set_calendar(
    session: Session, person: Person, league_id: str, wanted: CalendarRequest
) -> League:
    """Let coming seasons begin by another calendar; what is not given stays.

    Raises ForbiddenError for somebody else's league, and what the store raises.
    """
    league = _own(session, person, league_id)
    before = calendar_of(league)
    values = {
        field: getattr(wanted if field in wanted.model_fields_set else before, field)
        for field in ("cron", "time_zone", "seasons", "late")
    }
    asker = session.get_one(User, person.id)
    return change_calendar(session, database_now(session), asker, league, Calendar(**values))


def _own(session: Session, person: Person, league_id: str) -> League:
    league = league_with_id(session, league_id)
    if league.owner_id != person.id:
        raise ForbiddenError("NOT_THE_OWNER", f"League {league.id} belongs to {league.owner.name}.")
    return league
