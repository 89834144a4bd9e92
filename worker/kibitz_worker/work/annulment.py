"""Annulling a set: a finished result is never changed, but it can be struck out, with a reason.

The set and its matches stay to be looked at; ratings are fitted again without it. While the
tournament goes on, a new set with new decks takes its place.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, InvalidError, NotFoundError
from kibitz_worker.store.models import (
    Attempt,
    DealSet,
    Event,
    Outcome,
    Pairing,
    SetState,
    Tournament,
    TournamentState,
)
from kibitz_worker.store.planning import format_of

ANNULLED = "SET_ANNULLED"
REASON_LENGTH = 500
GOES_ON = {TournamentState.CREATED, TournamentState.RUNNING, TournamentState.PAUSED}


def annul_set(
    session: Session, now: datetime, set_id: str, *, user_id: int | None, reason: str
) -> DealSet | None:
    """Strike a finished set out; return the set that is played in its place, if there is one.

    Raises NotFoundError (SET_UNKNOWN), ConflictError (SET_NOT_DONE: only what is done can be
    annulled, once; ROUND_BUILT_ON: a later round was drawn from it) or InvalidError
    (REASON_MISSING).
    """
    why = " ".join(reason.split())[:REASON_LENGTH]
    if not why:
        raise InvalidError("say why the set is annulled", reason="REASON_MISSING")
    deal_set = session.get(DealSet, set_id, with_for_update={"of": DealSet})
    if deal_set is None:
        raise NotFoundError(f"there is no set {set_id[:40]!r}", reason="SET_UNKNOWN")
    if deal_set.state is not SetState.DONE:
        raise ConflictError(
            f"set {set_id} is {deal_set.state}; only a finished set can be annulled",
            reason="SET_NOT_DONE",
        )
    looks = format_of(session.get_one(Tournament, deal_set.tournament_id)).looks
    if looks == "when_all_is_played":
        _check_round(session, deal_set)
    deal_set.state = SetState.ANNULLED
    deal_set.reason = f"annulled: {why}"
    session.add(Event(at=now, user_id=user_id, kind=ANNULLED, subject=set_id, reason=why))
    tournament = session.get_one(
        Tournament, deal_set.tournament_id, with_for_update={"of": Tournament}
    )
    session.flush()
    if tournament.tally is not None:
        tournament.tally = tally_of(session, tournament.id)
    goes_on = tournament.state in GOES_ON and looks != "always"  # those plan more by themselves
    replaced = _another(session, deal_set) if goes_on else None
    session.flush()
    return replaced


def sets_of_worker(
    session: Session, worker: str, since: datetime, tournament_id: str | None = None
) -> list[str]:
    """Return the finished sets that a worker finished since a moment, in the order of their ids.

    `worker` is a machine, or one start of a worker on it as ``machine:process``.
    """
    query = (
        select(DealSet.id)
        .join(Attempt, Attempt.set_id == DealSet.id)
        .where(
            or_(Attempt.worker == worker, Attempt.worker.startswith(f"{worker}:", autoescape=True)),
            Attempt.outcome == Outcome.DONE,
            Attempt.ended >= since,
            DealSet.state == SetState.DONE,
        )
        .order_by(DealSet.id)
    )
    if tournament_id is not None:
        query = query.where(DealSet.tournament_id == tournament_id)
    return list(session.scalars(query))


def _check_round(session: Session, deal_set: DealSet) -> None:
    pairing = session.get_one(Pairing, deal_set.pairing_id)
    last = select(func.max(Pairing.round)).where(Pairing.tournament_id == pairing.tournament_id)
    if pairing.round < (session.scalar(last) or 0):
        raise ConflictError(
            f"set {deal_set.id} was played in round {pairing.round + 1}, and the next round was "
            "drawn from its result",
            reason="ROUND_BUILT_ON",
        )


def tally_of(session: Session, tournament_id: str) -> dict[str, int]:
    """Return how many sets of a tournament are in which state."""
    query = (
        select(DealSet.state, func.count())
        .where(DealSet.tournament_id == tournament_id)
        .group_by(DealSet.state)
    )
    return {str(state): count for state, count in session.execute(query)}


def _another(session: Session, annulled: DealSet) -> DealSet:
    pairing = session.get_one(Pairing, annulled.pairing_id)
    last = select(func.max(DealSet.number)).where(DealSet.tournament_id == annulled.tournament_id)
    played = select(func.count()).where(DealSet.pairing_id == pairing.id)
    made = DealSet(
        id=f"{annulled.tournament_id}-{pairing.number}-{session.scalar(played)}",
        tournament_id=annulled.tournament_id,
        pairing_id=pairing.id,
        number=(session.scalar(last) or 0) + 1,
        state=SetState.WAITING,
    )
    session.add(made)
    return made
