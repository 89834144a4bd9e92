"""What a format plans becomes pairings and sets; what was played becomes what a format sees."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import kibitz
from kibitz.game import Game
from kibitz.totals import by_player
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from kibitz_worker.schedule.formats import (
    Format,
    Meeting,
    Over,
    Play,
    SetResult,
    Situation,
    Step,
    Table,
    Wait,
    format_named,
)
from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Match,
    Pairing,
    SetState,
    Tournament,
    TournamentState,
    Version,
    VersionState,
)
from kibitz_worker.store.notes import note

CLOSED = {SetState.DONE: "done", SetState.VOID: "void", SetState.ANNULLED: "void"}


def format_of(tournament: Tournament) -> Format:
    """Return the format of a tournament with its options."""
    return format_named(tournament.format, tournament.format_options)


def at_a_table(game: Game, format: str) -> int:  # noqa: A002 - the word of the field
    """Return how many entrants sit at a table: one a player or, with changing partners, a seat."""
    return game.seats if format == "individual" else game.players


def situation(session: Session, tournament: Tournament) -> Situation:
    """Return what the format of a tournament may know."""
    sets = defaultdict(list)
    query = (
        select(
            DealSet.pairing_id,
            DealSet.number,
            DealSet.state,
            DealSet.scores,
            DealSet.margins,
            DealSet.deals,
        )
        .where(DealSet.tournament_id == tournament.id)
        .order_by(DealSet.number)
    )
    game = kibitz.game(tournament.game, **tournament.options)
    pairs = {}
    if tournament.format == "versus" and game.players == 2:
        pairs = _pairs(session, tournament.id)
    for pairing, number, state, scores, margins, deals in session.execute(query):
        known: Any = CLOSED.get(state, "open")
        pair = pairs.get(number, ())
        points, leads = tuple(scores or ()), tuple(margins or ())
        sets[pairing].append(SetResult(number, known, points, leads, deals, pair))
    pairings = select(Pairing).where(Pairing.tournament_id == tournament.id)
    entrants = select(func.count()).where(Entrant.tournament_id == tournament.id)
    return Situation(
        entrants=session.scalar(entrants) or 0,
        players=at_a_table(game, tournament.format),
        sets=tournament.sets_per_pairing,
        meetings=tuple(
            Meeting(pairing.round, tuple(pairing.entrants), tuple(sets[pairing.id]))
            for pairing in session.scalars(pairings.order_by(Pairing.number))
        ),
        seed=tournament.commitment,
        out=withdrawn(session, tournament),
    )


def _pairs(session: Session, tournament_id: str) -> dict[int, tuple[float, ...]]:
    """For each finished set of two, the first's returns less the second's in each match."""
    query = (
        select(DealSet.number, Match.seating, Match.returns)
        .join(Match, Match.set_id == DealSet.id)
        .where(DealSet.tournament_id == tournament_id, DealSet.state == SetState.DONE)
        .order_by(DealSet.number, Match.number)
    )
    found: dict[int, list[float]] = defaultdict(list)
    for number, seating, returns in session.execute(query):
        first, second = by_player([seating], [returns or [0.0] * len(seating)])
        found[number].append(first - second)
    return {number: tuple(values) for number, values in found.items()}


def withdrawn(session: Session, tournament: Tournament) -> frozenset[int]:
    """Return the numbers of entrants that may not play any more."""
    taken_out = Version.state.in_((VersionState.QUARANTINED, VersionState.REFUSED))
    query = (
        select(Entrant.number)
        .join(Version)
        .where(Entrant.tournament_id == tournament.id, taken_out | Entrant.left.is_not(None))
    )
    return frozenset(session.scalars(query))


def advance(session: Session, now: datetime, tournament_id: str) -> Step | None:
    """Let a format plan what is next; None when the tournament is not to be planned further.

    Whatever the answer is, its reason is written to the log of the tournament.
    """
    tournament = session.get_one(Tournament, tournament_id, with_for_update=True)
    if tournament.planned or tournament.state not in {
        TournamentState.CREATED,
        TournamentState.RUNNING,
    }:
        return None
    step = format_of(tournament).step(situation(session, tournament))
    match step:
        case Play():
            add_tables(session, tournament, step.tables)
            note(session, now, "PLANNED", step.why, tournament_id=tournament.id)
        case Over():
            tournament.planned = True
            note(session, now, "ALL_PLANNED", step.why, tournament_id=tournament.id)
        case Wait():
            pass  # the log would fill with waiting; the page shows the open round
    return step


def add_tables(session: Session, tournament: Tournament, tables: Sequence[Table]) -> None:
    """Add pairings and sets: every table once, then again, so that standings stay balanced."""
    pairings = _pairings(session, tournament.id, tables)
    counts = dict(
        session.execute(
            select(DealSet.pairing_id, func.count())
            .where(DealSet.tournament_id == tournament.id)
            .group_by(DealSet.pairing_id)
        ).all()
    )
    number = sum(counts.values())
    rows: list[dict[str, Any]] = []
    last = ""
    for repeat in range(max(table.sets for table in tables)):
        for table in tables:
            if repeat >= table.sets:
                continue
            pairing = pairings[table.round, table.entrants]
            count = counts.get(pairing.id, 0)
            counts[pairing.id] = count + 1
            key = f"{tournament.id}-{pairing.number}-{count}"
            rows.append(_row(tournament, pairing, number, key, last if table.twin else None))
            last, number = key, number + 1
    session.execute(insert(DealSet), rows)


def _row(
    tournament: Tournament, pairing: Pairing, number: int, key: str, twin: str | None
) -> dict[str, Any]:
    return {
        "id": key,
        "tournament_id": tournament.id,
        "pairing_id": pairing.id,
        "number": number,
        "twin_id": twin,
        "state": SetState.WAITING,
        "attempts": 0,
        "deals": 0,
    }


def _pairings(
    session: Session, key: str, tables: Iterable[Table]
) -> dict[tuple[int, tuple[int, ...]], Pairing]:
    """Return the pairings of these tables, those that are new added."""
    query = select(Pairing).where(Pairing.tournament_id == key).order_by(Pairing.number)
    found = {(p.round, tuple(p.entrants)): p for p in session.scalars(query)}
    new = dict.fromkeys((t.round, t.entrants) for t in tables if (t.round, t.entrants) not in found)
    if new:
        rows = [
            {"tournament_id": key, "round": round_, "number": number, "entrants": list(entrants)}
            for number, (round_, entrants) in enumerate(new, len(found))
        ]
        session.execute(insert(Pairing), rows)
        found = {(p.round, tuple(p.entrants)): p for p in session.scalars(query)}
    return found
