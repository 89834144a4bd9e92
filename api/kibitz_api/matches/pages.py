"""Pages of matches, sets and replays."""

from typing import Annotated

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from kibitz import Record
from kibitz_worker.errors import WorkerError
from kibitz_worker.pruning.archived import archives_folder, record_of
from kibitz_worker.store.models import SetState
from kibitz_worker.store.tournaments import tournament_with_id
from pydantic import ValidationError
from sqlalchemy.orm import Session

from kibitz_api.bots.queries import own_versions
from kibitz_api.context import Asker, Person, ReadSession, ServicesDep, TokenUser, WriteSession
from kibitz_api.creating import FormKey, made_by_form, new_key
from kibitz_api.errors import ApiError, NotFoundError
from kibitz_api.limits import REPLAYS
from kibitz_api.matches import queries
from kibitz_api.matches.annulment import AnnulmentRequest, annul
from kibitz_api.matches.messages import own_seats
from kibitz_api.matches.moves import move_list
from kibitz_api.matches.par import deals_of
from kibitz_api.matches.rematches import RematchRequest, again, rematches_of
from kibitz_api.matches.replay import replay_deals
from kibitz_api.templating import render

pages = APIRouter()

MatchId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,48}$")]
SetId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,40}$")]
Number = Annotated[int, Path(ge=0, le=100_000)]


@pages.get("/matches/{match_id}")
def match_page(
    request: Request,
    session: ReadSession,
    services: ServicesDep,
    person: Asker,
    match_id: MatchId,
) -> HTMLResponse:
    """Show a match and the other seatings of its set."""
    match = queries.find_match(session, match_id)
    shown = queries.is_open(match) and services.limiter.allows(request, "replays", REPLAYS)
    return render(
        request,
        "match.html",
        match=queries.answer(session, match),
        deals=deals_of(session, services.store, match).deals if shown else [],
        set=queries.set_answer(session, match.set),
        messages=own_seats(session, match, person),
        rematches=rematches_of(session, match.id),
        once=new_key(),
        own=own_versions(session, match.set.tournament.game, person),
    )


@pages.post("/matches/{match_id}/rematch")
def rematch_by_form(
    session: WriteSession,
    person: TokenUser,
    match_id: MatchId,
    seat: Annotated[int, Form(ge=0, le=15)],
    bot: Annotated[str, Form(max_length=130)],
    once: Annotated[FormKey, Form()] = "",
) -> Response:
    """Play a match again with a version of one's own, from its page."""
    wanted = RematchRequest(seat=seat, bot=bot)
    made = made_by_form(
        session,
        person,
        once,
        wanted,
        lambda: again(session, person, match_id, wanted),
        lambda made: tournament_with_id(session, made),
        path=f"matches/{match_id}/rematch",
    )
    return RedirectResponse(f"/tournaments/{made.id}", status_code=303)


@pages.get("/sets/{set_id}")
def set_page(request: Request, session: ReadSession, person: Asker, set_id: SetId) -> HTMLResponse:
    """Show a set with its seatings side by side."""
    return show_set(request, session, person, set_id)


@pages.post("/sets/{set_id}/annul")
def annul_by_form(
    request: Request,
    services: ServicesDep,
    session: WriteSession,
    person: TokenUser,
    set_id: SetId,
    reason: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:
    """Strike a set of one's own tournament out, from its page."""
    try:
        with session.begin_nested():
            annul(services.store, session, person, set_id, AnnulmentRequest(reason=reason))
    except ValidationError:
        fault = "Say why, in 3 to 500 characters."
    except (WorkerError, ApiError) as refusal:
        fault = str(refusal)
    else:
        return RedirectResponse(f"/sets/{set_id}", status_code=303)
    page = show_set(request, session, person, set_id, reason=reason, fault=fault)
    page.status_code = 422
    return page


def show_set(
    request: Request,
    session: Session,
    person: Person | None,
    set_id: str,
    *,
    reason: str = "",
    fault: str = "",
) -> HTMLResponse:
    """Render a set, with what was entered to annul it and what is wrong with that."""
    found = queries.find_set(session, set_id)
    own = person is not None and found.tournament.owner_id == person.id
    return render(
        request,
        "set.html",
        set=queries.set_answer(session, found),
        may_annul=own and found.state is SetState.DONE,
        annul_reason=reason,
        annul_fault=fault,
    )


@pages.get("/matches/{match_id}/replay")
def replay_redirect(match_id: MatchId) -> Response:
    """Lead to the first decision of a match."""
    return RedirectResponse(f"/matches/{match_id}/deals/0/0", status_code=307)


@pages.get("/matches/{match_id}/deals/{deal}")
def deal_redirect(match_id: MatchId, deal: Number) -> Response:
    """Lead to the first decision of a deal."""
    return RedirectResponse(f"/matches/{match_id}/deals/{deal}/0", status_code=307)


@pages.get("/matches/{match_id}/deals/{deal}/{step}")
def replay_page(
    request: Request,
    session: ReadSession,
    services: ServicesDep,
    match_id: MatchId,
    deal: Number,
    step: Number,
    seat: Annotated[int | None, Query(ge=0, le=15)] = None,
    open: Annotated[bool, Query()] = False,  # noqa: A002 - the parameter's public name
) -> HTMLResponse:
    """One decision of a match: the viewer, and the same to read without it."""
    services.limiter.check(request, "replays", REPLAYS)
    match = queries.find_match(session, match_id, record=True)
    queries.require_open(match)
    text = record_of(match, archives_folder(services.settings.data_dir))
    record = Record.from_json(text)
    deals = replay_deals(record)
    if deal >= len(deals):
        raise NotFoundError("deal", deal, where="path.deal")
    if step >= len(deals[deal].steps):
        raise NotFoundError("step", step, where="path.step")
    if seat is not None and seat >= record.game.seats:
        raise NotFoundError("seat", seat, where="query.seat")
    return render(
        request,
        "replay.html",
        match=queries.answer(session, match),
        deals=deals,
        deal=deals[deal],
        step=deals[deal].steps[step],
        moves=move_list(deals[deal]),
        seat=seat,
        open=open,
    )
