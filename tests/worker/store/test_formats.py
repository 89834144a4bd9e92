"""Small tournaments of each format, from creation to their end, with a restart in between."""

from __future__ import annotations

from random import Random

import pytest
from kibitz_worker.errors import ConflictError, InvalidError
from kibitz_worker.ratings import Ratings
from kibitz_worker.reconcile import finish, played_out
from kibitz_worker.refit import Refit
from kibitz_worker.schedule.formats import Knockout
from kibitz_worker.store import Store
from kibitz_worker.store.bots import submit_version
from kibitz_worker.store.models import (
    DealSet,
    Match,
    Pairing,
    SetState,
    Snapshot,
    Tournament,
    TournamentState,
    User,
    VersionState,
)
from kibitz_worker.store.notes import notes_of
from kibitz_worker.store.planning import advance, situation
from kibitz_worker.store.tournaments import (
    cancel_tournament,
    create_tournament,
    extend_tournament,
    pause_tournament,
)
from kibitz_worker.work.annulment import annul_set
from kibitz_worker.work.leases import lease_sets
from kibitz_worker.work.plan import plan_set
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.rounds import Rounds
from kibitz_worker.work.verify import check
from sqlalchemy import select
from sqlalchemy.orm import Session

from tests.api.conftest import nobody
from tests.worker.leagues import SHORT, house_bots, owner_named
from tests.worker.work.played import holder, play

NAMES = ["random", "careful", "search", "b4", "b5", "b6"]


def begin(
    store: Store, form: str, bots: int = 4, game: str = "german_whist", **more: object
) -> str:
    with store.write() as session:
        return create_tournament(
            session,
            owner_named(session, "ana"),
            game,
            house_bots(session, NAMES[:bots]),
            options={"end": SHORT[game]},
            format=form,
            **more,  # type: ignore[arg-type]
        ).id


def open_sets(session: Session, tournament: str) -> list[DealSet]:
    query = select(DealSet).where(
        DealSet.tournament_id == tournament, DealSet.state == SetState.WAITING
    )
    return list(session.scalars(query.order_by(DealSet.number)))


def play_some(store: Store, tournament: str, most: int, random: Random) -> None:
    """Play sets for real; the winner of each is drawn by lot."""
    who = holder()
    with store.write() as session:
        waiting = open_sets(session, tournament)
        for deal_set in random.sample(waiting, min(most, len(waiting))):
            lease_sets(session, store.now(session), who, {deal_set.id: deal_set.attempts + 1})
            plan = plan_set(session, deal_set)
            for match in plan.matches:
                store_match(session, store.now(session), who, check(plan, play(plan, match)))
            assert finish_set(session, store.now(session), who, deal_set.id)


def run(store: Store, tournament: str, most: int = 5) -> list[str]:
    """Play to the end; every look is one of a keeper that has just been started."""
    random = Random(tournament)
    for _ in range(200):
        play_some(store, tournament, most, random)
        with store.write() as session:
            for due in Rounds().due(session):
                advance(session, store.now(session), due)
            if session.scalars(played_out()).first() is not None:
                assert finish(session, store.now(session), tournament)
                assert not finish(session, store.now(session), tournament)
                return [note.kind for note in notes_of(session, tournament, 500)]
    raise AssertionError("the tournament does not end")


@pytest.mark.parametrize(
    ("form", "options", "sets"),
    [
        ("round_robin", {}, 6),
        ("gauntlet", {}, 3),
        ("swiss", {"rounds": 3}, 6),
        ("knockout", {"tie_breaks": 0}, 3),
        ("halving", {}, 4 + 2),
        ("ladder", {"sets_each": 4}, 8),
    ],
)
def test_every_format_comes_to_its_end_over_restarts(
    store: Store, form: str, options: dict[str, int], sets: int
) -> None:
    tournament = begin(store, form, format_options=options)
    kinds = run(store, tournament)
    assert kinds.count("PLANNED") >= 1
    with store.read() as session:
        kept = session.get_one(Tournament, tournament)
        assert kept.state is TournamentState.FINISHED
        played = session.scalars(select(DealSet).order_by(DealSet.number)).all()
        assert [s.number for s in played] == list(range(len(played)))
        assert all(s.state is SetState.DONE for s in played)
        assert len(played) >= sets
        if form == "knockout":
            bracket = Knockout(tie_breaks=0).bracket(situation(session, kept))
            assert len(bracket[-1]) == 1
            assert bracket[-1][0].winners


def test_a_test_of_versions_stops_at_its_limit_and_can_be_extended(store: Store) -> None:
    tournament = begin(store, "versus", 2, format_options={"h1": 1.0, "limit": 16})
    with store.write() as session:
        extend_tournament(session, tournament, 4)
        assert session.get_one(Tournament, tournament).format_options["limit"] == 20
    run(store, tournament, most=30)
    with store.read() as session:
        log = notes_of(session, tournament)
        assert log[0].kind == "ALL_PLANNED"
        assert log[0].reason.startswith("undecided after 20 sets")
        assert len(session.scalars(select(DealSet)).all()) == 20


