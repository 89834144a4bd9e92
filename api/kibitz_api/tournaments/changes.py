"""Creating tournaments, pausing, resuming and cancelling them."""

from enum import StrEnum

import kibitz
from kibitz_worker.store.bots import version_labelled
from kibitz_worker.store.clocks import check_clock, check_policy
from kibitz_worker.store.models import Tournament, User
from kibitz_worker.store.names import check_title
from kibitz_worker.store.partners import check_partners
from kibitz_worker.store.running import Running
from kibitz_worker.store.tournaments import (
    cancel_tournament,
    check_entrants,
    create_tournament,
    extend_tournament,
    pause_tournament,
    start_tournament,
)
from sqlalchemy.orm import Session

from kibitz_api.context import Person
from kibitz_api.errors import ForbiddenError
from kibitz_api.tournaments.models import Preview, TournamentRequest
from kibitz_api.tournaments.plans import plan
from kibitz_api.tournaments.queries import find
from kibitz_api.tournaments.speed import expected_seconds


class Change(StrEnum):
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"
    START = "start"


def create(session: Session, person: Person, wanted: TournamentRequest) -> Tournament:
    """Create the tournament that was asked for, owned by this person.

    Raises what `plan` raises, and the store's NotFoundError and InvalidError.
    """
    plan(wanted)
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
        format_options=wanted.format_options,
        one_owner=wanted.one_owner,
        sets_per_pairing=wanted.sets,
        clock=wanted.clock,
        policy=wanted.policy,
        rated=wanted.rated,
        exhibition=wanted.exhibition,
        running=running(wanted),
        start=wanted.start,
    )
    return find(session, tournament.id)


def preview(session: Session, person: Person, wanted: TournamentRequest) -> Preview:
    """Tell what a tournament would come to. Raises what `create` raises; creates nothing."""
    planned = plan(wanted)
    if wanted.name:
        check_title(wanted.name, "tournament name")
    owner = session.get_one(User, person.id)
    versions = [version_labelled(session, label, owner) for label in wanted.entrants]
    rules = kibitz.game(wanted.game, preset=wanted.preset, **wanted.options)
    check_entrants(rules, versions, one_owner=wanted.one_owner)
    check_partners(rules, versions, rated=planned.rated)
    check_clock(wanted.clock)
    check_policy(wanted.policy)
    running(wanted).checked()
    seconds = expected_seconds(session, wanted.game, planned.deals)
    return planned.model_copy(update={"seconds": seconds})


def running(wanted: TournamentRequest) -> Running:
    """How the tournament that was asked for is to be run."""
    return Running(wanted.priority, wanted.absence, wanted.wait_seconds)


def extend(session: Session, person: Person, tournament_id: str, by: int) -> Tournament:
    """Let a tournament play longer. Raises ForbiddenError for somebody else's."""
    _own(session, person, tournament_id)
    return extend_tournament(session, tournament_id, by)


def change(session: Session, person: Person, tournament_id: str, action: Change) -> Tournament:
    """Start, pause, resume or cancel a tournament. Raises ForbiddenError for somebody else's."""
    tournament = _own(session, person, tournament_id)
    if action in {Change.RESUME, Change.START}:
        start_tournament(session, tournament_id)
    elif action is Change.PAUSE:
        pause_tournament(session, tournament_id, f"paused by {person.name}")
    else:
        cancel_tournament(session, tournament_id, f"cancelled by {person.name}")
    return tournament


def _own(session: Session, person: Person, tournament_id: str) -> Tournament:
    tournament = find(session, tournament_id)
    if tournament.owner_id != person.id:
        raise ForbiddenError(
            "NOT_THE_OWNER", f"Tournament {tournament.id} belongs to {tournament.owner.name}."
        )
    return tournament
