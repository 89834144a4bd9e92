"""Keepers of leagues that are killed, come twice, or go on for many seasons."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from kibitz_worker.leagues.founding import create_league
from kibitz_worker.leagues.members import join, league_with_id, leave, members_of
from kibitz_worker.leagues.tending import tend_leagues
from kibitz_worker.reconcile import Reconciler
from kibitz_worker.settings import Settings
from kibitz_worker.store.models import (
    DealSet,
    League,
    Placing,
    Season,
    SeasonState,
    SetState,
    Snapshot,
    Tournament,
    TournamentState,
    Version,
    VersionState,
)
from kibitz_worker.valkey import open_queue_server
from kibitz_worker.work.leases import lease_sets
from kibitz_worker.work.plan import plan_set
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.verify import check
from redis import Redis
from sqlalchemy import event, func, select
from sqlalchemy.orm import Session

from tests.worker.leagues import owner_named
from tests.worker.seasons.stage import (
    DAILY,
    DAY,
    SetStore,
    enter,
    found,
    kinds,
    placed,
    play_out,
    seasons,
    terms,
    tournaments,
)
from tests.worker.work.played import holder, play


def killed_at(store: SetStore, write: int) -> bool:
    """Tend leagues in a process that is killed at its write with this number; tell if it was."""
    child = os.fork()
    if child == 0:
        own = SetStore(store.url, store.clock)
        seen = 0

        def count(*_: object) -> None:
            nonlocal seen
            seen += 1
            if seen == write:
                os.kill(os.getpid(), signal.SIGKILL)

        def before(_c: object, _k: object, statement: str, *_: object) -> None:
            if statement.lstrip().startswith(("INSERT", "UPDATE", "DELETE")):
                count()

        event.listen(own._writer, "before_cursor_execute", before)
        event.listen(own._writer, "commit", count)
        tend_leagues(own)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def kill_at_every_write(store: SetStore, check_all: Callable[[], None]) -> int:
    """Tend leagues, killed at the first write, then one write later, until it is done."""
    write = 1
    while killed_at(store, write):
        check_all()
        write += 1
    return write - 1


def test_a_keeper_killed_at_any_write_makes_and_closes_every_season_once(store: SetStore) -> None:
    league = found(store, 4)
    store.clock += DAY

    def nothing_twice() -> None:
        with store.read() as session:
            assert session.scalar(select(func.count()).select_from(Season)) in {0, 1}
            names = [tournament.name for tournament in tournaments(session)]
            assert len(set(names)) == len(names) <= 2

    assert kill_at_every_write(store, nothing_twice) > 10
    assert tend_leagues(store) == 0
    assert kinds(store, league).count("SEASON_MADE") == 1
    with store.read() as session:
        sets = [(t.name, len(t.entrants), t.state) for t in tournaments(session)]
        assert len(session.scalars(select(DealSet)).all()) == 2
    running = TournamentState.RUNNING
    assert sets == [(f"Autumn, season 1, Division {n}", 2, running) for n in (1, 2)]

    play_out(store)
    assert kill_at_every_write(store, nothing_twice) > 5
    assert kinds(store, league).count("SEASON_CLOSED") == 1
    assert kinds(store, league).count("PROMOTED") == 1
    assert placed(store, league) == [["b00", "b02"], ["b01", "b03"], []]
    with store.read() as session:
        assert len(session.scalars(select(Placing)).all()) == 4


def test_keepers_that_come_together_make_one_season(store: SetStore) -> None:
    league = found(store, 4)
    store.clock += DAY
    keepers = [SetStore(store.url, store.clock) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        steps = list(pool.map(tend_leagues, keepers))
    for keeper in keepers:
        keeper.close()
    assert sum(steps) == 4
    assert [season.state for season in seasons(store, league)] == [SeasonState.RUNNING]
    with store.read() as session:
        assert len(tournaments(session)) == 2


def test_a_league_that_cannot_be_tended_keeps_nobody_from_the_others(store: SetStore) -> None:
    broken = found(store, 2)
    with store.write() as session:
        session.get_one(League, broken).game = "chess"
    with store.write() as session:
        ana = owner_named(session, "ana")
        made = create_league(session, store.clock, ana, "Other", terms((2,)), DAILY)
        whole = made.id
        for name in ("c01", "c02"):
            enter(session, store.clock, made, name)
    store.clock += DAY
    tend_leagues(store)
    assert seasons(store, broken) == []
    assert len(seasons(store, whole)) == 1


def change_at_random(session: Session, store: SetStore, league: str, chance: Random) -> None:
    """Let bots come, leave, come back, be taken out and come back to life."""
    kept, ben = league_with_id(session, league), owner_named(session, "ben")
    for _ in range(chance.randrange(3)):
        enter(session, store.clock, kept, f"b{chance.randrange(50, 100)}")
    for member in members_of(session, kept):
        if chance.random() < 0.15:
            leave(session, store.clock, ben, kept, member.bot.label)
        elif chance.random() < 0.2 and member.left:
            join(session, store.clock, ben, kept, member.bot.label)
    for version in session.scalars(select(Version)):
        if chance.random() < 0.1:
            admitted = version.state is VersionState.ADMITTED
            version.state = VersionState.QUARANTINED if admitted else VersionState.ADMITTED


@pytest.mark.parametrize("newcomers", ["lowest", "rating"])
def test_sizes_are_kept_over_many_seasons_of_coming_and_going(
    store: SetStore, newcomers: str
) -> None:
    chance = Random(newcomers)
    league = found(store, 9, terms((3, 3, 2), newcomers=newcomers))
    for _ in range(6):
        store.clock += DAY
        tend_leagues(store)
        rows = placed(store, league)
        assert all(len(row) <= size for row, size in zip(rows, (3, 3, 2), strict=False))
        names = [name for row in rows for name in row]
        assert len(names) == len(set(names))
        with store.write() as session:
            inside = {m.bot.name for m in members_of(session, league_with_id(session, league))}
            assert inside == set(names)
            change_at_random(session, store, league, chance)
        play_out(store, {name: chance.random() for name in names})
        with store.write() as session:
            change_at_random(session, store, league, chance)
        tend_leagues(store)
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(Season)) == 6


@pytest.fixture
def connection(settings: Settings) -> Iterator[Redis]:
    with open_queue_server(settings) as server, server.connect() as client:
        yield client


def play_waiting(store: SetStore) -> None:
    """Play all sets that wait, card for card, as a worker reports them."""
    who = holder()
    with store.write() as session:
        query = select(DealSet).where(DealSet.state == SetState.WAITING)
        for deal_set in session.scalars(query).all():
            lease_sets(session, store.clock, who, {deal_set.id: deal_set.attempts + 1})
            plan = plan_set(session, deal_set)
            for match in plan.matches:
                store_match(session, store.clock, who, check(plan, play(plan, match)))
            assert finish_set(session, store.clock, who, deal_set.id)


def test_the_keeper_plays_seasons_by_the_calendar(
    store: SetStore, settings: Settings, connection: Redis
) -> None:
    league = found(store, 5, terms((2, 3)))
    keeper = Reconciler(store, connection, settings)
    for _ in range(2):
        keeper.tick()
        store.clock += DAY
        keeper.tick()
        play_waiting(store)
        keeper.tick()  # closes the tournaments
        keeper = Reconciler(store, connection, settings)  # another one takes over
        keeper.tick()  # closes the season
    assert [season.state for season in seasons(store, league)] == ["closed", "closed"]
    with store.read() as session:
        played = session.scalars(select(Tournament)).all()
        assert {one.state for one in played} == {TournamentState.FINISHED}
        ranks = session.scalars(
            select(Placing.rank)
            .join(Season)
            .order_by(Season.number, Placing.division, Placing.rank)
        ).all()
        assert list(ranks) == [1, 2, 1, 2, 3] * 2
        rated = session.scalars(select(Snapshot).where(Snapshot.tournament_id.is_(None))).all()
        assert rated[-1].sets == 2 * (1 + 3)
