"""The form for a new tournament, with a preview of how much there will be to play."""

from dataclasses import dataclass, field
from typing import Annotated

import kibitz
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from kibitz import KibitzError
from kibitz_worker.errors import WorkerError
from pydantic import ValidationError
from sqlalchemy.orm import Session

from kibitz_api.bots.queries import admitted_versions
from kibitz_api.context import Asker, Person, ReadSession, TokenUser, WriteSession
from kibitz_api.errors import ApiError, NotFoundError
from kibitz_api.games.queries import summary, titles
from kibitz_api.templating import render
from kibitz_api.tournaments.changes import Change, change, create
from kibitz_api.tournaments.models import TournamentRequest
from kibitz_api.tournaments.plans import Plan, plan, read_options
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


def show(
    request: Request,
    session: Session,
    fields: Fields,
    *,
    preview: Plan | None = None,
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
    action: Annotated[str, Form(max_length=20)] = "preview",
) -> Response:
    """Preview the tournament that was entered, or create it."""
    fields = Fields(known(game), entrants, sets, name, preset, options, rated)
    try:
        preview = plan(
            fields.game, len(entrants), sets, read_options(fields.game, options), preset or None
        )
        if action == "create":
            return _created(session, person, fields)
    except (KibitzError, WorkerError, ApiError, ValidationError) as refusal:
        return show(request, session, fields, error=_words(refusal))
    return show(request, session, fields, preview=preview)


def _created(session: Session, person: Person, fields: Fields) -> Response:
    wanted = TournamentRequest(
        game=fields.game,
        entrants=fields.entrants,
        sets=fields.sets,
        name=fields.name or None,
        options=read_options(fields.game, fields.options),
        preset=fields.preset or None,
        rated=fields.rated,
    )
    with session.begin_nested():
        tournament = create(session, person, wanted)
    return RedirectResponse(f"/tournaments/{tournament.id}", status_code=303)


def _words(refusal: Exception) -> str:
    if isinstance(refusal, ValidationError):
        first = refusal.errors()[0]
        return f"{first['loc'][0]}: {first['msg']}"
    return str(refusal)


@pages.post("/{tournament_id}/{action}")
def change_by_form(
    session: WriteSession, person: TokenUser, tournament_id: TournamentId, action: Change
) -> Response:
    """Pause, resume or cancel a tournament from its page."""
    change(session, person, tournament_id, action)
    return RedirectResponse(f"/tournaments/{tournament_id}", status_code=303)
