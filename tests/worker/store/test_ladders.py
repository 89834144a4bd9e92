"""Coming into a ladder and leaving it, while it is played."""

from __future__ import annotations

from random import Random

import pytest
from kibitz_worker.errors import ConflictError, InvalidError
from kibitz_worker.schedule.formats import Over
from kibitz_worker.store import Store
from kibitz_worker.store.ladders import join_ladder, leave_ladder
from kibitz_worker.store.models import Pairing, SetState, Tournament, VersionState
from kibitz_worker.store.notes import notes_of
from kibitz_worker.store.planning import advance, situation
from kibitz_worker.store.tournaments import cancel_tournament, create_tournament
from kibitz_worker.work.rounds import Rounds
from sqlalchemy import select
from sqlalchemy.orm import Session

from tests.worker.leagues import SHORT, house_bots, owner_named
from tests.worker.store.test_formats import begin, open_sets, play_some
from tests.worker.work.played import sets_of


def seated(session: Session, tournament: str, number: int) -> int:
    """In how many sets somebody sits, called-off ones left out."""
    row = session.get_one(Tournament, tournament)
    count = 0
    for deal_set in sets_of(session, row):
        pairing = session.get_one(Pairing, deal_set.pairing_id)
        count += number in pairing.entrants and deal_set.state is not SetState.VOID
    return count


def look(store: Store, tournament: str, rounds: Rounds) -> None:
    with store.write() as session:
        for due in rounds.due(session):
            assert due == tournament
            advance(session, store.now(session), due)


def test_a_newcomer_is_next_until_it_has_played_as_much(store: Store) -> None:
    key, rounds = begin(store, "ladder", format_options={"sets_each": 12}), Rounds()
    play_some(store, key, 6, Random(1))
    look(store, key, rounds)
    with store.write() as session:
        (newcomer,) = house_bots(session, ["b5"])
        entrant = join_ladder(session, store.now(session), key, newcomer)
        assert (entrant.number, entrant.nonce) == (4, None)
        with pytest.raises(ConflictError, match="already"):
            join_ladder(session, store.now(session), key, newcomer)
    for _ in range(4):
        play_some(store, key, 8, Random(2))
        look(store, key, rounds)
    with store.write() as session:
        counts = [seated(session, key, number) for number in range(5)]
        assert min(counts) >= 12
        assert max(counts) - min(counts) <= 4
        assert "JOINED" in {note.kind for note in notes_of(session, key, 500)}


def test_a_ladder_that_was_planned_to_its_end_goes_on_for_a_newcomer(store: Store) -> None:
    key, rounds = begin(store, "ladder", format_options={"sets_each": 2}), Rounds()
    play_some(store, key, 99, Random(1))
    look(store, key, rounds)
    with store.write() as session:
        assert session.get_one(Tournament, key).planned
        assert not open_sets(session, key)
        join_ladder(session, store.now(session), key, house_bots(session, ["b5"])[0])
        assert len(open_sets(session, key)) == 2


def test_who_leaves_is_given_no_more_sets_and_may_come_again(store: Store) -> None:
    key = begin(store, "ladder", bots=3, format_options={"sets_each": 0})
    play_some(store, key, 2, Random(1))
    with store.write() as session:
        now = store.now(session)
        gone, *_ = house_bots(session, ["random"])
        before = len(sets_of(session, session.get_one(Tournament, key)))
        assert leave_ladder(session, now, key, gone).left == now
        row = session.get_one(Tournament, key)
        for deal_set in open_sets(session, key):
            assert 0 not in session.get_one(Pairing, deal_set.pairing_id).entrants
        void = [one for one in sets_of(session, row) if one.state is SetState.VOID]
        assert void
        assert {one.reason for one in void} == {"LEFT: random/1 left the ladder"}
        assert len(sets_of(session, row)) > before, "the others play on"
        with pytest.raises(InvalidError, match="does not play"):
            leave_ladder(session, now, key, gone)
        again = join_ladder(session, now, key, gone)
        assert (again.number, again.left) == (0, None)


def test_a_ladder_without_end_waits_for_others_when_too_few_are_left(store: Store) -> None:
    key = begin(store, "ladder", bots=2, format_options={"sets_each": 0})
    with store.write() as session:
        now = store.now(session)
        leave_ladder(session, now, key, house_bots(session, ["random"])[0])
        assert not isinstance(advance(session, now, key), Over)
        assert situation(session, session.get_one(Tournament, key)).out == {0}
        join_ladder(session, now, key, house_bots(session, ["b5"])[0])
        assert len(open_sets(session, key)) >= 8


def test_who_cannot_join_is_told_why(store: Store) -> None:
    key = begin(store, "ladder", one_owner=False)
    fixed = begin(store, "swiss", bots=3)
    over = begin(store, "ladder")
    with store.write() as session:
        now = store.now(session)
        newcomer, refused, elsewhere = house_bots(session, ["b7", "b8", "b9"])
        refused.state = VersionState.REFUSED
        elsewhere.games = ["whist"]
        cancel_tournament(session, over, "enough")
        for tournament, version, reason in (
            (fixed, newcomer, "FORMAT_FIXED_FIELD"),
            (over, newcomer, "TOURNAMENT_OVER"),
            (key, refused, "VERSION_NOT_ADMITTED"),
            (key, elsewhere, "GAME_NOT_PLAYED"),
        ):
            with pytest.raises((ConflictError, InvalidError)) as caught:
                join_ladder(session, now, tournament, version)
            assert caught.value.reason == reason


def test_a_created_ladder_plans_nothing_new_before_it_starts(store: Store) -> None:
    with store.write() as session:
        row = create_tournament(
            session,
            owner_named(session, "ana"),
            "german_whist",
            house_bots(session, ["random", "careful"]),
            options={"end": SHORT["german_whist"]},
            format="ladder",
            start=False,
        )
        before = session.scalars(select(Pairing).where(Pairing.tournament_id == row.id)).all()
        join_ladder(session, store.now(session), row.id, house_bots(session, ["b5"])[0])
        after = session.scalars(select(Pairing).where(Pairing.tournament_id == row.id)).all()
        assert len(before) == len(after) == 1
