"""What is put into one job: sets of few bots, by pairings, and never one deck twice."""

from __future__ import annotations

from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, Entrant, Pairing, SetState, Tournament
from kibitz_worker.store.tournaments import create_tournament
from kibitz_worker.work.filling import fill_sets
from kibitz_worker.work.gathering import MOST_PROCESSES, Due
from kibitz_worker.work.outbox import SETS
from kibitz_worker.work.turns import Seats
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tests.worker.leagues import SHORT, house_bots, league, owner_named
from tests.worker.work.played import NOW

NAMES = [f"bot{number}" for number in range(12)]


def due(session: Session, tournament: Tournament) -> Due:
    return Due(session, NOW, tournament, lambda _: SETS, None)


def pairings_of(session: Session, sets: list[DealSet]) -> list[list[int]]:
    keys = dict.fromkeys(one.pairing_id for one in sets)
    return [session.get_one(Pairing, key).entrants for key in keys]


def test_pairings_of_the_same_bots_share_a_job(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, bots=NAMES, sets=3)
        sets, players = due(session, tournament).together(18)
        pairings = pairings_of(session, sets)
        assert len(sets) == 18
        assert [one.pairing_id for one in sets] == sorted(
            (one.pairing_id for one in sets), key=[s.pairing_id for s in sets].index
        )
        assert len(pairings) == 6
        assert len(players) == 4  # all six pairings of four bots
        assert {number for pair in pairings for number in pair} == set(players)


def test_the_furthest_behind_comes_first_and_bots_are_few(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, bots=NAMES, sets=2)
        sets, players = due(session, tournament).together(1000)
        assert sets[0].number == session.scalar(select(func.min(DealSet.number)))
        assert len(players) == MOST_PROCESSES // 2
        assert len(sets) == 2 * len(players) * (len(players) - 1) // 2


def test_three_at_a_table_share_a_job_too(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, "whiskey", NAMES[:5], sets=1)
        sets, players = due(session, tournament).together(1000)
        assert len(players) == MOST_PROCESSES // 3 == len(NAMES[:5])
        assert len(sets) == 10


def test_sets_that_have_each_others_decks_stay_apart(store: Store) -> None:
    with store.write() as session:
        versions = house_bots(session, NAMES[:4])
        tournament = create_tournament(
            session,
            owner_named(session, "ana"),
            "whiskey",
            versions,
            options={"end": SHORT["whiskey"]},
            format="versus",
        )
        twins = select(DealSet).where(DealSet.twin_id.is_not(None))
        assert session.scalars(twins).all()
        sets, _ = due(session, tournament).together(1000)
        assert len(pairings_of(session, sets)) == 1


def test_a_bot_in_many_pairings_of_a_job_plays_in_one_job(store: Store) -> None:
    with store.write() as session:
        league(session, bots=NAMES[:3], sets=1)
        assert fill_sets(session, NOW, {SETS: 1}, 1, 10) == 1
        jobs = session.scalars(
            select(DealSet.job).where(DealSet.state == SetState.WAITING, DealSet.job.is_not(None))
        ).all()
        assert len(jobs) > 1
        assert len(set(jobs)) == 1
        seats = Seats(session, 2)
        bots = {one.version.bot_id for one in session.scalars(select(Entrant)).all()}
        assert not any(seats.full(bot) for bot in bots)
