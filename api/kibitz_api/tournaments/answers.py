"""A tournament as one answer: its row, progress, standings and crosstable."""

from dataclasses import asdict

from kibitz_worker.schedule.formats.extending import can_be_extended
from kibitz_worker.store.models import Tournament as Row
from kibitz_worker.store.models import TournamentState
from kibitz_worker.store.planning import format_of
from kibitz_worker.work.waiting import waits
from sqlalchemy.orm import Session

from kibitz_api.context import Services
from kibitz_api.leaderboards.crosstables import crosstable
from kibitz_api.leagues.memberships import season_of
from kibitz_api.tournaments import queries, rounds
from kibitz_api.tournaments.models import Standing, Tournament, WaitAnswer
from kibitz_api.tournaments.second_looks import answers
from kibitz_api.tournaments.standings import standings, tournament_board

OVER = frozenset({TournamentState.FINISHED, TournamentState.CANCELLED})


def full(services: Services, session: Session, row: Row) -> Tournament:
    """All about a tournament. Its secret is told when no deck of it can be played any more."""
    now, most = services.store.now(session), services.settings.bot_jobs
    counts = queries.set_counts(session, [row]).get(row.id, {})
    summary = queries.summary(row, counts, len(row.entrants))
    board = tournament_board(session, row)
    course = rounds.seen(session, row)
    return Tournament(
        **summary.model_dump(),
        season=season_of(session, row.id),
        options=row.options,
        format=row.format,
        format_options=row.format_options,
        extendable=can_be_extended(format_of(row)),
        sets_per_pairing=row.sets_per_pairing,
        clock=row.clock,
        policy=row.policy,
        commitment=row.commitment,
        secret=row.secret.hex() if row.state in OVER and not summary.sets_playing else None,
        progress=queries.progress(session, row, counts),
        entrants=queries.entrants(row),
        standings=standings(session, row, board, course),
        crosstable=crosstable(board) if board else None,
        snapshot=board.snapshot.id if board else None,
        **rounds.told(session, row, course),
        second_looks=answers(session, row),
        priority=row.priority,
        absence=row.absence,
        wait_seconds=row.wait_seconds,
        waits=[WaitAnswer(**asdict(wait)) for wait in waits(session, now, row, most)],
    )


def standings_of(session: Session, row: Row) -> list[Standing]:
    """The standings alone."""
    board = tournament_board(session, row)
    return standings(session, row, board, rounds.seen(session, row))
