"""What the keeper does for leagues: whatever the database says is due, one step a transaction."""

from __future__ import annotations

from datetime import datetime

import structlog
from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from kibitz_worker.errors import StoreError
from kibitz_worker.leagues.changes import season_under_way
from kibitz_worker.leagues.closing import (
    OVER,
    close_season,
    cut_short,
    open_tournaments,
    still_playing,
)
from kibitz_worker.leagues.log import tell
from kibitz_worker.leagues.members import league_with_id
from kibitz_worker.leagues.seasons import hold_next_division, make_season
from kibitz_worker.store import Store
from kibitz_worker.store.models import (
    League,
    LeagueState,
    Season,
    SeasonDivision,
    SeasonState,
    Tournament,
)

log = structlog.get_logger(__name__)


def tend_leagues(store: Store) -> int:
    """Do all that is due for leagues; return how many steps that took.

    A league that cannot be tended is left for the next look and keeps nobody from the others.
    """
    with store.read() as session:
        due = leagues_due(session, store.now(session))
    steps = 0
    for league_id in due:
        try:
            while _tend(store, league_id):
                steps += 1
        except StoreError as error:
            log.warning("league left", league=league_id, reason=error.reason, error=str(error))
        except Exception:
            log.exception("league failed", league=league_id)
    return steps


def _tend(store: Store, league_id: str) -> bool:
    with store.write() as session:
        return take_step(session, store.now(session), league_id)


def leagues_due(session: Session, now: datetime) -> list[str]:
    """Return the leagues for which there is something to do: most looks find none."""
    unplayed = exists().where(
        SeasonDivision.season_id == Season.id,
        SeasonDivision.tournament_id == Tournament.id,
        Tournament.state.not_in(OVER),
    )
    under_way = exists().where(
        Season.league_id == League.id,
        (Season.state == SeasonState.PREPARING)
        | ((Season.state == SeasonState.RUNNING) & ~unplayed),
    )
    dated = (League.state == LeagueState.RUNNING) & (League.due <= now)
    return list(session.scalars(select(League.id).where(dated | under_way).order_by(League.id)))


def take_step(session: Session, now: datetime, league_id: str) -> bool:
    """Do the next thing that is due for a league; False when there is nothing more to do now."""
    league = league_with_id(session, league_id)
    season = season_under_way(session, league)
    is_due = league.state is LeagueState.RUNNING and league.due is not None and league.due <= now
    if season is None:
        return is_due and make_season(session, now, league) is not None
    if season.state is SeasonState.PREPARING:
        if not hold_next_division(session, now, league, season):
            season.state = SeasonState.RUNNING
        return True
    if not still_playing(session, season):
        close_season(session, now, league, season)
        return True
    if is_due and open_tournaments(session, season):
        return _next_is_due(session, now, league, season)
    return False


def _next_is_due(session: Session, now: datetime, league: League, season: Season) -> bool:
    """Let the next season wait for the one under way, or cut that one short."""
    if league.late == "close":
        cut_short(session, now, league, season, "cut short, because the next season was due")
        return True
    why = f"season {season.number + 1} is due and waits until season {season.number} is over"
    if league.reason != why:
        league.reason = why
        tell(session, now, league, "SEASON_WAITS", why)
    return False
