"""Matches, sets and records as JSON."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, status
from fastapi.responses import Response
from kibitz import Record
from kibitz_worker.pruning.archived import archives_folder, record_of
from kibitz_worker.store.tournaments import tournament_with_id

from kibitz_api.context import ReadSession, ServicesDep, TokenUser, WriteSession
from kibitz_api.creating import KeyHeader, made_once
from kibitz_api.limits import REPLAYS
from kibitz_api.matches import queries
from kibitz_api.matches.annulment import Annulment, AnnulmentRequest, annul
from kibitz_api.matches.messages import lines, owned_log
from kibitz_api.matches.models import MatchAnswer, SetAnswer
from kibitz_api.matches.pages import pages
from kibitz_api.matches.par import DealsAnswer, deals_of
from kibitz_api.matches.rematches import (
    RematchAnswer,
    RematchLine,
    RematchRequest,
    again,
    beside,
    rematches_of,
)
from kibitz_api.matches.replay import replay
from kibitz_api.matches.replay_models import Replay

__all__ = ["api", "pages"]

api = APIRouter(tags=["matches"])

MatchId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,48}$", description="Id of a match.")]
SetId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,40}$", description="Id of a set.")]
RECORD: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}}
}

MESSAGES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}
}


@api.get("/matches/{match_id}")
def show_match(session: ReadSession, match_id: MatchId) -> MatchAnswer:
    """A match and the other seatings of its set."""
    return queries.answer(session, queries.find_match(session, match_id))


@api.get("/matches/{match_id}/deals")
def show_deals(
    request: Request, session: ReadSession, services: ServicesDep, match_id: MatchId
) -> DealsAnswer:
    """The deals of a finished match beside par: what the bot `careful` scores in all seats.

    409 while one of the seatings of its decks can still be played.
    """
    services.limiter.check(request, "replays", REPLAYS)
    return deals_of(session, services.store, queries.find_match(session, match_id))


@api.post("/matches/{match_id}/rematch", status_code=status.HTTP_201_CREATED)
def play_again(
    session: WriteSession,
    person: TokenUser,
    match_id: MatchId,
    wanted: RematchRequest,
    key: KeyHeader = None,
) -> RematchAnswer:
    """Play a match whose set is over again, with a version of yours in one seat; not rated.

    The cards are the same, and the others are the versions that played then. 409 while the cards
    are in play, 422 when one of them cannot play any more.
    """
    made = made_once(
        session,
        person,
        key,
        wanted,
        lambda: again(session, person, match_id, wanted),
        lambda made: tournament_with_id(session, made),
        path=f"matches/{match_id}/rematch",
    )
    return beside(session, made)


@api.get("/matches/{match_id}/rematches")
def list_rematches(session: ReadSession, match_id: MatchId) -> list[RematchLine]:
    """The latest rematches of a match."""
    queries.find_match(session, match_id)
    return rematches_of(session, match_id)


@api.get("/tournaments/{tournament_id}/rematch")
def show_rematch(
    session: ReadSession,
    tournament_id: Annotated[str, Path(pattern=r"^[a-z0-9]{1,16}$", description="Its id.")],
) -> RematchAnswer:
    """A rematch deal by deal beside the match that it plays again."""
    return beside(session, tournament_with_id(session, tournament_id))


@api.get("/matches/{match_id}/record", response_class=Response, responses=RECORD)
def show_record(session: ReadSession, services: ServicesDep, match_id: MatchId) -> Response:
    """The record of a finished match, `kibitz-record/1`, byte for byte as it was hashed.

    409 while one of the seatings of its decks can still be played.
    """
    match = queries.find_match(session, match_id, record=True)
    queries.require_open(match)
    return Response(
        record_of(match, archives_folder(services.settings.data_dir)),
        media_type="application/json",
        headers={
            "Content-Disposition": f'inline; filename="kibitz-{match.id}.json"',
            "ETag": f'"{match.record_hash}"',
        },
    )


@api.get("/matches/{match_id}/replay")
def show_replay(
    request: Request, session: ReadSession, services: ServicesDep, match_id: MatchId
) -> Replay:
    """A finished match step by step, with all hands: what the replay viewer shows."""
    services.limiter.check(request, "replays", REPLAYS)
    match = queries.find_match(session, match_id, record=True)
    queries.require_open(match)
    text = record_of(match, archives_folder(services.settings.data_dir))
    return replay(queries.answer(session, match), Record.from_json(text))


@api.get("/matches/{match_id}/messages/{seat}", response_class=Response, responses=MESSAGES)
def show_messages(
    session: ReadSession,
    person: TokenUser,
    match_id: MatchId,
    seat: Annotated[int, Path(ge=0, le=15, description="Seat of your own bot.")],
) -> Response:
    """What your bot heard and said at a seat of a finished match: a JSON object a line.

    The first line says of which match; each further one has the `time` at the referee and either
    `heard` (a message to the bot), `said` (one of the bot) or a `note`, as in docs/protocol.md.
    They are kept for some days. 403 for bots of others, 409 while the decks are in play.
    """
    match = queries.find_match(session, match_id)
    log = owned_log(session, match, seat, person)
    name = f"kibitz-{match.id}-seat-{seat}.jsonl"
    return Response(
        "".join(lines(match, seat, log)),
        media_type="application/x-ndjson",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "private",
        },
    )


@api.get("/sets/{set_id}")
def show_set(session: ReadSession, set_id: SetId) -> SetAnswer:
    """A duplicate set: its seatings side by side, and the attempts it took."""
    return queries.set_answer(session, queries.find_set(session, set_id))


@api.post("/sets/{set_id}/annul")
def annul_set(
    services: ServicesDep,
    session: WriteSession,
    person: TokenUser,
    set_id: SetId,
    wanted: AnnulmentRequest,
) -> Annulment:
    """Strike a finished set of your tournament out: it stays to be read and counts no more."""
    return annul(services.store, session, person, set_id, wanted)
