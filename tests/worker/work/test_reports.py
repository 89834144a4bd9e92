"""Results come in once, hold, and are never changed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from kibitz.fair import Luck
from kibitz_worker.errors import ReportError
from kibitz_worker.store import Store
from kibitz_worker.store.ids import sha256_hex
from kibitz_worker.store.models import Attempt, DealSet, Match, MatchState, Outcome, SetState
from kibitz_worker.work.plan import SetPlan, plan_set
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.verify import Reported, check
from sqlalchemy import select
from sqlalchemy.orm import undefer

from tests.worker.leagues import league
from tests.worker.work.played import LATER, NOW, holder, lease_first, play, retold


@pytest.fixture(params=["german_whist", "whist", "whiskey"])
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def begin(store: Store, game: str) -> tuple[SetPlan, str]:
    bots = ("random", "careful", "search")[: 3 if game == "whiskey" else 2]
    with store.write() as session:
        _, plan = lease_first(session, league(session, game, bots), WHO)
    return plan, plan.id


WHO = holder()


def test_decks_are_stored_before_play_and_stay(store: Store, game: str) -> None:
    plan, set_id = begin(store, game)
    with store.read() as session:
        query = select(Match).options(undefer(Match.decks)).order_by(Match.number)
        decks = {match.id: match.decks for match in session.scalars(query)}
        again = plan_set(session, session.get_one(DealSet, set_id))
    assert {match.id: list(match.decks) for match in plan.matches} == decks
    assert again == plan


def test_a_set_is_added_up_from_its_matches(store: Store, game: str) -> None:
    plan, set_id = begin(store, game)
    checked = [check(plan, play(plan, match)) for match in plan.matches]
    with store.write() as session:
        for one in checked[:-1]:
            assert store_match(session, NOW, WHO, one)
        assert not finish_set(session, NOW, WHO, set_id)
        assert store_match(session, NOW, WHO, checked[-1])
        assert finish_set(session, LATER, WHO, set_id)
        assert not finish_set(session, LATER, WHO, set_id)
    with store.read() as session:
        done = session.get_one(DealSet, set_id)
        assert (done.state, done.finished, done.lease_token) == (SetState.DONE, LATER, None)
        assert session.scalars(select(Attempt.outcome)).all() == [Outcome.DONE]
        returns: dict[int, float] = {}
        for match, one in zip(plan.matches, checked, strict=True):
            for player in set(match.seating):
                seat = match.seating.index(player)
                returns[player] = returns.get(player, 0) + one.returns[seat]
        assert done.scores == [returns[player] for player in range(len(plan.players))]
        assert sum(done.scores) == 0
        assert done.margins is not None
        assert sum(done.margins) == pytest.approx(0)
        assert done.deals == len(plan.matches) * len(plan.matches[0].decks)


def test_the_same_again_is_fine_and_another_result_is_refused(store: Store) -> None:
    plan, set_id = begin(store, "german_whist")
    match = plan.matches[0]
    first, other = play(plan, match), play(plan, match, seed=1)
    with store.write() as session:
        assert store_match(session, NOW, WHO, check(plan, first))
        assert not store_match(session, NOW, WHO, check(plan, first))
        slower = retold(first, rated=True, table="another name")
        assert not store_match(session, NOW, holder("late"), check(plan, slower))
        with pytest.raises(ReportError) as caught:
            store_match(session, NOW, WHO, check(plan, other))
        assert caught.value.reason == "RESULT_DIFFERS"
    with store.read() as session:
        kept = session.scalars(
            select(Match).where(Match.id == match.id).options(undefer(Match.record))
        ).one()
        assert kept.record == check(plan, first).record
        assert kept.record_hash == sha256_hex(kept.record)
        rest = plan_set(session, session.get_one(DealSet, set_id))
        assert [one.id for one in rest.matches] == [plan.matches[1].id]


def test_who_lost_the_lease_reports_no_more(store: Store) -> None:
    plan, set_id = begin(store, "german_whist")
    checked = check(plan, play(plan, plan.matches[0]))
    with store.write() as session:
        with pytest.raises(ReportError) as caught:
            store_match(session, NOW, holder("another"), checked)
        assert caught.value.reason == "LEASE_LOST"
        with pytest.raises(ReportError) as caught:
            finish_set(session, NOW, holder("another"), set_id)
        assert caught.value.reason == "LEASE_LOST"
        match = session.get_one(Match, checked.match_id)
        assert match.state is MatchState.WAITING


def wrong(plan: SetPlan) -> list[tuple[Reported, str]]:
    match = plan.matches[0]
    good = play(plan, match)
    record = json.loads(good.record)
    cheat = json.loads(good.record)
    cheat["deals"][0]["actions"][0][1] = cheat["deals"][0]["actions"][1][1]
    return [
        (Reported("nothing", good.record, good.returns), "MATCH_UNKNOWN"),
        (Reported(match.id, "{", good.returns), "RECORD_WRONG"),
        (Reported(match.id, "[]", good.returns), "RECORD_WRONG"),
        (Reported(match.id, json.dumps(cheat), good.returns), "RECORD_WRONG"),
        (retold(good, returns=[99, -99]), "RECORD_WRONG"),
        (retold(good, deals=record["deals"][:1]), "RECORD_WRONG"),
        (retold(good, deals=record["deals"][::-1]), "RECORD_WRONG"),
        (retold(good, seats=record["seats"][::-1]), "RECORD_DIFFERS"),
        (Reported(match.id, good.record, (99.0, -99.0)), "RESULT_WRONG"),
    ]


def test_nothing_counts_that_does_not_replay(store: Store) -> None:
    plan, _ = begin(store, "german_whist")
    for reported, reason in wrong(plan):
        with pytest.raises(ReportError) as caught:
            check(plan, reported)
        assert caught.value.reason == reason


def test_other_decks_than_planned_are_refused(store: Store) -> None:
    plan, _ = begin(store, "german_whist")
    match = plan.matches[0]
    mirrored = [Luck(deck=luck["deck"][::-1], cut=None) for luck in match.decks]
    dealt = replace(match, decks=tuple(mirrored))
    with pytest.raises(ReportError) as caught:
        check(plan, play(plan, dealt))
    assert caught.value.reason == "RECORD_DIFFERS"


def test_a_match_played_without_clocks_does_not_count_where_clocks_were_planned(
    store: Store,
) -> None:
    plan, _ = begin(store, "german_whist")
    reported = retold(play(plan, plan.matches[0]), rated=False)
    with pytest.raises(ReportError, match="without clocks") as caught:
        check(plan, reported)
    assert caught.value.reason == "UNRATED"
    assert check(replace(plan, clock={**plan.clock, "untimed": True}), reported)
