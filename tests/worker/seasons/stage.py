"""Leagues to test with: a clock that is set, bots by the dozen, and seasons played in no time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from kibitz_worker.leagues.dates import Calendar
from kibitz_worker.leagues.founding import DivisionPlan, Terms, create_league
from kibitz_worker.leagues.members import join, league_with_id, members_of
from kibitz_worker.reconcile import finish, played_out
from kibitz_worker.store import Store
from kibitz_worker.store.bots import host_version
from kibitz_worker.store.models import (
    DealSet,
    Event,
    League,
    Pairing,
    Season,
    SetState,
    Tournament,
    TournamentState,
)
from kibitz_worker.store.planning import advance
from kibitz_worker.work.rounds import Rounds
from sqlalchemy import URL, select
from sqlalchemy.orm import Session

from tests.worker.leagues import owner_named

START = datetime(2030, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
DAILY = Calendar(cron="0 18 * * *")
GAME = "german_whist"


class SetStore(Store):
    """A store whose clock stands still until it is set."""

    def __init__(self, url: URL, clock: datetime = START) -> None:
        super().__init__(url)
        self.clock = clock

    def now(self, session: Session) -> datetime:
        return self.clock


def bot_names(count: int) -> list[str]:
    return [f"b{number:02}" for number in range(count)]


def terms(sizes: Sequence[int] = (2, 2), movers: int = 1, **more: object) -> Terms:
    plans = [DivisionPlan(size, movers) for size in sizes[:-1]] + [DivisionPlan(sizes[-1])]
    given: dict[str, object] = {"game": GAME, "options": {"end": "hands:2"}, "divisions": plans}
    return Terms(**(given | more))  # type: ignore[arg-type]


def enter(session: Session, now: datetime, league: League, name: str, owner: str = "ben") -> None:
    """Let a new bot of somebody join."""
    user = owner_named(session, owner)
    host_version(session, user, name, [GAME])
    join(session, now, user, league, f"{owner}/{name}")


def found(
    store: Store,
    bots: int = 4,
    wanted: Terms | None = None,
    calendar: Calendar = DAILY,
    **more: object,
) -> str:
    """Found a league of ana's with so many bots of ben's; return its id."""
    with store.write() as session:
        now = store.now(session)
        ana = owner_named(session, "ana")
        made = create_league(session, now, ana, "Autumn", wanted or terms(), calendar, **more)  # type: ignore[arg-type]
        for name in bot_names(bots):
            enter(session, now, made, name)
        return made.id


def tables(session: Session, league: str) -> list[list[str]]:
    """Return who stands in which division, the waiting list last."""
    kept = league_with_id(session, league)
    rows: list[list[str]] = [[] for _ in range(len(kept.divisions) + 1)]
    for member in members_of(session, kept):
        rows[len(rows) - 1 if member.division is None else member.division].append(member.bot.name)
    return rows


def placed(store: Store, league: str) -> list[list[str]]:
    with store.write() as session:
        return tables(session, league)


def kinds(store: Store, league: str) -> list[str]:
    with store.read() as session:
        query = select(Event.kind).where(Event.subject == league).order_by(Event.id)
        return list(session.scalars(query))


def reasons(store: Store, league: str, kind: str) -> list[str]:
    with store.read() as session:
        query = select(Event.reason).where(Event.subject == league, Event.kind == kind)
        return list(session.scalars(query.order_by(Event.id)))


def seasons(store: Store, league: str) -> list[Season]:
    with store.read() as session:
        query = select(Season).where(Season.league_id == league).order_by(Season.number)
        return list(session.scalars(query))


def tournaments(session: Session) -> list[Tournament]:
    return list(session.scalars(select(Tournament).order_by(Tournament.name)))


def score_sets(session: Session, now: datetime, strength: Mapping[str, float]) -> None:
    """Settle all waiting sets: whoever is stronger (by default the earlier name) has more."""
    query = (
        select(DealSet, Pairing.entrants)
        .join(Pairing, Pairing.id == DealSet.pairing_id)
        .join(Tournament, Tournament.id == DealSet.tournament_id)
        .where(DealSet.state == SetState.WAITING, Tournament.state == TournamentState.RUNNING)
    )
    entrants = {
        t.id: {e.number: e.version.bot.name for e in t.entrants} for t in tournaments(session)
    }
    for deal_set, numbers in session.execute(query).all():
        names = [entrants[deal_set.tournament_id][number] for number in numbers]
        values = [strength[name] if name in strength else -float(name[1:]) for name in names]
        mean = sum(values) / len(values)
        deal_set.scores = deal_set.margins = [value - mean for value in values]
        deal_set.deals, deal_set.state, deal_set.finished = 4, SetState.DONE, now


def play_out(store: Store, strength: Mapping[str, float] | None = None) -> None:
    """Bring all running tournaments to their end, as the keeper does."""
    for _ in range(20):
        with store.write() as session:
            now = store.now(session)
            score_sets(session, now, strength or {})
            session.flush()
            for due in Rounds().due(session):
                advance(session, now, due)
            for over in session.scalars(played_out()).all():
                finish(session, now, over.id)
            running = select(Tournament).where(Tournament.state == TournamentState.RUNNING)
            if session.scalars(running).first() is None:
                return
    raise AssertionError("the tournaments do not end")
