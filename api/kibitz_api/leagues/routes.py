"""Leagues: JSON and pages."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, status
from fastapi.responses import HTMLResponse
from kibitz_worker.leagues.tables import TIE_BREAKS
from kibitz_worker.store.models import LeagueState
from sqlalchemy.orm import Session

from kibitz_api.bots.queries import bots_of
from kibitz_api.context import Asker, Person, ReadSession, TokenUser, WriteSession
from kibitz_api.creating import KeyHeader, made_once
from kibitz_api.games.queries import titles
from kibitz_api.leagues import queries
from kibitz_api.leagues.answers import full
from kibitz_api.leagues.changes import (
    Change,
    change,
    change_members,
    create,
    preview,
    set_calendar,
)
from kibitz_api.leagues.models import (
    BotRequest,
    CalendarRequest,
    LeagueAnswer,
    LeaguePreview,
    LeagueRequest,
    LeagueSummary,
    SeasonAnswer,
    SeasonSummary,
)
from kibitz_api.paging import Page, Paging, PagingQuery
from kibitz_api.templating import render
from kibitz_api.tournaments.models import LogEntry
from kibitz_api.tournaments.routes import GameFilter

api = APIRouter(prefix="/leagues", tags=["leagues"])
pages = APIRouter(prefix="/leagues")

LeagueId = Annotated[str, Path(pattern=r"^[a-z0-9]{1,16}$", description="Id of a league.")]
Number = Annotated[int, Path(ge=1, le=1_000_000, description="Number of the season.")]
StateFilter = Annotated[LeagueState | None, Query(description="Only in this state.")]
SEASONS_SHOWN = 12


@api.get("")
def list_leagues(
    session: ReadSession, paging: PagingQuery, game: GameFilter = None, state: StateFilter = None
) -> Page[LeagueSummary]:
    """Leagues: those that go on first, then the newest."""
    return queries.newest(session, paging, game=game, state=state)


@api.post("", status_code=status.HTTP_201_CREATED)
def create_league(
    session: WriteSession, person: TokenUser, wanted: LeagueRequest, key: KeyHeader = None
) -> LeagueAnswer:
    """Found a league; its seasons begin by its calendar."""
    made = made_once(
        session,
        person,
        key,
        wanted,
        lambda: create(session, person, wanted),
        lambda made: queries.find(session, made),
        path="leagues",
    )
    return full(session, made)


@api.post("/preview")
def preview_league(
    session: WriteSession, person: TokenUser, wanted: LeagueRequest
) -> LeaguePreview:
    """What a season of a league would come to, and whether it can be; nothing is created."""
    return preview(session, person, wanted)


@api.get("/{league_id}")
def show_league(session: ReadSession, league_id: LeagueId) -> LeagueAnswer:
    """A league: divisions as they stand, who waits, the next dates, what was decided."""
    return full(session, queries.find(session, league_id))


@api.get("/{league_id}/seasons")
def list_seasons(
    session: ReadSession, league_id: LeagueId, paging: PagingQuery
) -> Page[SeasonSummary]:
    """The seasons of a league, the latest first."""
    return queries.seasons(session, queries.find(session, league_id), paging)


@api.get("/{league_id}/seasons/{number}")
def show_season(session: ReadSession, league_id: LeagueId, number: Number) -> SeasonAnswer:
    """A season: its tables, final once it is closed, and who went up and down."""
    return queries.season(session, queries.find(session, league_id), number)


@api.get("/{league_id}/log")
def list_log(session: ReadSession, league_id: LeagueId, paging: PagingQuery) -> Page[LogEntry]:
    """What was decided about a league, and why; the latest first."""
    return queries.log(session, queries.find(session, league_id), paging)


@api.post("/{league_id}/join")
def join_league(
    session: WriteSession, person: TokenUser, league_id: LeagueId, wanted: BotRequest
) -> LeagueAnswer:
    """Let a bot join, or play as another version from the next season on."""
    return full(session, change_members(session, person, league_id, wanted.bot, joins=True))


@api.post("/{league_id}/leave")
def leave_league(
    session: WriteSession, person: TokenUser, league_id: LeagueId, wanted: BotRequest
) -> LeagueAnswer:
    """Let a bot leave; a season under way it plays to its end."""
    return full(session, change_members(session, person, league_id, wanted.bot, joins=False))


@api.post("/{league_id}/calendar")
def change_dates(
    session: WriteSession, person: TokenUser, league_id: LeagueId, wanted: CalendarRequest
) -> LeagueAnswer:
    """Let coming seasons begin by another calendar. Owner only."""
    return full(session, set_calendar(session, person, league_id, wanted))


@api.post("/{league_id}/{action}")
def change_league(
    session: WriteSession, person: TokenUser, league_id: LeagueId, action: Change
) -> LeagueAnswer:
    """Pause a league, resume it, end it for good, or close its season now. Owner only."""
    return full(session, change(session, person, league_id, action))


@pages.get("")
def leagues_page(
    request: Request,
    session: ReadSession,
    paging: PagingQuery,
    game: GameFilter = None,
    state: StateFilter = None,
) -> HTMLResponse:
    """Show leagues, those that go on first."""
    return render(
        request,
        "leagues.html",
        page=queries.newest(session, paging, game=game, state=state),
        page_size=paging.limit,
        games=titles(),
        game=game,
        state=state.value if state else None,
    )


@pages.get("/{league_id}")
def league_page(
    request: Request, session: ReadSession, person: Asker, league_id: LeagueId
) -> HTMLResponse:
    """Show a league: divisions, seasons, dates, log."""
    return show(request, session, person, league_id)


def show(
    request: Request,
    session: Session,
    person: Person | None,
    league_id: str,
    error: str | None = None,
) -> HTMLResponse:
    """Render the page of a league, with what was refused."""
    league = queries.find(session, league_id)
    page = render(
        request,
        "league.html",
        league=full(session, league),
        seasons=queries.seasons(session, league, Paging(SEASONS_SHOWN, 0)),
        mine=bots_of(session, person.name, league.game) if person else [],
        tie_breaks=TIE_BREAKS,
        error=error,
    )
    page.status_code = 409 if error else 200
    return page


@pages.get("/{league_id}/seasons/{number}")
def season_page(
    request: Request, session: ReadSession, league_id: LeagueId, number: Number
) -> HTMLResponse:
    """Show a season with its tables."""
    league = queries.find(session, league_id)
    return render(
        request,
        "season.html",
        league=queries.summaries(session, [league])[0],
        season=queries.season(session, league, number),
    )
