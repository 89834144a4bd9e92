"""Making a season: free places are taken, then a tournament is created for each division.

Each step is one transaction and can be seen in the database, so whoever comes after a keeper that
was killed goes on where it stopped: the season with its table of members comes first, and each of
its divisions gets a tournament only while it has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import kibitz
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.errors import InvalidError
from kibitz_worker.leagues.changes import calendar_of, next_due, seasons_made
from kibitz_worker.leagues.log import tell
from kibitz_worker.leagues.members import members_of, versions_of
from kibitz_worker.leagues.moving import Entry, everybody, fill
from kibitz_worker.leagues.ratings import ratings_of
from kibitz_worker.schedule.formats import FormatError, format_named
from kibitz_worker.store.models import (
    League,
    Member,
    Placing,
    Season,
    SeasonDivision,
    SeasonState,
    Version,
)
from kibitz_worker.store.planning import at_a_table
from kibitz_worker.store.running import Running
from kibitz_worker.store.tournaments import create_tournament

MOST_MISSED = 1000


def make_season(session: Session, now: datetime, league: League) -> Season | None:
    """Begin the season that is due; None, with the reason at the league, when too few bots may.

    Whoever left or has no version that may play loses its place, and free places are taken before
    the season begins.
    """
    members = members_of(session, league)
    versions = versions_of(session, league, members)
    tables = _take_places(session, now, league, members, versions)
    lacking = too_few(league, len(tables[0]))
    if lacking is not None:
        _wait_for_bots(session, now, league, lacking)
        return None
    season = Season(
        league_id=league.id,
        number=seasons_made(session, league) + 1,
        due=league.due or now,
        made=now,
        state=SeasonState.PREPARING,
        divisions=[SeasonDivision(division=n) for n, table in enumerate(tables) if table],
        placings=[
            Placing(member_id=key, division=n, seed=seed, version_id=versions[key].id)
            for n, table in enumerate(tables)
            for seed, key in enumerate(table)
        ],
    )
    session.add(season)
    session.flush()
    why = f"season {season.number} begins with {len(everybody(tables))} bots"
    why += _missed(league, now)
    league.due, league.reason = next_due(session, now, league), None
    tell(session, now, league, "SEASON_MADE", why)
    return season


def _missed(league: League, now: datetime) -> str:
    """Say how late a season is, and how many further dates went by and are not made up for."""
    if league.due is None or league.cron is None or (now - league.due).total_seconds() < 60:
        return ""
    calendar, date, missed = calendar_of(league), league.due, 0
    while (date := calendar.after(date)) <= now and missed < MOST_MISSED:
        missed += 1
    more = f"; {missed} further dates went by and are not made up for" if missed else ""
    return f", for the date {league.due:%Y-%m-%d %H:%M} UTC{more}"


def _wait_for_bots(session: Session, now: datetime, league: League, lacking: str) -> None:
    why = f"the season that is due waits for bots: {lacking}"
    if league.reason != why:
        league.reason = why
        tell(session, now, league, "SEASON_WAITS", why)


def too_few(league: League, count: int) -> str | None:
    """Say why a division of so many bots cannot be played; None if it can."""
    game = kibitz.game(league.game, **league.options)
    players = at_a_table(game, league.format)
    try:
        format_named(league.format, league.format_options).check(count, players)
    except FormatError as error:
        return str(error)
    if count < players:
        return f"{game.title} needs at least {players} entrants, there are {count}"
    return None


def _take_places(
    session: Session,
    now: datetime,
    league: League,
    members: Sequence[Member],
    versions: dict[int, Version],
) -> list[list[int]]:
    for member in members:
        if member.division is not None and (member.left or member.id not in versions):
            drop(session, now, league, member)
    tables: list[list[int]] = [[] for _ in league.divisions]
    for member in members:
        if member.division is not None:
            tables[member.division].append(member.id)
    queue = sorted(
        (m for m in members if m.division is None and m.left is None and m.id in versions),
        key=lambda member: (member.since, member.id),
    )
    ratings = ratings_of(session, league, versions) if league.newcomers == "rating" else None
    sizes = [division.size for division in league.divisions]
    filled, entries = fill(tables, sizes, [member.id for member in queue], ratings)
    by_id = {member.id: member for member in members}
    place(filled, by_id)
    session.flush()
    for entry in entries:
        tell(session, now, league, "PLACE_TAKEN", _entered(league, by_id, entry))
    return filled


def drop(session: Session, now: datetime, league: League, member: Member) -> None:
    """Take a bot off its place: it has left, or waits like a newcomer until it may play again."""
    where = league.divisions[member.division or 0].name
    away = "it has no version that may play, and waits for a place until it has one"
    why = f"{member.bot.label} is out of {where}: {'it left' if member.left else away}"
    member.division = member.place = None
    member.since = now
    tell(session, now, league, "DROPPED", why)


def _entered(league: League, members: dict[int, Member], entry: Entry) -> str:
    names = [division.name for division in league.divisions]
    came = "as a newcomer" if entry.source is None else f"from {names[entry.source]}"
    label = members[entry.member].bot.label
    return f"{label} takes a free place of {names[entry.division]}, {came}"


def place(tables: Iterable[Sequence[int]], members: dict[int, Member]) -> None:
    """Write down who stands where."""
    for number, table in enumerate(tables):
        for spot, key in enumerate(table):
            members[key].division, members[key].place = number, spot


def hold_next_division(session: Session, now: datetime, league: League, season: Season) -> bool:
    """Create the tournament of the first division that has none; False when there is no such one.

    A division that cannot be played says why, and the season goes on without it.
    """
    for each in season.divisions:
        if each.tournament_id is None and each.reason is None:
            each.reason = _hold(session, league, season, each)
            if each.reason is not None:
                why = f"{league.divisions[each.division].name} is not played: {each.reason}"
                tell(session, now, league, "DIVISION_NOT_PLAYED", why)
            return True
    return False


def _hold(session: Session, league: League, season: Season, each: SeasonDivision) -> str | None:
    query = (
        select(Placing)
        .where(Placing.season_id == season.id, Placing.division == each.division)
        .order_by(Placing.seed)
    )
    found = list(session.scalars(query))
    may_play = versions_of(session, league, [placing.member for placing in found])
    versions = []
    for placing in found:
        version = may_play.get(placing.member_id)
        placing.version_id = version.id if version else None
        versions += [version] if version else []
    lacking = too_few(league, len(versions))
    if lacking is not None:
        return lacking
    try:
        with session.begin_nested():
            _create(session, league, season, each, versions)
    except InvalidError as error:
        return f"{error.reason}: {error}"[:500]
    return None


def _create(
    session: Session,
    league: League,
    season: Season,
    each: SeasonDivision,
    versions: Sequence[Version],
) -> None:
    title = f"{league.name}, season {season.number}"
    if len(league.divisions) > 1:
        title += f", {league.divisions[each.division].name}"
    each.tournament = create_tournament(
        session,
        league.owner,
        league.game,
        versions,
        name=title,
        options=league.options,
        format=league.format,
        format_options=league.format_options,
        sets_per_pairing=league.sets_per_pairing,
        clock=league.clock,
        policy=league.policy,
        rated=league.rated,
        running=Running(league.priority, league.absence, league.wait_seconds),
        one_owner=league.one_owner,
    )
    session.flush()
