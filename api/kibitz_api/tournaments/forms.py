"""The form for a new tournament, with a preview of how much there will be to play."""

from typing import Annotated

import kibitz
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from kibitz import KibitzError
from kibitz_worker.errors import WorkerError
from kibitz_worker.schedule.formats import FORMATS
from kibitz_worker.store.clocks import DEFAULT_CLOCK
from pydantic import ValidationError
from sqlalchemy.orm import Session

from kibitz_api.bots.queries import admitted_versions
from kibitz_api.context import Asker, Person, ReadSession, TokenUser, WriteSession
from kibitz_api.creating import FormKey, made_by_form, new_key
from kibitz_api.errors import ApiError, NotFoundError
from kibitz_api.games.queries import summary, titles
from kibitz_api.templating import render
from kibitz_api.tournaments.changes import Change, change, create, extend, preview
from kibitz_api.tournaments.form_fields import FIELD_OF, TournamentForm, read
from kibitz_api.tournaments.models import ExtendRequest, Preview, TournamentRequest
from kibitz_api.tournaments.queries import find
from kibitz_api.tournaments.routes import TournamentId

pages = APIRouter(prefix="/tournaments")

FIELDS = frozenset(TournamentForm.model_fields)


def show(
    request: Request,
    session: Session,
    form: TournamentForm,
    *,
    preview: Preview | None = None,
    wrong: dict[str, str] | None = None,
) -> HTMLResponse:
    """Render the form with what was entered, and a preview, or what is wrong beside each field."""
    wrong = wrong or {}
    page = render(
        request,
        "new_tournament.html",
        fields=form,
        games=titles(),
        game=summary(form.game),
        versions=admitted_versions(session, form.game),
        formats=FORMATS,
        clock=DEFAULT_CLOCK,
        preview=preview,
        wrong=wrong,
        error=" ".join(text for name, text in wrong.items() if name not in FIELDS),
    )
    page.status_code = 422 if wrong else 200
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
    return show(request, session, TournamentForm(game=known(game), rated=True, once=new_key()))


@pages.post("/new")
def new_tournament(
    request: Request,
    session: WriteSession,
    person: TokenUser,
    form: Annotated[TournamentForm, Form()],
) -> Response:
    """Preview the tournament that was entered, or create it."""
    known(form.game)
    wanted = read(form)
    if isinstance(wanted, dict):
        return show(request, session, form, wrong=wanted)
    try:
        planned = preview(session, person, wanted)
        if form.action == "create":
            return _created(session, person, form.once, wanted)
    except (KibitzError, WorkerError, ApiError) as refusal:
        return show(request, session, form, wrong={_field(refusal): str(refusal)})
    return show(request, session, form, preview=planned)


def words(refusal: Exception) -> str:
    """Say in a form what was refused."""
    if isinstance(refusal, ValidationError):
        first = refusal.errors()[0]
        return f"{first['loc'][0]}: {first['msg']}"
    return str(refusal)


def _created(session: Session, person: Person, key: str, wanted: TournamentRequest) -> Response:
    with session.begin_nested():
        tournament = made_by_form(
            session,
            person,
            key,
            wanted,
            lambda: create(session, person, wanted),
            lambda made: find(session, made),
            path="tournaments",
        )
    return RedirectResponse(f"/tournaments/{tournament.id}", status_code=303)


def _field(refusal: KibitzError | WorkerError | ApiError) -> str:
    """Beside which field a refusal is shown; empty for none of them."""
    if isinstance(refusal, KibitzError):
        return "preset" if getattr(refusal, "option", None) == "preset" else "options"
    return FIELD_OF.get(refusal.reason, "")


@pages.post("/{tournament_id}/extend")
def extend_by_form(
    session: WriteSession,
    person: TokenUser,
    tournament_id: TournamentId,
    by: Annotated[int, Form(ge=1, le=100_000)],
    once: Annotated[FormKey, Form()] = "",
) -> Response:
    """Let a tournament play longer, from its page."""
    made_by_form(
        session,
        person,
        once,
        ExtendRequest(by=by),
        lambda: extend(session, person, tournament_id, by),
        lambda made: find(session, made),
        path=f"tournaments/{tournament_id}/extend",
    )
    return RedirectResponse(f"/tournaments/{tournament_id}", status_code=303)


@pages.post("/{tournament_id}/{action}")
def change_by_form(
    session: WriteSession, person: TokenUser, tournament_id: TournamentId, action: Change
) -> Response:
    """Pause, resume or cancel a tournament from its page."""
    change(session, person, tournament_id, action)
    return RedirectResponse(f"/tournaments/{tournament_id}", status_code=303)
