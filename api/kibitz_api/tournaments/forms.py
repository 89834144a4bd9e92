"""The form for a new tournament, with a preview of how much there will be to play."""

from dataclasses import dataclass, field
from typing import Annotated

import kibitz
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from kibitz import KibitzError
from kibitz_worker.errors import WorkerError
from kibitz_worker.schedule.formats import FORMATS
from pydantic import ValidationError
from sqlalchemy.orm import Session

from kibitz_api.bots.queries import admitted_versions
from kibitz_api.context import Asker, ReadSession, TokenUser, WriteSession
from kibitz_api.errors import ApiError, NotFoundError
from kibitz_api.games.queries import summary, titles
from kibitz_api.templating import render
from kibitz_api.tournaments.changes import Change, change, create, extend, preview
from kibitz_api.tournaments.models import Preview, TournamentRequest
from kibitz_api.tournaments.plans import check_count, read_format_options, read_options
from kibitz_api.tournaments.routes import TournamentId

pages = APIRouter(prefix="/tournaments")

SETS_DEFAULT = 20


@dataclass
class Fields:
    """What stands in the form."""

    game: str
    entrants: list[str] = field(default_factory=list)
    sets: int = SETS_DEFAULT
    name: str = ""
    preset: str = ""
    options: str = ""
    rated: bool = True
    format: str = "round_robin"
    format_options: str = ""
    one_owner: bool = True
    priority: int = 0


def show(
    request: Request,
    session: Session,
    fields: Fields,
    *,
    preview: Preview | None = None,
    error: str | None = None,
) -> HTMLResponse:
    """Render the form with what was entered, and a preview or what is wrong."""
    page = render(
        request,
        "new_tournament.html",
        fields=fields,
        games=titles(),
        game=summary(fields.game),
        versions=admitted_versions(session, fields.game),
        formats=FORMATS,
        preview=preview,
        error=error,
    )
    page.status_code = 422 if error else 200
    return page


def known(game: str | None) -> str:
    """Take the game chosen, the first one when none is. Raises NotFoundError."""
    names = kibitz.games()
    if game is None:
        return names[0]
    if game not in names:
        raise NotFoundError("game", game, where="game", known=names)
    return game


@pages.get("/new")
def new_tournament_page(
    request: Request,
    session: ReadSession,
    person: Asker,
    game: Annotated[str | None, Query(max_length=40)] = None,
) -> Response:
    """Show the form for a game."""
    if person is None:
        return RedirectResponse("/login?next=/tournaments/new", status_code=303)
    return show(request, session, Fields(known(game)))


@pages.post("/new")
def new_tournament(
    request: Request,
    session: WriteSession,
    person: TokenUser,
    game: Annotated[str, Form(max_length=40)],
    entrants: Annotated[list[str], Form(max_length=200)] = [],  # noqa: B006 - never changed
    sets: Annotated[int, Form(ge=1, le=100_000)] = SETS_DEFAULT,
    name: Annotated[str, Form(max_length=120)] = "",
    preset: Annotated[str, Form(max_length=40)] = "",
    options: Annotated[str, Form(max_length=500)] = "",
    rated: Annotated[bool, Form()] = False,
    format_: Annotated[str, Form(alias="format", max_length=40)] = "round_robin",
    format_options: Annotated[str, Form(max_length=300)] = "",
    apart: Annotated[bool, Form()] = False,
    priority: Annotated[int, Form(ge=-5, le=5)] = 0,
    action: Annotated[str, Form(max_length=20)] = "preview",
) -> Response:
    """Preview the tournament that was entered, or create it."""
    fields = Fields(known(game), entrants, sets, name, preset, options, rated)
    fields.format, fields.format_options = format_, format_options
    fields.one_owner, fields.priority = not apart, priority
    try:
        wanted = _wanted(fields)
        planned = preview(session, person, wanted)
        if action == "create":
            with session.begin_nested():
                tournament = create(session, person, wanted)
            return RedirectResponse(f"/tournaments/{tournament.id}", status_code=303)
    except (KibitzError, WorkerError, ApiError, ValidationError) as refusal:
        return show(request, session, fields, error=words(refusal))
    return show(request, session, fields, preview=planned)


def _wanted(fields: Fields) -> TournamentRequest:
    rules = kibitz.game(fields.game)
    check_count(rules.title, rules.players, len(fields.entrants))
    return TournamentRequest(
        game=fields.game,
        entrants=fields.entrants,
        sets=fields.sets,
        name=fields.name or None,
        options=read_options(fields.game, fields.options),
        preset=fields.preset or None,
        rated=fields.rated,
        format=fields.format,
        format_options=read_format_options(fields.format, fields.format_options),
        one_owner=fields.one_owner,
        priority=fields.priority,
    )


def words(refusal: Exception) -> str:
    """Say in a form what was refused."""
    if isinstance(refusal, ValidationError):
        first = refusal.errors()[0]
        return f"{first['loc'][0]}: {first['msg']}"
    return str(refusal)


@pages.post("/{tournament_id}/extend")
def extend_by_form(
    session: WriteSession,
    person: TokenUser,
    tournament_id: TournamentId,
    by: Annotated[int, Form(ge=1, le=100_000)],
) -> Response:
    """Let a tournament play longer, from its page."""
    extend(session, person, tournament_id, by)
    return RedirectResponse(f"/tournaments/{tournament_id}", status_code=303)


@pages.post("/{tournament_id}/{action}")
def change_by_form(
    session: WriteSession, person: TokenUser, tournament_id: TournamentId, action: Change
) -> Response:
    """Pause, resume or cancel a tournament from its page."""
    change(session, person, tournament_id, action)
    return RedirectResponse(f"/tournaments/{tournament_id}", status_code=303)
