"""Pausing, resuming and ending leagues, and changing the calendar of what is to come."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, InvalidError
from kibitz_worker.leagues.dates import Calendar
from kibitz_worker.leagues.log import tell
from kibitz_worker.store.models import (
    League,
    LeagueState,
    Season,
    SeasonState,
    User,
)


def calendar_of(league: League) -> Calendar:
    """Return when the seasons of a league begin."""
    return Calendar(league.cron, league.time_zone, league.most_seasons, league.late)


def season_under_way(session: Session, league: League) -> Season | None:
    """Return the season of a league that is not closed."""
    return session.scalar(
        select(Season).where(Season.league_id == league.id, Season.state != SeasonState.CLOSED)
    )


def seasons_made(session: Session, league: League) -> int:
    """Return how many seasons a league has begun."""
    query = select(func.max(Season.number)).where(Season.league_id == league.id)
    return session.scalar(query) or 0


def pause_league(session: Session, now: datetime, asker: User, league: League) -> League:
    """Begin no further season; the one under way is played and closed.

    Raises ConflictError (LEAGUE_OVER).
    """
    _check_not_over(league)
    if league.state is LeagueState.PAUSED:
        return league
    league.state = LeagueState.PAUSED
    league.reason = f"paused by {asker.name}"
    tell(session, now, league, "PAUSED", league.reason, user_id=asker.id)
    return league


def resume_league(session: Session, now: datetime, asker: User, league: League) -> League:
    """Go on after a pause, with the next date from now on; dates that have passed are left out.

    Raises ConflictError (LEAGUE_OVER).
    """
    _check_not_over(league)
    if league.state is LeagueState.PAUSED:
        league.state = LeagueState.RUNNING
        league.reason = None
        league.due = next_due(session, now, league)
        tell(session, now, league, "RESUMED", f"resumed by {asker.name}", user_id=asker.id)
    return league


def end_league(session: Session, now: datetime, asker: User, league: League) -> League:
    """End a league: no further season begins; the one under way is played and closed.

    Raises ConflictError (LEAGUE_OVER).
    """
    _check_not_over(league)
    finish_league(session, now, league, f"ended by {asker.name}", user_id=asker.id)
    return league


def finish_league(
    session: Session, now: datetime, league: League, why: str, *, user_id: int | None = None
) -> None:
    """Let no further season begin, for good."""
    league.state = LeagueState.ENDED
    league.reason = why
    league.due = None
    league.ended = now
    tell(session, now, league, "ENDED", why, user_id=user_id)


def change_calendar(
    session: Session, now: datetime, asker: User, league: League, calendar: Calendar
) -> League:
    """Let coming seasons begin by another calendar; the season under way stays as it is.

    Raises ConflictError (LEAGUE_OVER) and InvalidError: those of `Calendar.checked`, and
    SEASONS_INVALID when more seasons have begun already.
    """
    _check_not_over(league)
    calendar.checked()
    if calendar == calendar_of(league):
        return league
    made = seasons_made(session, league)
    if calendar.seasons is not None and calendar.seasons < max(made, 1):
        raise InvalidError(
            f"{made} seasons have begun, so there cannot be {calendar.seasons}; end the league "
            "instead",
            reason="SEASONS_INVALID",
        )
    league.cron, league.time_zone = calendar.cron, calendar.time_zone
    league.most_seasons, league.late = calendar.seasons, calendar.late
    league.due = next_due(session, now, league)
    session.flush()
    dates = calendar.cron or "each season follows the one before it"
    why = f"calendar is now {dates}, {calendar.time_zone}; by {asker.name}"
    tell(session, now, league, "CALENDAR_CHANGED", why, user_id=asker.id)
    if made == calendar.seasons and season_under_way(session, league) is None:
        finish_league(session, now, league, all_played(made), user_id=asker.id)
    return league


def all_played(count: int) -> str:
    """Say why a league has ended by itself."""
    return "its only season has been played" if count == 1 else f"all {count} seasons are played"


def next_due(session: Session, now: datetime, league: League) -> datetime | None:
    """Return the next date from now on; None when no season is to come, or none is due by date.

    Without dates, a season becomes due when the one before it is closed.
    """
    if league.most_seasons is not None and seasons_made(session, league) >= league.most_seasons:
        return None
    if league.cron is None and season_under_way(session, league) is not None:
        return None
    calendar = calendar_of(league)
    return calendar.first(league.starts) if league.starts > now else calendar.after(now)


def _check_not_over(league: League) -> None:
    if league.state is LeagueState.ENDED:
        raise ConflictError(
            f"league {league.id} has ended and stays as it is", reason="LEAGUE_OVER"
        )
