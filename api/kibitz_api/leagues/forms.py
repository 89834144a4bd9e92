"""Forms of leagues: founding one with a preview, joining, leaving, and what organisers change."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from kibitz import KibitzError
from kibitz_worker.errors import WorkerError
from kibitz_worker.leagues.founding import FORMATS_OF_LEAGUES
from kibitz_worker.schedule.formats import FORMATS
from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy.orm import Session

from kibitz_api.bots.queries import admitted_versions
from kibitz_api.context import Asker, Person, ReadSession, TokenUser, WriteSession
from kibitz_api.creating import FormKey, made_by_form, new_key
from kibitz_api.errors import ApiError, InvalidRequestError
from kibitz_api.games.queries import summary, titles
from kibitz_api.leagues.changes import Change, change, change_members, create, preview, set_calendar
from kibitz_api.leagues.models import CalendarRequest, DivisionRequest, LeaguePreview, LeagueRequest
from kibitz_api.leagues.queries import find
from kibitz_api.leagues.routes import LeagueId, show
from kibitz_api.templating import render
from kibitz_api.tournaments.forms import known, words
from kibitz_api.tournaments.plans import read_format_options, read_options

pages = APIRouter(prefix="/leagues")

REFUSALS = (KibitzError, WorkerError, ApiError, ValidationError)
ZONES = ("UTC", "Europe/London", "Europe/Rome", "America/New_York", "Asia/Tokyo")


class Fields(BaseModel):
    """What stands in the form."""

    model_config = ConfigDict(extra="ignore")

    game: str
    name: str = ""
    bots: list[str] = []
    divisions: str = "4, 4"
    movers: str = "1"
    sets: int = 10
    format: str = "round_robin"
    format_options: str = ""
    preset: str = ""
    options: str = ""
    cron: str = "0 18 * * fri"
    time_zone: str = "UTC"
    starts: str = ""
    seasons: str = ""
    late: str = "wait"
    joining: str = "anybody"
    newcomers: str = "lowest"
    rated: bool = False
    apart: bool = False
    once: FormKey = ""
    action: str = "preview"


def read_numbers(text: str, what: str) -> list[int]:
    """Whole numbers with commas or spaces. Raises InvalidRequestError (NUMBERS_INVALID)."""
    parts = text.replace(",", " ").split()
    if not parts or not all(part.isascii() and part.isdecimal() for part in parts):
        raise InvalidRequestError(
            "NUMBERS_INVALID",
            f"{what}: give whole numbers with commas, as 8, 8, 6; not {text[:60]!r}.",
            where=what,
        )
    return [int(part[:9]) for part in parts]


def divisions_of(fields: Fields) -> list[DivisionRequest]:
    """The divisions that were entered; one number of movers holds between all of them.

    Raises InvalidRequestError (NUMBERS_INVALID).
    """
    sizes = read_numbers(fields.divisions, "divisions")
    movers = read_numbers(fields.movers, "movers") if len(sizes) > 1 else []
    if len(movers) == 1:
        movers *= len(sizes) - 1
    if len(movers) != len(sizes) - 1:
        raise InvalidRequestError(
            "NUMBERS_INVALID",
            f"movers: between {len(sizes)} divisions there are {len(sizes) - 1} numbers, or one "
            "for all.",
            where="movers",
        )
    return [
        DivisionRequest(size=size, movers=moving)
        for size, moving in zip(sizes, [*movers, 0], strict=True)
    ]


def wanted_of(fields: Fields) -> LeagueRequest:
    """The league that was entered. Raises one of REFUSALS."""
    return LeagueRequest.model_validate(
        {
            "name": fields.name,
            "game": fields.game,
            "divisions": divisions_of(fields),
            "bots": fields.bots,
            "sets": fields.sets,
            "options": read_options(fields.game, fields.options),
            "preset": fields.preset or None,
            "format": fields.format,
            "format_options": read_format_options(fields.format, fields.format_options),
            "rated": fields.rated,
            "one_owner": not fields.apart,
            "starts": fields.starts or None,
            "joining": fields.joining,
            "newcomers": fields.newcomers,
            **calendar_of(fields.cron, fields.time_zone, fields.seasons, fields.late),
        }
    )


def calendar_of(cron: str, time_zone: str, seasons: str, late: str) -> dict[str, object]:
    """The calendar that was entered, as fields of a request; empty ones are none."""
    return {
        "cron": cron.strip() or None,
        "time_zone": time_zone.strip(),
        "seasons": seasons.strip() or None,
        "late": late,
    }


def show_form(
    request: Request,
    session: Session,
    fields: Fields,
    *,
    preview: LeaguePreview | None = None,
    error: str | None = None,
) -> HTMLResponse:
    """Render the form with what was entered, and a preview or what is wrong."""
    page = render(
        request,
        "new_league.html",
        fields=fields,
        games=titles(),
        game=summary(fields.game),
        versions=admitted_versions(session, fields.game),
        formats={name: FORMATS[name] for name in FORMATS_OF_LEAGUES},
        zones=ZONES,
        preview=preview,
        error=error,
    )
    page.status_code = 422 if error else 200
    return page


@pages.get("/new")
def new_league_page(
    request: Request,
    session: ReadSession,
    person: Asker,
    game: Annotated[str | None, Query(max_length=40)] = None,
) -> Response:
    """Show the form for a game."""
    if person is None:
        return RedirectResponse("/login?next=/leagues/new", status_code=303)
    return show_form(request, session, Fields(game=known(game), rated=True, once=new_key()))


@pages.post("/new")
def new_league(
    request: Request,
    session: WriteSession,
    person: TokenUser,
    fields: Annotated[Fields, Form()],
) -> Response:
    """Preview the league that was entered, or found it."""
    known(fields.game)
    try:
        wanted = wanted_of(fields)
        told = preview(session, person, wanted)
        if fields.action == "create":
            return _founded(session, person, fields.once, wanted)
    except REFUSALS as refusal:
        return show_form(request, session, fields, error=words(refusal))
    return show_form(request, session, fields, preview=told)


def _founded(session: Session, person: Person, key: str, wanted: LeagueRequest) -> Response:
    with session.begin_nested():
        league = made_by_form(
            session,
            person,
            key,
            wanted,
            lambda: create(session, person, wanted),
            lambda made: find(session, made),
            path="leagues",
        )
    return RedirectResponse(f"/leagues/{league.id}", status_code=303)


@pages.post("/{league_id}/calendar")
def calendar_by_form(
    request: Request,
    session: WriteSession,
    person: TokenUser,
    league_id: LeagueId,
    cron: Annotated[str, Form(max_length=200)] = "",
    time_zone: Annotated[str, Form(max_length=100)] = "UTC",
    seasons: Annotated[str, Form(max_length=20)] = "",
    late: Annotated[str, Form(max_length=20)] = "wait",
) -> Response:
    """Change the calendar of coming seasons, from the page of the league."""
    try:
        wanted = CalendarRequest.model_validate(calendar_of(cron, time_zone, seasons, late))
        with session.begin_nested():
            set_calendar(session, person, league_id, wanted)
    except REFUSALS as refusal:
        return show(request, session, person, league_id, words(refusal))
    return RedirectResponse(f"/leagues/{league_id}", status_code=303)


@pages.post("/{league_id}/join")
def join_by_form(
    request: Request,
    session: WriteSession,
    person: TokenUser,
    league_id: LeagueId,
    bot: Annotated[str, Form(max_length=130)],
) -> Response:
    """Let a bot join, from the page of the league."""
    return _members(request, session, person, league_id, bot, joins=True)


@pages.post("/{league_id}/leave")
def leave_by_form(
    request: Request,
    session: WriteSession,
    person: TokenUser,
    league_id: LeagueId,
    bot: Annotated[str, Form(max_length=130)],
) -> Response:
    """Let a bot leave, from the page of the league."""
    return _members(request, session, person, league_id, bot, joins=False)


def _members(
    request: Request, session: Session, person: TokenUser, league_id: str, bot: str, *, joins: bool
) -> Response:
    try:
        with session.begin_nested():
            change_members(session, person, league_id, bot, joins=joins)
    except REFUSALS as refusal:
        return show(request, session, person, league_id, words(refusal))
    return RedirectResponse(f"/leagues/{league_id}", status_code=303)


@pages.post("/{league_id}/{action}")
def change_by_form(
    session: WriteSession, person: TokenUser, league_id: LeagueId, action: Change
) -> Response:
    """Pause, resume or end a league, or close its season, from its page."""
    change(session, person, league_id, action)
    return RedirectResponse(f"/leagues/{league_id}", status_code=303)
