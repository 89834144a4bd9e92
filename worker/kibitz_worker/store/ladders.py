"""Joining and leaving a ladder while it runs."""

from __future__ import annotations

from datetime import datetime

import kibitz
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, InvalidError
from kibitz_worker.schedule.formats import Ladder
from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Pairing,
    SetState,
    Tournament,
    TournamentState,
    Version,
)
from kibitz_worker.store.notes import note
from kibitz_worker.store.partners import check_partners
from kibitz_worker.store.planning import advance, format_of
from kibitz_worker.store.tournaments import check_owners, check_version, unfinished_tournament

MOST_ENTRANTS = 500
"""Those who have left count too, as their results stay."""


def join_ladder(session: Session, now: datetime, tournament_id: str, version: Version) -> Entrant:
    """Let a version into a ladder that is not over; who has left it may come again.

    The next tables planned include it: it has played least. Raises NotFoundError, ConflictError
    (TOURNAMENT_OVER, FORMAT_FIXED_FIELD, ENTERED_ALREADY, TOO_MANY_ENTRANTS) and what
    `check_version`, `check_owners` and `check_partners` raise.
    """
    tournament = _ladder(session, tournament_id)
    game = kibitz.game(tournament.game, **tournament.options)
    entrants = _entrants(session, tournament)
    found = next((one for one in entrants if one.version_id == version.id), None)
    if found is not None and found.left is None:
        raise ConflictError(
            f"{version.label} plays in ladder {tournament.id} already", reason="ENTERED_ALREADY"
        )
    check_version(game.name, version)
    if not tournament.one_owner:
        check_owners([*(one.version for one in entrants if one.left is None), version])
    check_partners(game, [version], rated=tournament.rated)
    if found is None:
        found = _enter(session, tournament, version, len(entrants))
    found.left = None
    tournament.planned = False
    note(session, now, "JOINED", f"{version.label} joined", tournament_id=tournament.id)
    _plan(session, now, tournament)
    return found


def leave_ladder(session: Session, now: datetime, tournament_id: str, version: Version) -> Entrant:
    """Take a version out of a ladder: results stay, sets under way are finished, no new ones come.

    Raises NotFoundError, ConflictError (TOURNAMENT_OVER, FORMAT_FIXED_FIELD) and InvalidError
    (ENTRANT_UNKNOWN).
    """
    tournament = _ladder(session, tournament_id)
    entrants = _entrants(session, tournament)
    found = next((one for one in entrants if one.version_id == version.id and not one.left), None)
    if found is None:
        playing = ", ".join(one.version.label for one in entrants if one.left is None)
        raise InvalidError(
            f"{version.label} does not play in ladder {tournament.id}; there play {playing}",
            reason="ENTRANT_UNKNOWN",
        )
    found.left = now
    waiting = (
        select(DealSet, Pairing.entrants)
        .join(Pairing, Pairing.id == DealSet.pairing_id)
        .where(DealSet.tournament_id == tournament.id, DealSet.state == SetState.WAITING)
        .with_for_update(of=DealSet)
    )
    for deal_set, numbers in session.execute(waiting).all():
        if found.number in numbers:
            _call_off(deal_set, now, f"LEFT: {version.label} left the ladder")
    note(session, now, "LEFT", f"{version.label} left", tournament_id=tournament.id)
    _plan(session, now, tournament)
    return found


def _call_off(deal_set: DealSet, now: datetime, why: str) -> None:
    deal_set.state = SetState.VOID
    deal_set.job = None
    deal_set.finished = now
    deal_set.reason = why[:500]


def _plan(session: Session, now: datetime, tournament: Tournament) -> None:
    """Plan at once what a changed field lets be planned."""
    session.flush()
    session.expire(tournament, ["entrants"])
    if tournament.state is TournamentState.RUNNING:
        advance(session, now, tournament.id)


def _ladder(session: Session, tournament_id: str) -> Tournament:
    tournament = unfinished_tournament(session, tournament_id)
    session.refresh(tournament, with_for_update={"of": Tournament})
    chosen = format_of(tournament)
    if not isinstance(chosen, Ladder):
        raise ConflictError(
            f"tournament {tournament.id} keeps the bots it began with, as it is no ladder but a "
            f"{chosen.title.lower()}",
            reason="FORMAT_FIXED_FIELD",
        )
    return tournament


def _entrants(session: Session, tournament: Tournament) -> list[Entrant]:
    query = select(Entrant).where(Entrant.tournament_id == tournament.id).order_by(Entrant.number)
    return list(session.scalars(query))


def _enter(session: Session, tournament: Tournament, version: Version, number: int) -> Entrant:
    if number >= MOST_ENTRANTS:
        raise ConflictError(
            f"ladder {tournament.id} has had {number} entrants, and takes no more",
            reason="TOO_MANY_ENTRANTS",
        )
    made = Entrant(tournament_id=tournament.id, version_id=version.id, number=number)
    made.version = version
    session.add(made)
    session.flush()
    return made
