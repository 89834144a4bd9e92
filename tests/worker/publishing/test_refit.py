"""Snapshots hold what the finished sets say, whatever the way in which they came in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kibitz_worker.refit import Refit
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import DealSet, Match, RatingPoint, SetState, Snapshot
from kibitz_worker.work.ledger import backfill
from sqlalchemy import select, update

from tests.api.conftest import nobody
from tests.e2e.league import League, add_bots, add_tournament, play_set

FOUR = ("careful", "random", "ana/otter/1", "ana/otter/2")
WHISKEY = League("whiskey", "Whiskey", "deals:3", 1, FOUR)
WHIST = League("whist", "Whist", "deals:4", 2, FOUR[:3])


@pytest.fixture
def store(tmp_path: Path, furnish: Callable[[Path], Path]) -> Iterator[Store]:
    with open_store(furnish(tmp_path)) as opened:
        yield opened


def begin(store: Store, *leagues: League) -> list[str]:
    with store.write() as session:
        owner = add_bots(session)
        return [add_tournament(session, owner, league) for league in leagues]


def sets_of(store: Store, tournament: str) -> list[str]:
    with store.read() as session:
        query = select(DealSet.id).where(DealSet.tournament_id == tournament)
        return list(session.scalars(query.order_by(DealSet.number)))


def newest(store: Store, game: str) -> Snapshot:
    with store.read() as session:
        query = select(Snapshot).where(Snapshot.game == game, Snapshot.tournament_id.is_(None))
        found = session.scalar(query.order_by(Snapshot.id.desc()))
    assert found is not None
    return found


def parts(payload: Any, player: str, kind: str) -> dict[str, Any]:
    rows = payload["insights"]["parts"]
    return {row["name"]: row for row in rows if (row["player"], row["kind"]) == (player, kind)}


def test_sets_read_one_by_one_are_rated_like_all_at_once(store: Store) -> None:
    (whist,) = begin(store, WHIST)
    growing = Refit(store, nobody())
    for key in sets_of(store, whist):
        play_set(store, key, forfeit=False, void=False)
        growing.refresh(final=whist)
    one_by_one = newest(store, "whist")
    with store.write() as session:
        session.execute(update(Snapshot).values(sets=-1))
    assert Refit(store, nobody()).refresh() == 2
    at_once = newest(store, "whist")
    assert at_once.id > one_by_one.id
    assert at_once.payload == one_by_one.payload
    assert (at_once.sets, at_once.deals) == (6, 6 * 8)


def test_an_annulled_set_leaves_no_trace_even_if_another_comes_in(store: Store) -> None:
    (whist,) = begin(store, WHIST)
    keys = sets_of(store, whist)
    refit = Refit(store, nobody())
    for key in keys[:4]:
        play_set(store, key, forfeit=False, void=False)
    refit.refresh(final=whist)
    play_set(store, keys[4], forfeit=False, void=False)
    with store.write() as session:
        session.execute(update(DealSet).where(DealSet.id == keys[1]).values(state=SetState.VOID))
    assert refit.refresh(final=whist) == 2
    found = newest(store, "whist")
    with store.write() as session:
        session.execute(update(Snapshot).values(sets=-1))
    Refit(store, nobody()).refresh()
    assert newest(store, "whist").payload == found.payload
    assert found.sets == 4


def test_roles_and_positions_are_told(store: Store) -> None:
    (whiskey,) = begin(store, WHISKEY)
    for key in sets_of(store, whiskey):
        play_set(store, key, forfeit=False, void=False)
    Refit(store, nobody()).refresh(final=whiskey)
    payload = newest(store, "whiskey").payload
    everybody = parts(payload, "", "role")
    assert everybody["defender"]["deals"] == 2 * everybody["declarer"]["deals"] > 0
    assert everybody["declarer"]["margin"] == pytest.approx(-2 * everybody["defender"]["margin"])
    assert 0 <= everybody["declarer"]["won_low"] <= everybody["declarer"]["won"] <= 1
    places = parts(payload, "", "position")
    assert sorted(places) == ["0", "1", "2"]
    assert sum(place["margin"] for place in places.values()) == pytest.approx(0)
    assert places["0"]["deals"] == 4 * 6 * 3
    mine = parts(payload, "careful/1", "position")
    assert {place["deals"] for place in mine.values()} == {3 * 6}
    assert payload["insights"]["luck"]["boards"] == 4 * 2 * 3


def test_the_history_has_a_point_a_version_and_round_and_what_was_expected(store: Store) -> None:
    first, second = begin(store, WHIST, WHIST)
    refit = Refit(store, nobody())
    for tournament in (first, second):
        keys = sets_of(store, tournament)
        for key in keys[:-1]:
            play_set(store, key, forfeit=False, void=False)
        refit.refresh(final=tournament)
        with store.read() as session:
            query = select(RatingPoint).where(RatingPoint.tournament_id == tournament)
            assert not list(session.scalars(query)), "the round is not over"
        play_set(store, keys[-1], forfeit=False, void=False)
        refit.refresh(final=tournament)
    with store.read() as session:
        points = list(session.scalars(select(RatingPoint).order_by(RatingPoint.id)))
    assert len(points) == 6
    assert [point.games for point in points] == [4] * 6
    early, late = points[:3], points[3:]
    assert sum(point.actual for point in early) == pytest.approx(6)
    assert [point.expected for point in early] == [None] * 3
    expected = [point.expected for point in late]
    assert sum(x for x in expected if x is not None) == pytest.approx(6)
    assert [point.before for point in late] == [point.elo for point in early]
    rows = {row["player"]: row for row in newest(store, "whist").payload["rows"]}
    with store.read() as session:
        for point in session.scalars(select(RatingPoint).order_by(RatingPoint.id).offset(3)):
            row = rows[point.version.label]
            assert (point.elo, point.elo_low, point.rank) == (
                row["elo"],
                row["elo_low"],
                row["rank"],
            )
    assert Refit(store, nobody()).refresh() == 0, "a restart tells nothing twice"


def test_ledgers_of_old_matches_are_made_from_their_records(store: Store) -> None:
    (whiskey,) = begin(store, WHISKEY)
    for number, key in enumerate(sets_of(store, whiskey)):
        play_set(store, key, forfeit=number == 0, void=False)
    query = select(Match.id, Match.ledger).order_by(Match.id)
    with store.read() as session:
        before = session.execute(query).all()
    assert any("forfeit" in entry for _, ledger in before for entry in ledger)
    with store.write() as session:
        session.execute(update(Match).values(ledger=None))
    assert backfill(store) == len(before)
    assert backfill(store) == 0
    with store.read() as session:
        assert session.execute(query).all() == before
