"""The standing check that nobody is favoured: a league a game in which one bot has two names.

The house organises them. Few sets a season are played, last of all, with the game's usual options,
and they are rated for nobody but the twins, who are compared over all seasons on the health page.
Where three or four sit at a table, all combinations of the bots do: the twins with different third
and fourth bots, together and one without the other.
"""

from __future__ import annotations

from datetime import datetime

import kibitz
from kibitz.game import Game
from kibitz.loading import SHIPPED
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.house import DICE, TWIN, needs_dice
from kibitz_worker.leagues.changes import calendar_of, change_calendar, finish_league
from kibitz_worker.leagues.dates import Calendar
from kibitz_worker.leagues.founding import DivisionPlan, Terms, create_league
from kibitz_worker.leagues.members import join
from kibitz_worker.store.accounts import house
from kibitz_worker.store.models import (
    League,
    LeagueState,
    Season,
    SeasonDivision,
    User,
)
from kibitz_worker.store.names import HOUSE
from kibitz_worker.store.running import PRIORITIES, Running
from kibitz_worker.store.tournaments import pool_of

SETS_OF_TWO = 4
"""Sets that two play in a season; at larger tables, which take longer, fewer."""


def bots_of(game: Game) -> tuple[str, ...]:
    """Return who plays in the check of a game."""
    return (*SHIPPED, TWIN, *([DICE] if needs_dice(game) else []))


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
    for league in running_checks(session):
        game = next((game for game in games if pool_of(game) == league.pool), None)
        if game is None or calendar is None:
            finish_league(session, now, league, "the setting KIBITZ_TWIN_CHECK asks for it no more")
            continue
        games.remove(game)
        if calendar_of(league) != calendar:
            change_calendar(session, now, owner, league, calendar)
        _fill(session, now, owner, league, game)
        kept.append(league)
    if calendar is not None:
        kept += [_found(session, now, owner, game, calendar) for game in games]
    return kept


def running_checks(session: Session) -> list[League]:
    """Return the house's leagues that have not ended: it has no other ones."""
    query = select(League).join(User, User.id == League.owner_id)
    query = query.where(User.name == HOUSE, League.state != LeagueState.ENDED)
    return list(session.scalars(query.order_by(League.id)))


def _found(session: Session, now: datetime, owner: User, game: Game, calendar: Calendar) -> League:
    terms = Terms(
        game=game.name,
        options=game.options(),
        divisions=[DivisionPlan(len(bots_of(game)))],
        running=Running(priority=PRIORITIES[0]),
        rated=False,
        joining="organiser",
    )
    league = create_league(session, now, owner, league_name(game), terms, calendar)
    _fill(session, now, owner, league, game)
    return league


def _fill(session: Session, now: datetime, owner: User, league: League, game: Game) -> None:
    """Let coming seasons be as this version of Kibitz wants them."""
    league.rated = False
    league.sets_per_pairing = max(1, SETS_OF_TWO // (game.players - 1))
    league.divisions[0].size = len(bots_of(game))
    for name in bots_of(game):
        join(session, now, owner, league, name)


def seasons_of_checks(session: Session) -> dict[str, list[str]]:
    """Return the tournaments of each check that has any, the latest last, by the league's id."""
    query = (
        select(League.id, SeasonDivision.tournament_id)
        .join(Season, Season.league_id == League.id)
        .join(SeasonDivision, SeasonDivision.season_id == Season.id)
        .join(User, User.id == League.owner_id)
        .where(User.name == HOUSE, SeasonDivision.tournament_id.is_not(None))
        .order_by(League.id, Season.number)
    )
    found: dict[str, list[str]] = {}
    for league, tournament in session.execute(query):
        found.setdefault(league, []).append(str(tournament))
    return found
