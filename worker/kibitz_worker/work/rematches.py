"""Playing a match again: the same cards, another version in one seat, and no rating."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, InvalidError
from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Match,
    Pairing,
    SetState,
    Tournament,
    TournamentKind,
    TournamentState,
    User,
    Version,
)
from kibitz_worker.store.running import Running
from kibitz_worker.store.tournaments import check_version, new_tournament, start_tournament
from kibitz_worker.work.plan import rules_of, versions_of

OPEN_AT_ONCE = 20
"""Rematches of one user that are not over yet."""

CLOSED = (SetState.DONE, SetState.VOID, SetState.ANNULLED)


def create_rematch(
    session: Session, owner: User, match: Match, seat: int, version: Version
) -> Tournament:
    """Let a version play a match of a set that is over, for whoever sat in `seat`; return it.

    The others are the versions that played then, with their chance of then. In a game of partners
    the version plays both seats of its side. The whole match is played, as deals in it depend on
    those before.

    Raises ConflictError (DECKS_IN_PLAY, TOO_MANY_REMATCHES), InvalidError (SEAT_UNKNOWN,
    ENTRANT_TWICE, and what `check_version` raises of any player), StoreError (OPTIONS_UNKNOWN).
    """
    original = session.get_one(DealSet, match.set_id)
    if original.state not in CLOSED or match.returns is None:
        raise ConflictError(
            f"set {original.id} is not over, and its cards are not public yet; match {match.id} "
            "can be played again when all its seatings have been",
            reason="DECKS_IN_PLAY",
        )
    players = _players(session, match, seat, version)
    before = session.get_one(Tournament, original.tournament_id)
    game = rules_of(before)
    for each in players:
        check_version(game.name, each)
    _check_open(session, owner)
    made = new_tournament(session, owner, game, f"{match.id} again, seat {seat}", Running())
    made.kind = TournamentKind.REMATCH
    made.rated = False
    made.format, made.format_options = "round_robin", {}
    made.sets_per_pairing = 1
    made.clock, made.policy = before.clock, before.policy
    made.replays, made.replayed_seat = match.id, seat
    _fill(session, made, original, players)
    start_tournament(session, made.id)
    return made


def _players(session: Session, match: Match, seat: int, version: Version) -> list[Version]:
    if not 0 <= seat < len(match.seating):
        raise InvalidError(
            f"match {match.id} has no seat {seat}; its seats are 0 to {len(match.seating) - 1}",
            reason="SEAT_UNKNOWN",
        )
    players = [entrant.version for entrant in versions_of(session, match.set)]
    place = match.seating[seat]
    others = players[:place] + players[place + 1 :]
    if version.id in {other.id for other in others}:
        raise InvalidError(
            f"{version.label} sits at that table already; choose another version, or its own seat",
            reason="ENTRANT_TWICE",
        )
    return [*players[:place], version, *players[place + 1 :]]


def _check_open(session: Session, owner: User) -> None:
    query = select(func.count()).where(
        Tournament.owner_id == owner.id,
        Tournament.kind == TournamentKind.REMATCH,
        Tournament.state.not_in((TournamentState.FINISHED, TournamentState.CANCELLED)),
    )
    count = session.scalar(query) or 0
    if count >= OPEN_AT_ONCE:
        raise ConflictError(
            f"{count} rematches of yours are still to be played; wait for some of them, or cancel "
            "them",
            reason="TOO_MANY_REMATCHES",
        )


def _fill(session: Session, made: Tournament, original: DealSet, players: list[Version]) -> None:
    made.planned = True
    session.add(made)
    session.flush()
    for number, version in enumerate(players):
        session.add(Entrant(tournament_id=made.id, version_id=version.id, number=number))
    pairing = Pairing(tournament_id=made.id, number=0, entrants=list(range(len(players))))
    session.add(pairing)
    session.flush()
    made_set = DealSet(
        id=f"{made.id}-0-0",
        tournament_id=made.id,
        pairing_id=pairing.id,
        number=0,
        twin_id=original.id,
        state=SetState.WAITING,
    )
    session.add(made_set)
    session.flush()
