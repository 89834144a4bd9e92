"""Pages of matches, sets and replays."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from kibitz import Record
from kibitz_worker.pruning.archived import archives_folder, record_of

from kibitz_api.context import Asker, ReadSession, ServicesDep
from kibitz_api.errors import NotFoundError
from kibitz_api.limits import REPLAYS
from kibitz_api.matches import queries
from kibitz_api.matches.messages import own_seats
from kibitz_api.matches.moves import move_list
from kibitz_api.matches.par import deals_of
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
    )


@pages.get("/sets/{set_id}")
def set_page(request: Request, session: ReadSession, set_id: SetId) -> HTMLResponse:
    """Show a set with its seatings side by side."""
    answer = queries.set_answer(session, queries.find_set(session, set_id))
    return render(request, "set.html", set=answer)


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
