"""Creating tournaments, pausing, resuming and cancelling them."""

from enum import StrEnum

from kibitz_worker.store.bots import version_labelled
from kibitz_worker.store.models import Tournament, User
from kibitz_worker.store.running import Running
from kibitz_worker.store.tournaments import (
    cancel_tournament,
    create_tournament,
    pause_tournament,
    start_tournament,
)
from sqlalchemy.orm import Session

from kibitz_api.context import Person
from kibitz_api.errors import ForbiddenError
from kibitz_api.tournaments.models import TournamentRequest
from kibitz_api.tournaments.plans import plan
from kibitz_api.tournaments.queries import find


class Change(StrEnum):
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"
    START = "start"


def create(session: Session, person: Person, wanted: TournamentRequest) -> Tournament:
    """Create the tournament that was asked for, owned by this person.

    Raises what `plan` raises, and the store's NotFoundError and InvalidError.
    """
    plan(wanted.game, len(wanted.entrants), wanted.sets, wanted.options, wanted.preset)
    owner = session.get_one(User, person.id)
    tournament = create_tournament(
        session,
        owner,
        wanted.game,
        [version_labelled(session, label, owner) for label in wanted.entrants],
        name=wanted.name or None,
        preset=wanted.preset,
        options=wanted.options,
        format=wanted.format,
        sets_per_pairing=wanted.sets,
        rated=wanted.rated,
        running=Running(wanted.priority, wanted.absence, wanted.wait_seconds),
        start=wanted.start,
    )
    return find(session, tournament.id)


def change(session: Session, person: Person, tournament_id: str, action: Change) -> Tournament:
    """Start, pause, resume or cancel a tournament. Raises ForbiddenError for somebody else's."""
    tournament = find(session, tournament_id)
    if tournament.owner_id != person.id:
        raise ForbiddenError(
            "NOT_THE_OWNER", f"Tournament {tournament.id} belongs to {tournament.owner.name}."
        )
    if action in {Change.RESUME, Change.START}:
        start_tournament(session, tournament_id)
    elif action is Change.PAUSE:
        pause_tournament(session, tournament_id, f"paused by {person.name}")
    else:
        cancel_tournament(session, tournament_id, f"cancelled by {person.name}")
    return tournament