def test_a_test_of_two_sees_both_matches_of_a_set(store: Store) -> None:
    tournament = begin(store, "versus", 2, format_options={"h1": 1.0, "limit": 16})
    run(store, tournament, most=4)
    with store.read() as session:
        now = situation(session, session.get_one(Tournament, tournament))
        done = now.meetings[0].done
        assert done
        for result in done:
            assert len(result.pair) == 2
            assert sum(result.pair) == pytest.approx(result.scores[0] - result.scores[1])


def test_candidate_and_base_get_the_same_cards_in_the_same_company(store: Store) -> None:
    options = {"h1": 1.0, "limit": 16}
    tournament = begin(store, "versus", 4, "whiskey", format_options=options)
    with store.write() as session:
        first, second = open_sets(session, tournament)[:2]
        assert second.twin_id == first.id
        pairs = [session.get_one(Pairing, s.pairing_id).entrants for s in (first, second)]
        assert pairs == [[0, 2, 3], [1, 2, 3]]
        decks = []
        for deal_set in (second, first):
            lease_sets(session, store.now(session), holder(), {deal_set.id: 1})
            decks.append([match.decks for match in plan_set(session, deal_set).matches])
        assert decks[0] == decks[1]


def test_partners_change_and_both_have_what_their_side_has(store: Store) -> None:
    tournament = begin(store, "individual", 4, "whist")
    run(store, tournament)
    with store.read() as session:
        kept = session.get_one(Tournament, tournament)
        assert not kept.rated
        sets = session.scalars(select(DealSet)).all()
        assert len(sets) == 3
        for deal_set in sets:
            assert deal_set.scores is not None
            a, b, c, d = deal_set.scores
            assert (a, b) == (c, d)
            assert a == -b
        seats = [
            m.seating for m in session.scalars(select(Match).where(Match.set_id == sets[0].id))
        ]
        assert seats == [[0, 1, 2, 3], [1, 2, 3, 0]]
    assert Refit(store, nobody()).refresh(final=tournament) == 1
    with store.read() as session:
        (snapshot,) = session.scalars(select(Snapshot))
        assert snapshot.tournament_id == tournament
        ratings = Ratings.from_json(snapshot.payload)
    assert [cell.sets for cell in ratings.crosstable] == [2] * 12  # of three, one as partners
    assert any("partners change" in note for note in ratings.notes)


def test_extending_adds_sets_to_every_table_while_it_is_not_over(store: Store) -> None:
    tournament = begin(store, "round_robin", 3)
    with store.write() as session:
        pause_tournament(session, tournament, "a break")
        extend_tournament(session, tournament, 2)
        assert len(open_sets(session, tournament)) == 9
        assert session.get_one(Tournament, tournament).sets_per_pairing == 3
        with pytest.raises(InvalidError) as caught:
            extend_tournament(session, tournament, 10**6)
        assert caught.value.reason == "TOURNAMENT_TOO_LARGE"
        cancel_tournament(session, tournament, "enough")
        with pytest.raises(ConflictError) as over:
            extend_tournament(session, tournament, 1)
        assert over.value.reason == "TOURNAMENT_OVER"


def test_a_knockout_cannot_be_extended_nor_a_decided_round_annulled(store: Store) -> None:
    tournament = begin(store, "knockout", format_options={"tie_breaks": 0})
    run(store, tournament)
    with store.write() as session:
        first = session.scalars(select(DealSet).order_by(DealSet.number)).first()
        assert first is not None
        with pytest.raises(ConflictError) as caught:
            annul_set(session, store.now(session), first.id, user_id=None, reason="a fault")
        assert caught.value.reason == "ROUND_BUILT_ON"
    other = begin(store, "knockout")
    with store.write() as session, pytest.raises(InvalidError) as refused:
        extend_tournament(session, other, 1)
    assert refused.value.reason == "FORMAT_CANNOT_EXTEND"


def test_bots_of_one_owner_are_kept_apart_where_that_is_asked(store: Store) -> None:
    with store.write() as session:
        ana = owner_named(session, "ana")
        versions = house_bots(session, ["random", "careful"])
        for name in ("heart", "spade"):
            version, _ = submit_version(
                session, ana, name, content_hash=name, path=name, games=["german_whist"]
            )
            version.state = VersionState.ADMITTED
            versions.append(version)

        def made(one_owner: bool) -> Tournament:
            return create_tournament(
                session,
                session.get_one(User, ana.id),
                "german_whist",
                versions,
                one_owner=one_owner,
            )

        assert made(one_owner=True).one_owner
        with pytest.raises(InvalidError) as caught:
            made(one_owner=False)
    assert caught.value.reason == "SAME_OWNER"
    assert "ana/heart/1 and ana/spade/1" in str(caught.value)
