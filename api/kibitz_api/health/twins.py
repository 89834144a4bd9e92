"""The standing check that nobody is favoured: one bot entered twice."""

from collections.abc import Sequence
from typing import Literal

import kibitz
from kibitz_worker.leagues.twin_check import running_checks, seasons_of_checks
from kibitz_worker.store.models import League, Season, SeasonState, Snapshot
from sqlalchemy import func, select
from sqlalchemy.orm import Session, undefer

from kibitz_api.health.models import TwinAnswer, TwinCheckAnswer


def twins(snapshots: Sequence[Snapshot]) -> list[TwinAnswer]:
    """The comparisons of the newest ratings, those with an alarm first."""
    found = [answer for snapshot in snapshots for answer in _of(snapshot)]
    return sorted(found, key=lambda each: (not each.alarm, each.game, each.one))


def _of(snapshot: Snapshot) -> list[TwinAnswer]:
    return [
        TwinAnswer(
            game=snapshot.game,
            snapshot=snapshot.id,
            one=told["one"],
            two=told["two"],
            elo=told.get("elo"),
            error=told.get("error"),
            p_value=told.get("p_value"),
            alarm=told["alarm"],
            companies=len(told.get("company", [])),
        )
        for told in snapshot.payload.get("insights", {}).get("twins", [])
    ]


def twin_checks(session: Session) -> list[TwinCheckAnswer]:
    """The standing check of each game, those with an alarm first."""
    leagues = {league.game: league for league in running_checks(session)}
    seasons = seasons_of_checks(session)
    played = {name: seasons.get(league.id, []) for name, league in leagues.items()}
    newest = _newest(session, [key for keys in played.values() for key in keys])
    found = []
    for name in kibitz.games():
        snapshots = [newest[key] for key in played.get(name, []) if key in newest]
        found.append(_check(session, name, leagues.get(name), snapshots))
    return sorted(found, key=lambda check: check.state != "differ")


def _newest(session: Session, tournaments: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Number and sets of the newest snapshot of each tournament that has one."""
    last = (
        select(func.max(Snapshot.id))
        .where(Snapshot.tournament_id.in_(tournaments))
        .group_by(Snapshot.tournament_id)
    )
    query = select(Snapshot.tournament_id, Snapshot.id, Snapshot.sets).where(Snapshot.id.in_(last))
    return {str(key): (number, sets) for key, number, sets in session.execute(query)}


def _check(
    session: Session, name: str, league: League | None, snapshots: Sequence[tuple[int, int]]
) -> TwinCheckAnswer:
    """The latest season's snapshot compares over all seasons."""
    pairs: list[TwinAnswer] = []
    if snapshots:
        query = select(Snapshot).where(Snapshot.id == snapshots[-1][0])
        pairs = twins(session.scalars(query.options(undefer(Snapshot.payload))).all())
    return TwinCheckAnswer(
        game=name,
        state=_state(pairs) if league else "off",
        league=league.id if league else None,
        playing=league is not None and _plays(session, league),
        next=league.due if league else None,
        sets=sum(sets for _, sets in snapshots),
        pairs=pairs,
    )


def _plays(session: Session, league: League) -> bool:
    query = select(Season.id).where(Season.league_id == league.id)
    return session.scalar(query.where(Season.state != SeasonState.CLOSED).limit(1)) is not None


def _state(pairs: Sequence[TwinAnswer]) -> Literal["waiting", "alike", "differ"]:
    if any(pair.alarm for pair in pairs):
        return "differ"
    return "alike" if any(pair.elo is not None for pair in pairs) else "waiting"


def alarms(found: Sequence[TwinAnswer]) -> list[str]:
    """What an operator should know, in words."""
    return [
        f"{each.one} and {each.two} are the same bot and differ beyond luck in {each.game} "
        f"(snapshot {each.snapshot}): a seat, an order or a machine favours somebody."
        for each in found
        if each.alarm
    ]
