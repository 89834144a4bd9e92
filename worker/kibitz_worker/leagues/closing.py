"""Closing a season: its tables are written once and for good, and bots go up and down by them.

What happens to a set of it afterwards (it may be annulled) changes ratings and the page of the
tournament, but neither these tables nor who went up or down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from kibitz_worker.leagues.changes import all_played, finish_league, next_due
from kibitz_worker.leagues.log import tell
from kibitz_worker.leagues.members import versions_of
from kibitz_worker.leagues.moving import Ended, settle
from kibitz_worker.leagues.seasons import place
from kibitz_worker.leagues.tables import Line, final_table
from kibitz_worker.store.models import (
    DealSet,
    League,
    LeagueState,
    Moved,
    Placing,
    Season,
    SeasonDivision,
    SeasonState,
    SetState,
    Tournament,
    TournamentState,
)
from kibitz_worker.store.tournaments import cancel_tournament

OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


def open_tournaments(session: Session, season: Season) -> list[Tournament]:
    """Return the tournaments of a season that are not over."""
    query = (
        select(Tournament)
        .join(SeasonDivision, SeasonDivision.tournament_id == Tournament.id)
        .where(SeasonDivision.season_id == season.id, Tournament.state.not_in(OVER))
        .order_by(SeasonDivision.division)
    )
    return list(session.scalars(query))


def still_playing(session: Session, season: Season) -> bool:
    """Whether a set of a season may still bring a result."""
    playing = exists().where(
        SeasonDivision.season_id == season.id,
        SeasonDivision.tournament_id == DealSet.tournament_id,
        DealSet.state == SetState.LEASED,
    )
    return bool(open_tournaments(session, season)) or bool(session.scalar(select(playing)))


def cut_short(session: Session, now: datetime, league: League, season: Season, why: str) -> None:
    """Cancel what a season has not played; what has been played counts."""
    for tournament in open_tournaments(session, season):
        cancel_tournament(session, tournament.id, why)
    season.reason = why
    tell(session, now, league, "SEASON_CUT_SHORT", f"season {season.number}: {why}")


def close_season(session: Session, now: datetime, league: League, season: Season) -> None:
    """Write the final tables of a season, and let bots go up and down."""
    placings = list(
        session.scalars(
            select(Placing)
            .where(Placing.season_id == season.id)
            .order_by(Placing.division, Placing.seed)
        )
    )
    members = {placing.member_id: placing.member for placing in placings}
    playing = versions_of(session, league, members.values())
    gone = {key for key, member in members.items() if member.left or key not in playing}
    ended = _tables(session, league, season, placings)
    movers = [division.movers for division in league.divisions]
    after = settle(ended, movers, gone)
    place(after, members)
    _tell_moves(session, now, league, placings, gone)
    for key in gone:
        members[key].division = members[key].place = None
        members[key].since = now
    season.state, season.closed = SeasonState.CLOSED, now
    session.flush()
    tell(session, now, league, "SEASON_CLOSED", _closed(season, placings))
    _go_on(session, now, league, season)


def _closed(season: Season, placings: Sequence[Placing]) -> str:
    first = next((each for each in placings if each.division == 0 and each.rank == 1), None)
    won = f", won by {first.member.bot.label}" if first else ""
    cut = f" ({season.reason})" if season.reason else ""
    return f"season {season.number} is over{won}{cut}"


def _go_on(session: Session, now: datetime, league: League, season: Season) -> None:
    if league.state is LeagueState.ENDED:
        return
    if league.most_seasons is not None and season.number >= league.most_seasons:
        finish_league(session, now, league, all_played(league.most_seasons))
    elif league.cron is None:
        league.due = next_due(session, now, league)
        if all(each.tournament_id is None for each in season.divisions):
            league.state = LeagueState.PAUSED
            league.reason = f"no division of season {season.number} could be played"
            tell(session, now, league, "PAUSED", league.reason)
    elif league.state is LeagueState.RUNNING:
        league.reason = None


def _tables(
    session: Session, league: League, season: Season, placings: Sequence[Placing]
) -> list[Ended]:
    by_division: dict[int, list[Placing]] = defaultdict(list)
    for placing in placings:
        by_division[placing.division].append(placing)
    tournaments = {each.division: each.tournament for each in season.divisions}
    ended = []
    for division in league.divisions:
        here = by_division[division.number]
        tournament = tournaments.get(division.number)
        lines = final_table(session, tournament) if tournament else []
        if tournament is not None and any(line.total.sets for line in lines):
            here = _write_ranks(tournament, here, lines)
        count = sum(placing.rank is not None for placing in here)
        ended.append(Ended(tuple(placing.member_id for placing in here), count))
    return ended


def _write_ranks(
    tournament: Tournament, placings: Sequence[Placing], lines: Sequence[Line]
) -> list[Placing]:
    """Write down what everybody did; return them in this order, those that did not play last."""
    versions = {entrant.number: entrant.version_id for entrant in tournament.entrants}
    by_version = {placing.version_id: placing for placing in placings}
    order = []
    for rank, line in enumerate(lines, 1):
        placing = by_version[versions[line.entrant]]
        placing.rank, placing.sets = rank, line.total.sets
        placing.share, placing.margin = line.total.share, line.total.mean_margin
        order.append(placing)
    return order + [placing for placing in placings if placing.rank is None]


def _tell_moves(
    session: Session,
    now: datetime,
    league: League,
    placings: Sequence[Placing],
    gone: set[int],
) -> None:
    counts: Mapping[int, int] = _ranked(placings)
    names = [division.name for division in league.divisions]
    for placing in placings:
        member = placing.member
        to = member.division if member.division is not None else placing.division
        here = names[placing.division]
        rank = "not played"
        if placing.rank is not None:
            rank = f"{placing.rank} of {counts[placing.division]}"
        if placing.member_id in gone:
            out = "left" if member.left else "no version that may play"
            placing.moved, placing.reason = Moved.OUT, f"{rank} in {here}; {out}"
        elif to == placing.division:
            placing.moved, placing.reason = Moved.STAYED, f"{rank} in {here}"
        else:
            placing.moved = Moved.UP if to < placing.division else Moved.DOWN
            placing.reason = f"{rank} in {here}, {placing.moved.value} to {names[to]}"
        if placing.moved is not Moved.STAYED:
            why = f"{member.bot.label}: {placing.reason}"
            tell(session, now, league, KINDS[placing.moved], why)


KINDS = {Moved.UP: "PROMOTED", Moved.DOWN: "RELEGATED", Moved.OUT: "DROPPED"}


def _ranked(placings: Sequence[Placing]) -> dict[int, int]:
    counts: dict[int, int] = defaultdict(int)
    for placing in placings:
        counts[placing.division] += placing.rank is not None
    return counts
