"""Joining and leaving a ladder: JSON, and the buttons of its page."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import RedirectResponse, Response
from kibitz_worker.store.ladders import join_ladder, leave_ladder
from kibitz_worker.store.models import Entrant, Version
from kibitz_worker.store.tournaments import tournament_with_id
from pydantic import BaseModel, ConfigDict
from sqlalchemy.orm import Session

from kibitz_api.context import Person, ServicesDep, TokenUser, WriteSession
from kibitz_api.tournaments import queries
from kibitz_api.tournaments.entering import own_version, version_meant
from kibitz_api.tournaments.models import EntrantAnswer, Label
from kibitz_api.tournaments.routes import TournamentId

api = APIRouter(prefix="/tournaments", tags=["tournaments"])
pages = APIRouter(prefix="/tournaments")

FormLabel = Annotated[str, Form(max_length=130)]


class BotRequest(BaseModel):
    """A bot, by the label of its version, or by its own label for the newest one."""

    model_config = ConfigDict(extra="forbid")

    bot: Label


@api.post("/{tournament_id}/join")
def join(
    services: ServicesDep,
    session: WriteSession,
    person: TokenUser,
    tournament_id: TournamentId,
    wanted: BotRequest,
) -> EntrantAnswer:
    """Let one of your bots into a ladder that is not over; its owner may let in any bot.

    409 for other formats, for what is over, and for a bot that plays there already.
    """
    now = services.store.now(session)
    return queries.entrant_answer(
        _moved(join_ladder, session, now, person, tournament_id, wanted.bot)
    )


@api.post("/{tournament_id}/leave")
def leave(
    services: ServicesDep,
    session: WriteSession,
    person: TokenUser,
    tournament_id: TournamentId,
    wanted: BotRequest,
) -> EntrantAnswer:
    """Take one of your bots out of a ladder: its results stay, and it is given no more sets."""
    now = services.store.now(session)
    return queries.entrant_answer(
        _moved(leave_ladder, session, now, person, tournament_id, wanted.bot)
    )


@pages.post("/{tournament_id}/join")
def join_by_form(
    services: ServicesDep,
    session: WriteSession,
    person: TokenUser,
    tournament_id: TournamentId,
    bot: FormLabel,
) -> Response:
    """Let a bot into a ladder, from its page."""
    _moved(join_ladder, session, services.store.now(session), person, tournament_id, bot)
    return RedirectResponse(f"/tournaments/{tournament_id}", status_code=303)


@pages.post("/{tournament_id}/leave")
def leave_by_form(
    services: ServicesDep,
    session: WriteSession,
    person: TokenUser,
    tournament_id: TournamentId,
    bot: FormLabel,
) -> Response:
    """Take a bot out of a ladder, from its page."""
    _moved(leave_ladder, session, services.store.now(session), person, tournament_id, bot)
    return RedirectResponse(f"/tournaments/{tournament_id}", status_code=303)


def _moved(
    move: Callable[[Session, datetime, str, Version], Entrant],
    session: Session,
    now: datetime,
    person: Person,
    tournament_id: str,
    label: str,
) -> Entrant:
    """Join or leave. The owner of a tournament may enter and take out any bot, others their own."""
    owns = tournament_with_id(session, tournament_id).owner_id == person.id
    version = (version_meant if owns else own_version)(session, person, label)
    return move(session, now, tournament_id, version)
