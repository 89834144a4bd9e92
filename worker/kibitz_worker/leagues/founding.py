"""Founding leagues: all that is to be wrong with one is said before its first season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from kibitz.game import Game
from sqlalchemy.orm import Session

from kibitz_worker.errors import InvalidError
from kibitz_worker.leagues.dates import Calendar
from kibitz_worker.leagues.log import tell
from kibitz_worker.schedule.formats import Format
from kibitz_worker.store.clocks import check_clock, check_policy
from kibitz_worker.store.ids import short_id
from kibitz_worker.store.models import Division, League, LeagueState, User
from kibitz_worker.store.names import check_title
from kibitz_worker.store.planning import at_a_table
from kibitz_worker.store.running import Running
from kibitz_worker.store.tournaments import (
    DEFAULT_RUNNING,
    check_size,
    checked_format,
    checked_rules,
    chosen_options,
    pool_of,
)

FORMATS_OF_LEAGUES = ("round_robin", "swiss", "knockout", "halving", "individual")
"""Those that leave a table of a whole division and come to an end."""
JOININGS = ("anybody", "organiser")
NEWCOMERS = ("lowest", "rating")
LONGEST_NAME = 60
MOST_DIVISIONS = 50
LARGEST_DIVISION = 200
FURTHEST = timedelta(days=3660)


@dataclass(frozen=True)
class DivisionPlan:
    """How many bots a division holds, and how many change places with the one below it."""

    size: int
    movers: int = 0
    name: str = ""


@dataclass(frozen=True)
class Terms:
    """What every season of a league is: the fields are those of `create_tournament`.

    `joining` says who brings bots, ``anybody`` who owns one or the ``organiser`` alone;
    `newcomers` where they come in, at the ``lowest`` place or by their ``rating``.
    """

    game: str
    divisions: Sequence[DivisionPlan]
    preset: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    format: str = "round_robin"
    format_options: Mapping[str, object] = field(default_factory=dict)
    sets_per_pairing: int = 1
    clock: Mapping[str, object] | None = None
    policy: str = "forfeit_deal"
    rated: bool = True
    one_owner: bool = True
    running: Running = DEFAULT_RUNNING
    joining: str = "anybody"
    newcomers: str = "lowest"

    def checked(self) -> tuple[Game, Format]:
        """Return game and format of a season that can be.

        Raises InvalidError: those of `create_tournament`, LEAGUE_FORMAT, DIVISIONS_INVALID,
        DIVISION_TOO_SMALL, DIVISION_TOO_LARGE, MOVERS_INVALID, JOINING_INVALID, NEWCOMERS_INVALID.
        """
        rules = checked_rules(self.game, self.preset, self.options)
        if self.format not in FORMATS_OF_LEAGUES:
            raise InvalidError(
                f"a season cannot be a {self.format[:40]!r}, which leaves no table of all bots of "
                f"a division; formats of leagues: {', '.join(FORMATS_OF_LEAGUES)}",
                reason="LEAGUE_FORMAT",
            )
        chosen = self._check_divisions(rules)
        check_movers(self.divisions)
        _check_word("joining", self.joining, JOININGS)
        _check_word("newcomers", self.newcomers, NEWCOMERS)
        check_clock(self.clock)
        check_policy(self.policy)
        self.running.checked()
        return rules, chosen

    def _check_divisions(self, rules: Game) -> Format:
        if not 1 <= len(self.divisions) <= MOST_DIVISIONS:
            raise InvalidError(
                f"a league has 1 to {MOST_DIVISIONS} divisions, not {len(self.divisions)}",
                reason="DIVISIONS_INVALID",
            )
        players = at_a_table(rules, self.format)
        for number, plan in enumerate(self.divisions, 1):
            if plan.size > LARGEST_DIVISION:
                raise InvalidError(
                    f"division {number} of {plan.size} bots is too large; at most "
                    f"{LARGEST_DIVISION}, and more divisions instead",
                    reason="DIVISION_TOO_LARGE",
                )
            if plan.size < players:
                raise InvalidError(
                    f"division {number} of {plan.size} {_bots(plan.size)} is too small: "
                    f"{rules.title} has {players} at a table",
                    reason="DIVISION_TOO_SMALL",
                )
            chosen = checked_format(self.format, self.format_options, rules, plan.size)
            check_size(chosen, plan.size, players, self.sets_per_pairing)
        return chosen


def check_movers(divisions: Sequence[DivisionPlan]) -> None:
    """Refuse more going up and down than a division holds. Raises InvalidError (MOVERS_INVALID)."""
    if divisions[-1].movers:
        raise InvalidError(
            "nobody goes down from the lowest division; its movers are 0", reason="MOVERS_INVALID"
        )
    above = 0
    for number, plan in enumerate(divisions, 1):
        if plan.movers < 0 or above + plan.movers > plan.size:
            raise InvalidError(
                f"division {number} of {plan.size} bots cannot have {above} going up and "
                f"{plan.movers} going down",
                reason="MOVERS_INVALID",
            )
        above = plan.movers


def _check_word(what: str, word: str, known: Sequence[str]) -> None:
    if word not in known:
        raise InvalidError(
            f"{what} is {word[:40]!r}, it must be {' or '.join(known)}",
            reason=f"{what.upper()}_INVALID",
        )


def _bots(count: int) -> str:
    return "bot" if count == 1 else "bots"


def create_league(
    session: Session,
    now: datetime,
    owner: User,
    name: str,
    terms: Terms,
    calendar: Calendar,
    starts: datetime | None = None,
) -> League:
    """Add a league whose first season begins at its first date from `starts` on (default: now).

    Raises InvalidError: those of `Terms.checked` and `Calendar.checked`, TITLE_INVALID,
    STARTS_INVALID.
    """
    rules, chosen = terms.checked()
    calendar.checked()
    begin = max(starts or now, now)
    if begin - now > FURTHEST:
        raise InvalidError(
            f"a league begins within {FURTHEST.days} days, not in {begin.year}",
            reason="STARTS_INVALID",
        )
    league = _new(rules, chosen, terms)
    league.name = check_title(name, "league name", LONGEST_NAME)
    league.owner_id, league.created = owner.id, now
    league.cron, league.time_zone = calendar.cron, calendar.time_zone
    league.most_seasons, league.late = calendar.seasons, calendar.late
    league.starts, league.due = begin, calendar.first(begin)
    session.add(league)
    session.flush()
    tell(session, now, league, "FOUNDED", f"founded by {owner.name}", user_id=owner.id)
    return league


def _new(rules: Game, chosen: Format, terms: Terms) -> League:
    return League(
        id=short_id(),
        game=rules.name,
        options=rules.options(),
        pool=pool_of(rules),
        format=chosen.name,
        format_options=chosen_options(chosen),
        sets_per_pairing=terms.sets_per_pairing,
        clock=check_clock(terms.clock),
        policy=terms.policy,
        rated=terms.rated,
        one_owner=terms.one_owner,
        priority=terms.running.priority,
        absence=terms.running.absence,
        wait_seconds=terms.running.wait_seconds,
        joining=terms.joining,
        newcomers=terms.newcomers,
        state=LeagueState.RUNNING,
        divisions=[
            Division(
                number=number,
                name=check_title(plan.name or f"Division {number + 1}", "division name", 30),
                size=plan.size,
                movers=plan.movers,
            )
            for number, plan in enumerate(terms.divisions)
        ],
    )
