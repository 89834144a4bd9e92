"""A league as one answer: its terms, its divisions as they stand, and what is to come."""

from collections.abc import Mapping
from datetime import datetime

from kibitz.totals import Total
from kibitz_worker.leagues.changes import calendar_of, season_under_way
from kibitz_worker.leagues.members import members_of, versions_of
from kibitz_worker.leagues.tables import in_order, stages
from kibitz_worker.store.models import (
    Division,
    League,
    Member,
    SeasonDivision,
    SetState,
    Tournament,
    Version,
)
from kibitz_worker.store.moments import database_now
from kibitz_worker.store.planning import format_of, situation
from sqlalchemy.orm import Session

from kibitz_api.leagues import queries
from kibitz_api.leagues.models import DivisionAnswer, LeagueAnswer, MemberAnswer
from kibitz_api.paging import Paging
from kibitz_api.tournaments.queries import set_counts
from kibitz_api.tournaments.tallies import TALLIES

DATES = 5
LOG = 30

Standing = tuple[int, Total]
"""Rank and what was done in the season under way."""


def full(session: Session, league: League) -> LeagueAnswer:
    """All about a league."""
    members = members_of(session, league)
    versions = versions_of(session, league, members)
    season = season_under_way(session, league)
    under_way = {each.division: each for each in season.divisions} if season else {}
    (summary,) = queries.summaries(session, [league])
    waiting = [member for member in members if member.division is None]
    return LeagueAnswer(
        **summary.model_dump(),
        options=league.options,
        format=league.format,
        format_options=league.format_options,
        sets_per_pairing=league.sets_per_pairing,
        rated=league.rated,
        one_owner=league.one_owner,
        priority=league.priority,
        absence=league.absence,
        wait_seconds=league.wait_seconds,
        starts=league.starts,
        seasons=league.most_seasons,
        late=league.late,
        joining=league.joining,
        newcomers=league.newcomers,
        dates=coming(league, database_now(session)),
        tables=[
            _division(session, league, division, under_way.get(division.number), members, versions)
            for division in league.divisions
        ],
        waiting=[
            _member(place, member, versions.get(member.id), None, None)
            for place, member in enumerate(waiting, 1)
        ],
        log=queries.log(session, league, Paging(LOG, 0)).items,
    )


def coming(league: League, now: datetime) -> list[datetime]:
    """The next dates of a league, as far as there are seasons left."""
    if league.due is None:
        return []
    later = calendar_of(league).coming(max(league.due, now), DATES - 1)
    return [league.due, *later]


def _division(
    session: Session,
    league: League,
    division: Division,
    under_way: SeasonDivision | None,
    members: list[Member],
    versions: Mapping[int, Version],
) -> DivisionAnswer:
    here = [member for member in members if member.division == division.number]
    tournament = under_way.tournament if under_way else None
    standings = _standings(session, tournament) if tournament else {}
    here.sort(key=lambda m: (standings[m.bot_id][0] if m.bot_id in standings else 9999, m.place))
    counts = set_counts(session, [tournament])[tournament.id] if tournament else {}
    up = league.divisions[division.number - 1].movers if division.number else 0
    return DivisionAnswer(
        number=division.number + 1,
        name=division.name,
        size=division.size,
        up=up,
        down=division.movers,
        tournament=tournament.id if tournament else None,
        reason=under_way.reason if under_way else None,
        sets_done=counts.get(SetState.DONE, 0),
        sets_total=sum(counts.values()),
        bots=[
            _member(
                place,
                member,
                versions.get(member.id),
                zone(place, len(here), up, division.movers) if tournament else None,
                standings.get(member.bot_id),
            )
            for place, member in enumerate(here, 1)
        ],
    )


def zone(place: int, bots: int, up: int, down: int) -> str | None:
    """Where a place of a division leads to at the end of a season: up, down, or nowhere."""
    if place <= up:
        return "up"
    return "down" if place > bots - down else None


def _standings(session: Session, tournament: Tournament) -> dict[int, Standing]:
    """How a division stands, by bot, in the order in which it will be ranked at its end."""
    totals = TALLIES.of(session, tournament)
    chosen = format_of(tournament)
    reached = {} if chosen.looks == "never" else stages(chosen, situation(session, tournament))
    bots = {entrant.number: entrant.version.bot_id for entrant in tournament.entrants}
    order = enumerate(in_order(totals, reached), 1)
    return {bots[number]: (rank, totals[number]) for rank, number in order}


def _member(
    place: int,
    member: Member,
    version: Version | None,
    zone: str | None,
    standing: Standing | None,
) -> MemberAnswer:
    total = standing[1] if standing else Total()
    return MemberAnswer(
        place=place,
        bot=member.bot.label,
        version=version.number if version else None,
        newest=member.version_id is None,
        zone=zone,
        leaves=member.left is not None,
        share=total.share,
        margin=total.mean_margin,
        sets=total.sets,
    )
