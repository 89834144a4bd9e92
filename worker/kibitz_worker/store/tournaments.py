"""Tournaments: created with all their pairings and sets, started, paused, cancelled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import kibitz
from kibitz.errors import KibitzError
from kibitz.game import Game
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, InvalidError, NotFoundError
from kibitz_worker.schedule import commitment, new_secret, plan_sets, round_robin
from kibitz_worker.store.clocks import check_clock, check_policy
from kibitz_worker.store.ids import short_id
from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Pairing,
    SetState,
    Tournament,
    TournamentState,
    User,
    Version,
    VersionState,
)
from kibitz_worker.store.names import check_title
from kibitz_worker.store.partners import check_partners
from kibitz_worker.store.running import Running

FORMATS = ("round_robin",)
DEFAULT_RUNNING = Running()
MOST_SETS = 200_000
"""A tournament with more sets is refused; several smaller ones say the same sooner."""


def create_tournament(
    session: Session,
    owner: User,
    game: str,
    versions: Sequence[Version],
    *,
    name: str | None = None,
    preset: str | None = None,
    options: Mapping[str, object] | None = None,
    format: str = "round_robin",  # noqa: A002 - the word of the field
    sets_per_pairing: int = 1,
    clock: Mapping[str, object] | None = None,
    policy: str = "forfeit_deal",
    rated: bool = True,
    running: Running = DEFAULT_RUNNING,
    start: bool = True,
) -> Tournament:
    """Add a tournament with its whole plan; with `start` it begins to play at once.

    Raises InvalidError: the game's own reasons for bad options, NOT_DUPLICABLE, FORMAT_UNKNOWN,
    TOO_FEW_ENTRANTS, ENTRANT_TWICE, VERSION_NOT_ADMITTED, GAME_NOT_PLAYED, SETS_INVALID,
    TOURNAMENT_TOO_LARGE, PARTNERS_SELF_HOSTED, CLOCK_INVALID, POLICY_UNKNOWN, TITLE_INVALID,
    PRIORITY_INVALID, ABSENCE_INVALID.
    """
    rules = _rules(game, preset, options or {})
    _check_format(format)
    _check_entrants(rules, versions)
    tables = round_robin(len(versions), rules.players)
    _check_size(len(tables), sets_per_pairing)
    checked = check_clock(clock)
    title = check_title(name or f"{rules.title} of {len(versions)}", "tournament name")
    tournament = _new(owner, rules, title, running.checked())
    tournament.format = format
    tournament.sets_per_pairing = sets_per_pairing
    tournament.clock = checked
    tournament.policy = check_policy(policy)
    tournament.rated = rated and not checked["untimed"]
    check_partners(rules, versions, rated=tournament.rated)
    session.add(tournament)
    session.flush()
    _add_plan(session, tournament, versions, tables)
    if start:
        start_tournament(session, tournament.id)
    return tournament


def _new(owner: User, rules: Game, title: str, running: Running) -> Tournament:
    secret = new_secret()
    return Tournament(
        id=short_id(),
        name=title,
        game=rules.name,
        options=rules.options(),
        pool=pool_of(rules),
        state=TournamentState.CREATED,
        secret=secret,
        commitment=commitment(secret),
        owner_id=owner.id,
        created=datetime.now(UTC),
        priority=running.priority,
        absence=running.absence,
        wait_seconds=running.wait_seconds,
    )


def pool_of(game: Game) -> str:
    """Return the key of the rating pool: results count together when game and options agree."""
    key = json.dumps([game.name, game.options()], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(key.encode()).hexdigest()


def tournament_with_id(session: Session, tournament_id: str) -> Tournament:
    """Return a tournament. Raises NotFoundError (TOURNAMENT_UNKNOWN)."""
    tournament = session.get(Tournament, tournament_id)
    if tournament is None:
        raise NotFoundError(
            f"there is no tournament {tournament_id[:40]!r}", reason="TOURNAMENT_UNKNOWN"
        )
    return tournament


def start_tournament(session: Session, tournament_id: str) -> Tournament:
    """Begin, or go on after a pause. Raises ConflictError (TOURNAMENT_OVER)."""
    tournament = _unfinished(session, tournament_id)
    tournament.state = TournamentState.RUNNING
    tournament.started = tournament.started or datetime.now(UTC)
    tournament.reason = None
    return tournament


def pause_tournament(session: Session, tournament_id: str, reason: str) -> Tournament:
    """Take no new sets; those under way are finished. Raises ConflictError (TOURNAMENT_OVER)."""
    tournament = _unfinished(session, tournament_id)
    tournament.state = TournamentState.PAUSED
    tournament.reason = reason[:500]
    return tournament


def cancel_tournament(session: Session, tournament_id: str, reason: str) -> Tournament:
    """End it early; finished sets keep counting. Raises ConflictError (TOURNAMENT_OVER)."""
    tournament = _unfinished(session, tournament_id)
    tournament.state = TournamentState.CANCELLED
    tournament.reason = reason[:500]
    tournament.finished = datetime.now(UTC)
    return tournament


def _unfinished(session: Session, tournament_id: str) -> Tournament:
    tournament = tournament_with_id(session, tournament_id)
    if tournament.state in {TournamentState.FINISHED, TournamentState.CANCELLED}:
        raise ConflictError(
            f"tournament {tournament.id} is {tournament.state} and stays as it is",
            reason="TOURNAMENT_OVER",
        )
    return tournament


def _rules(game: str, preset: str | None, options: Mapping[str, object]) -> Game:
    try:
        rules = kibitz.game(game, preset=preset, **dict(options))
    except KibitzError as error:
        raise InvalidError(str(error), reason=error.reason) from error
    if not rules.duplicable:
        raise InvalidError(
            f"a match of {rules.name} with end={rules.options()['end']!r} has no fixed number of "
            "deals, so it cannot be played in duplicate sets; choose end='deals:N'",
            reason="NOT_DUPLICABLE",
        )
    return rules


def _check_format(format: str) -> None:  # noqa: A002 - the word of the field
    if format not in FORMATS:
        raise InvalidError(
            f"there is no format {format[:40]!r}; formats: {', '.join(FORMATS)}",
            reason="FORMAT_UNKNOWN",
        )


def _check_entrants(game: Game, versions: Sequence[Version]) -> None:
    if len(versions) < game.players:
        raise InvalidError(
            f"{game.name} needs at least {game.players} entrants, there are {len(versions)}",
            reason="TOO_FEW_ENTRANTS",
        )
    if len({version.id for version in versions}) < len(versions):
        raise InvalidError("every version can enter once only", reason="ENTRANT_TWICE")
    for version in versions:
        if version.state is not VersionState.ADMITTED:
            why = f": {version.reason}" if version.reason else ""
            raise InvalidError(
                f"{version.label} is {version.state} and cannot play{why}",
                reason="VERSION_NOT_ADMITTED",
            )
        if game.name not in version.games:
            raise InvalidError(
                f"{version.label} does not play {game.name}; it plays {', '.join(version.games)}",
                reason="GAME_NOT_PLAYED",
            )


def _check_size(tables: int, sets_per_pairing: int) -> None:
    if sets_per_pairing < 1:
        raise InvalidError("play at least one set a pairing", reason="SETS_INVALID")
    if tables * sets_per_pairing > MOST_SETS:
        raise InvalidError(
            f"{tables} pairings of {sets_per_pairing} sets are more than {MOST_SETS} sets; "
            "use fewer sets or entrants",
            reason="TOURNAMENT_TOO_LARGE",
        )


def _add_plan(
    session: Session,
    tournament: Tournament,
    versions: Sequence[Version],
    tables: Sequence[tuple[int, ...]],
) -> None:
    key = tournament.id
    entrants = [
        {"tournament_id": key, "version_id": version.id, "number": number}
        for number, version in enumerate(versions)
    ]
    session.execute(insert(Entrant), entrants)
    pairings = [
        {"tournament_id": key, "round": 0, "number": number, "entrants": list(table)}
        for number, table in enumerate(tables)
    ]
    session.execute(insert(Pairing), pairings)
    numbered = select(Pairing.number, Pairing.id).where(Pairing.tournament_id == key)
    ids = dict(session.execute(numbered).all())
    sets: list[dict[str, Any]] = [
        {
            "id": f"{key}-{planned.pairing}-{planned.repeat}",
            "tournament_id": key,
            "pairing_id": ids[planned.pairing],
            "number": planned.number,
            "state": SetState.WAITING,
            "attempts": 0,
            "deals": 0,
        }
        for planned in plan_sets(tables, tournament.sets_per_pairing)
    ]
    session.execute(insert(DealSet), sets)
