"""The standing check that nobody is favoured: a league a game in which one bot has two names.

The house organises them. They play last of all, with the game's usual options, so that the rating
pools that everybody looks at hold the twins too; the health page compares them.
"""

from __future__ import annotations

from datetime import datetime

import kibitz
from kibitz.game import Game
from kibitz.loading import SHIPPED
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.house import TWIN
from kibitz_worker.leagues.changes import calendar_of, change_calendar, finish_league
from kibitz_worker.leagues.dates import Calendar
from kibitz_worker.leagues.founding import DivisionPlan, Terms, create_league
from kibitz_worker.leagues.members import join
from kibitz_worker.store.accounts import house
from kibitz_worker.store.models import League, LeagueState, User
from kibitz_worker.store.running import PRIORITIES, Running
from kibitz_worker.store.tournaments import pool_of

BOTS = (*SHIPPED, TWIN)


def league_name(game: Game) -> str:
    """Return what the check of a game is called."""
    return f"Twins at {game.title}"


def keep_twin_checks(session: Session, now: datetime, cron: str | None) -> list[League]:
    """Let there be a check of every game whose seasons begin by `cron`, or none at all without.

    Returns those that go on. Checks whose game has other usual options by now end, as all do
    without `cron`; a season under way is played. Raises InvalidError (CRON_INVALID, CRON_NEVER).
    """
    calendar = Calendar(cron).checked() if cron else None
    owner = house(session)
    session.refresh(owner, with_for_update=True)  # workers of several machines start at once
    games = [kibitz.game(name) for name in kibitz.games()] if calendar else []
    kept = []
    for league in _running(session, owner):
        game = next((game for game in games if pool_of(game) == league.pool), None)
        if game is None or calendar is None:
            finish_league(session, now, league, "the setting KIBITZ_TWIN_CHECK asks for it no more")
            continue
        games.remove(game)
        if calendar_of(league) != calendar:
            change_calendar(session, now, owner, league, calendar)
        kept.append(league)
    if calendar is not None:
        kept += [_found(session, now, owner, game, calendar) for game in games]
    return kept


def _running(session: Session, owner: User) -> list[League]:
    """The house's leagues that have not ended: it has no other ones."""
    query = select(League).where(League.owner_id == owner.id, League.state != LeagueState.ENDED)
    return list(session.scalars(query.order_by(League.id)))


def _found(session: Session, now: datetime, owner: User, game: Game, calendar: Calendar) -> League:
    terms = Terms(
        game=game.name,
        options=game.options(),
        divisions=[DivisionPlan(len(BOTS))],
        running=Running(priority=PRIORITIES[0]),
        joining="organiser",
    )
    league = create_league(session, now, owner, league_name(game), terms, calendar)
    for name in BOTS:
        join(session, now, owner, league, name)
    return league
