"""Tournaments: created with all their pairings and sets, started, paused, cancelled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import kibitz
from kibitz.errors import KibitzError
from kibitz.game import Game
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, InvalidError, NotFoundError
from kibitz_worker.schedule import commitment, new_secret
from kibitz_worker.schedule.formats import (
    Format,
    FormatError,
    Table,
    format_named,
    format_options,
)
from kibitz_worker.schedule.formats.extending import extended
from kibitz_worker.store.clocks import check_clock, check_policy
from kibitz_worker.store.ids import short_id
from kibitz_worker.store.models import (
    BotKind,
    Entrant,
    Pairing,
    Tournament,
    TournamentKind,
    TournamentState,
    User,
    Version,
    VersionState,
)
from kibitz_worker.store.moments import database_now
from kibitz_worker.store.names import check_title
from kibitz_worker.store.notes import note
from kibitz_worker.store.partners import check_partners
from kibitz_worker.store.planning import add_tables, advance, at_a_table, format_of
from kibitz_worker.store.running import Running

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
    format_options: Mapping[str, object] | None = None,
    sets_per_pairing: int = 1,
    clock: Mapping[str, object] | None = None,
    policy: str = "forfeit_deal",
    rated: bool = True,
    running: Running = DEFAULT_RUNNING,
    one_owner: bool = True,
    exhibition: bool = False,
    start: bool = True,
) -> Tournament:
    """Add a tournament with its first round; with `start` it begins to play at once.

    With `one_owner` false, bots of one user may not meet (bots of the house belong to nobody). An
    `exhibition` counts nowhere.

    Raises InvalidError: the game's own reasons for bad options, NOT_DUPLICABLE, the reasons of
    `FormatError`, TOO_FEW_ENTRANTS, SAME_OWNER, ENTRANT_TWICE, VERSION_NOT_ADMITTED,
    GAME_NOT_PLAYED, SETS_INVALID, TOURNAMENT_TOO_LARGE, PARTNERS_SELF_HOSTED, CLOCK_INVALID,
    POLICY_UNKNOWN, TITLE_INVALID, PRIORITY_INVALID, ABSENCE_INVALID.
    """
    rules = checked_rules(game, preset, options or {})
    chosen = checked_format(format, format_options, rules, len(versions))
    check_entrants(rules, versions, one_owner=one_owner)
    check_size(chosen, len(versions), at_a_table(rules, format), sets_per_pairing)
    title = check_title(name or f"{rules.title} of {len(versions)}", "tournament name")
    tournament = new_tournament(session, owner, rules, title, running.checked())
    _set_format(tournament, chosen)
    tournament.one_owner, tournament.sets_per_pairing = one_owner, sets_per_pairing
    tournament.clock, tournament.policy = check_clock(clock), check_policy(policy)
    _set_kind(tournament, exhibition=exhibition, rated=rated)
    check_partners(rules, versions, rated=tournament.rated)
    _enter(session, tournament, versions)
    if start:
        start_tournament(session, tournament.id)
    return tournament


def new_tournament(
    session: Session, owner: User, rules: Game, title: str, running: Running
) -> Tournament:
    """Return a tournament that is not in the store yet, with its secret."""
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
        created=database_now(session),
        priority=running.priority,
        absence=running.absence,
        wait_seconds=running.wait_seconds,
    )


def _set_format(tournament: Tournament, chosen: Format) -> None:
    tournament.format = chosen.name
    tournament.format_options = chosen_options(chosen)
    tournament.planned = False


def _set_kind(tournament: Tournament, *, exhibition: bool, rated: bool) -> None:
    counts = rated and not exhibition and tournament.format != "individual"
    tournament.rated = counts and not tournament.clock["untimed"]
    tournament.kind = TournamentKind.EXHIBITION if exhibition else TournamentKind.TOURNAMENT


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
    tournament = unfinished_tournament(session, tournament_id)
    if tournament.state is not TournamentState.RUNNING:
        what = "RESUMED" if tournament.started else "STARTED"
        note(session, database_now(session), what, what.lower(), tournament_id=tournament.id)
    tournament.state = TournamentState.RUNNING
    tournament.started = tournament.started or database_now(session)
    tournament.reason = None
    return tournament


def pause_tournament(session: Session, tournament_id: str, reason: str) -> Tournament:
    """Take no new sets; those under way are finished. Raises ConflictError (TOURNAMENT_OVER).

    One that is paused already stays so for the reason it has.
    """
    tournament = unfinished_tournament(session, tournament_id)
    if tournament.state is TournamentState.PAUSED:
        return tournament
    tournament.state = TournamentState.PAUSED
    tournament.reason = reason[:500]
    note(session, database_now(session), "PAUSED", reason, tournament_id=tournament.id)
    return tournament


def cancel_tournament(session: Session, tournament_id: str, reason: str) -> Tournament:
    """End it early; finished sets keep counting. Raises ConflictError (TOURNAMENT_OVER)."""
    tournament = unfinished_tournament(session, tournament_id)
    tournament.state = TournamentState.CANCELLED
    tournament.reason = reason[:500]
    tournament.finished = database_now(session)
    note(session, tournament.finished, "CANCELLED", reason, tournament_id=tournament.id)
    return tournament


def extend_tournament(session: Session, tournament_id: str, by: int) -> Tournament:
    """Let a tournament that is not over play longer: sets a table, rounds, or the format's limit.

    Raises ConflictError (TOURNAMENT_OVER) and InvalidError (FORMAT_CANNOT_EXTEND, SETS_INVALID,
    TOURNAMENT_TOO_LARGE).
    """
    tournament = unfinished_tournament(session, tournament_id)
    if by < 1:
        raise InvalidError("extend a tournament by 1 or more", reason="SETS_INVALID")
    chosen = format_of(tournament)
    game = kibitz.game(tournament.game, **tournament.options)
    count, players = len(tournament.entrants), at_a_table(game, tournament.format)
    try:
        longer = extended(chosen, count, players, by)
    except FormatError as error:
        raise InvalidError(str(error), reason=error.reason) from error
    more = by if chosen.looks == "never" else 0
    check_size(longer, count, players, tournament.sets_per_pairing + more)
    tournament.sets_per_pairing += more
    tournament.format_options = chosen_options(longer)
    now = database_now(session)
    if more:
        query = select(Pairing).where(Pairing.tournament_id == tournament.id)
        tables = [
            Table(each.round, tuple(each.entrants), by)
            for each in session.scalars(query.order_by(Pairing.number))
        ]
        add_tables(session, tournament, tables)
    else:
        tournament.planned = False
    note(session, now, "EXTENDED", f"extended by {by}", tournament_id=tournament.id)
    return tournament


def unfinished_tournament(session: Session, tournament_id: str) -> Tournament:
    """Return one that is not over, held against changes by others.

    Raises NotFoundError, ConflictError (TOURNAMENT_OVER).
    """
    session.flush()
    tournament = tournament_with_id(session, tournament_id)
    # What refers to it may still be added by others: its key does not change.
    session.refresh(tournament, with_for_update={"of": Tournament, "key_share": True})
    if tournament.state in {TournamentState.FINISHED, TournamentState.CANCELLED}:
        raise ConflictError(
            f"tournament {tournament.id} is {tournament.state} and stays as it is",
            reason="TOURNAMENT_OVER",
        )
    return tournament


def checked_rules(game: str, preset: str | None, options: Mapping[str, object]) -> Game:
    """Return a game that can be played in sets.

    Raises InvalidError: the game's own reasons, NOT_DUPLICABLE.
    """
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


def checked_format(
    name: str, options: Mapping[str, object] | None, game: Game, entrants: int
) -> Format:
    """Return a format that can be played by so many. Raises InvalidError with FormatError's reason.

    A game of sides with one bot each has no individual movement.
    """
    try:
        chosen = format_named(name, options)
        chosen.check(entrants, at_a_table(game, name))
        if name == "individual" and game.players == game.seats:
            raise FormatError(
                f"{game.title} has no partners; an individual movement is for games of two sides",
                reason="FORMAT_GAME",
            )
    except FormatError as error:
        raise InvalidError(str(error), reason=error.reason) from error
    return chosen


def chosen_options(chosen: Format) -> dict[str, Any]:
    """Return all options of a format as they are stored."""
    return format_options(chosen)


def check_entrants(game: Game, versions: Sequence[Version], *, one_owner: bool = True) -> None:
    """Refuse versions that cannot play together. Raises InvalidError with the reason."""
    if len(versions) < game.players:
        raise InvalidError(
            f"{game.name} needs at least {game.players} entrants, there are {len(versions)}",
            reason="TOO_FEW_ENTRANTS",
        )
    if len({version.id for version in versions}) < len(versions):
        raise InvalidError("every version can enter once only", reason="ENTRANT_TWICE")
    for version in versions:
        check_version(game.name, version)
    if not one_owner:
        check_owners(versions)


def check_version(game: str, version: Version) -> None:
    """Refuse a version that cannot play. Raises InvalidError (VERSION_NOT_ADMITTED, ...)."""
    if version.state is not VersionState.ADMITTED:
        why = f": {version.reason}" if version.reason else ""
        raise InvalidError(
            f"{version.label} is {version.state} and cannot play{why}",
            reason="VERSION_NOT_ADMITTED",
        )
    if game not in version.games:
        raise InvalidError(
            f"{version.label} does not play {game}; it plays {', '.join(version.games)}",
            reason="GAME_NOT_PLAYED",
        )


def check_owners(versions: Sequence[Version]) -> None:
    """Refuse versions of one owner, those of the house apart. Raises InvalidError (SAME_OWNER)."""
    owners: dict[int, str] = {}
    for version in versions:
        if version.bot.kind is BotKind.HOUSE:
            continue
        other = owners.setdefault(version.bot.owner_id, version.label)
        if other != version.label:
            raise InvalidError(
                f"{other} and {version.label} belong to {version.bot.owner.name}, and bots of one "
                "owner may not meet in this tournament",
                reason="SAME_OWNER",
            )


def check_size(chosen: Format, entrants: int, players: int, sets_per_pairing: int) -> None:
    """Refuse more sets than MOST_SETS. Raises InvalidError (SETS_INVALID, TOURNAMENT_TOO_LARGE)."""
    if sets_per_pairing < 1:
        raise InvalidError("play at least one set a pairing", reason="SETS_INVALID")
    if sets_per_pairing > MOST_SETS or chosen.size(entrants, players, sets_per_pairing).least > (
        MOST_SETS
    ):
        raise InvalidError(
            f"{chosen.title} of {entrants} bots with {sets_per_pairing} sets a table is more than "
            f"{MOST_SETS} sets; use fewer sets or entrants",
            reason="TOURNAMENT_TOO_LARGE",
        )


def _enter(session: Session, tournament: Tournament, versions: Sequence[Version]) -> None:
    session.add(tournament)
    session.flush()
    rows = [
        {"tournament_id": tournament.id, "version_id": version.id, "number": number}
        for number, version in enumerate(versions)
    ]
    session.execute(insert(Entrant), rows)
    session.expire(tournament, ["entrants"])
    advance(session, tournament.created, tournament.id)
    tournament.planned = format_of(tournament).looks == "never"
