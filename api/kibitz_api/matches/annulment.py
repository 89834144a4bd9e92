"""Striking out a finished set, with a reason that everybody can read."""

from typing import Annotated

from kibitz_worker.store import Store
from kibitz_worker.store.models import Tournament
from kibitz_worker.work.annulment import annul_set
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy.orm import Session

from kibitz_api.context import Person
from kibitz_api.errors import ForbiddenError
from kibitz_api.matches.queries import find_set


class AnnulmentRequest(BaseModel):
    """Why a set is struck out."""

    model_config = ConfigDict(extra="forbid")

    reason: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=3, max_length=500)
    ] = Field(description="Shown beside the set.")


class Annulment(BaseModel):
    set: str
    replaced_by: str | None = Field(
        description="The set that is played in its place while the tournament goes on."
    )


def annul(
    store: Store, session: Session, person: Person, set_id: str, wanted: AnnulmentRequest
) -> Annulment:
    """Strike a finished set of one's own tournament out; ratings are fitted anew without it.

    Raises ForbiddenError for somebody else's, and what `annul_set` raises.
    """
    tournament: Tournament = find_set(session, set_id).tournament
    if tournament.owner_id != person.id:
        raise ForbiddenError(
            "NOT_THE_OWNER", f"Tournament {tournament.id} belongs to {tournament.owner.name}."
        )
    now = store.now(session)
    made = annul_set(session, now, set_id, user_id=person.id, reason=wanted.reason)
    return Annulment(set=set_id, replaced_by=made.id if made else None)
