"""Tournaments are created whole or not at all."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest
from kibitz_worker.errors import ConflictError, InvalidError
from kibitz_worker.store import Store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.clocks import check_policy, policy_of
from kibitz_worker.store.models import (
    DealSet,
    Match,
    Pairing,
    SetState,
    Tournament,
    TournamentState,
    VersionState,
)
from kibitz_worker.store.notes import notes_of
from kibitz_worker.store.tournaments import (
    cancel_tournament,
    create_tournament,
    pause_tournament,
    start_tournament,
)
from sqlalchemy import func, select

from tests.worker.leagues import house_bots, league


def test_a_round_robin_has_all_its_sets_and_no_decks_yet(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, "whiskey", ("random", "careful", "search", "bold"), sets=3)
    with store.read() as session:
        kept = session.get_one(Tournament, tournament.id)
        assert kept.state is TournamentState.RUNNING
        assert kept.commitment == hashlib.sha256(kept.secret).hexdigest()
        assert len(kept.secret) == 32
        assert kept.options["end"] == "deals:3"
        pairings = session.scalars(select(Pairing).order_by(Pairing.number)).all()
        assert [p.entrants for p in pairings] == [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
        sets = session.scalars(select(DealSet).order_by(DealSet.number)).all()
        assert [s.id for s in sets[:2]] == [f"{kept.id}-0-0", f"{kept.id}-1-0"]
        assert [s.number for s in sets] == list(range(12))
        assert {s.state for s in sets} == {SetState.WAITING}
        assert session.scalar(select(func.count()).select_from(Match)) == 0


BAD: list[tuple[dict[str, Any], str]] = [
    ({"game": "poker"}, "UNKNOWN_GAME"),
    ({"options": {"end": "deals:3"}}, "BAD_OPTION"),
    ({"options": {"colour": "red"}}, "UNKNOWN_OPTION"),
    ({"preset": "none"}, "UNKNOWN_PRESET"),
    ({"format": "lottery"}, "FORMAT_UNKNOWN"),
    ({"sets_per_pairing": 0}, "SETS_INVALID"),
    ({"sets_per_pairing": 10**9}, "TOURNAMENT_TOO_LARGE"),
    ({"clock": {"bank": 1}}, "CLOCK_INVALID"),
    ({"clock": {"cap_ms": 0}}, "CLOCK_INVALID"),
    ({"clock": {"cap_ms": "soon"}}, "CLOCK_INVALID"),
    ({"clock": {"bank_ms": 0, "increment_ms": 0}}, "CLOCK_INVALID"),
    ({"policy": "shrug"}, "POLICY_UNKNOWN"),
    ({"policy": "substitute:0"}, "POLICY_UNKNOWN"),
    ({"policy": "substitute:05"}, "POLICY_UNKNOWN"),
    ({"policy": "substitute:1001"}, "POLICY_UNKNOWN"),
    ({"policy": "forfeit_deal:3"}, "POLICY_UNKNOWN"),
    ({"name": "two\nlines"}, "TITLE_INVALID"),
]


@pytest.mark.parametrize(("wrong", "reason"), BAD)
def test_bad_requests_leave_nothing_behind(
    store: Store, wrong: dict[str, Any], reason: str
) -> None:
    arguments: dict[str, Any] = {"game": "german_whist"} | wrong
    game = arguments.pop("game")
    with store.write() as session:
        versions = house_bots(session, ["random", "careful"])
        owner = create_user(session, "ana")
    with pytest.raises(InvalidError) as caught, store.write() as session:
        create_tournament(session, owner, game, versions, **arguments)
    assert caught.value.reason == reason
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(Tournament)) == 0


def test_entrants_must_be_enough_and_able_to_play(store: Store) -> None:
    with store.write() as session:
        owner = create_user(session, "ana")
        one, two = house_bots(session, ["random", "careful"])
        for versions, reason in (
            ([one], "TOO_FEW_ENTRANTS"),
            ([one, one], "ENTRANT_TWICE"),
        ):
            with pytest.raises(InvalidError) as caught:
                create_tournament(session, owner, "german_whist", versions)
            assert caught.value.reason == reason
        two.state = VersionState.QUARANTINED
        two.reason = "it dies"
        with pytest.raises(InvalidError, match="it dies") as caught:
            create_tournament(session, owner, "german_whist", [one, two])
        assert caught.value.reason == "VERSION_NOT_ADMITTED"
        two.state = VersionState.ADMITTED
        two.games = ["whist"]
        with pytest.raises(InvalidError) as caught:
            create_tournament(session, owner, "german_whist", [one, two])
        assert caught.value.reason == "GAME_NOT_PLAYED"


def test_matches_without_a_clock_are_never_rated(store: Store) -> None:
    with store.write() as session:
        versions = house_bots(session, ["random", "careful"])
        tournament = create_tournament(
            session, create_user(session, "ana"), "whist", versions, clock={"untimed": True}
        )
        assert not tournament.rated


def test_a_tournament_pauses_goes_on_and_stays_over(store: Store) -> None:
    with store.write() as session:
        tournament = league(session)
        pause_tournament(session, tournament.id, "lunch")
        pause_tournament(session, tournament.id, "still lunch")
        assert (tournament.state, tournament.reason) == (TournamentState.PAUSED, "lunch")
        assert [event.kind for event in notes_of(session, tournament.id)].count("PAUSED") == 1
        start_tournament(session, tournament.id)
        assert (tournament.state, tournament.reason) == (TournamentState.RUNNING, None)
        cancel_tournament(session, tournament.id, "rain")
        for change in (start_tournament, pause_tournament, cancel_tournament):
            arguments = () if change is start_tournament else ("late",)
            with pytest.raises(ConflictError) as caught:
                change(session, tournament.id, *arguments)
            assert caught.value.reason == "TOURNAMENT_OVER"


def test_what_is_cancelled_meanwhile_does_not_go_on(store: Store) -> None:
    def resume() -> str:
        with store.write() as session, pytest.raises(ConflictError) as caught:
            start_tournament(session, tournament.id)
        return caught.value.reason

    with store.write() as session:
        tournament = league(session)
        pause_tournament(session, tournament.id, "lunch")
    with ThreadPoolExecutor(1) as other:
        with store.write() as session:
            cancel_tournament(session, tournament.id, "rain")
            session.flush()
            resumed = other.submit(resume)
            wait([resumed], 0.3)
        assert resumed.result(30) == "TOURNAMENT_OVER"
    with store.read() as session:
        assert session.get_one(Tournament, tournament.id).state is TournamentState.CANCELLED


def test_a_policy_may_have_a_limit_of_penalties() -> None:
    for policy, parts in {
        "substitute:3": ("substitute", 3),
        "substitute": ("substitute", 0),
        "forfeit_match": ("forfeit_match", 0),
    }.items():
        assert check_policy(policy) == policy
        assert policy_of(policy) == parts
