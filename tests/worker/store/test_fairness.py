"""Nonces come between the commitment and play; partners are played where nobody sees two hands."""

from __future__ import annotations

import pytest
from kibitz.fair import Draw
from kibitz_worker.errors import ConflictError, InvalidError, NotFoundError
from kibitz_worker.store import Store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.bots import add_house_bot, host_version
from kibitz_worker.store.models import Match, Tournament, TournamentState, Version
from kibitz_worker.store.nonces import contribute
from kibitz_worker.store.tournaments import (
    cancel_tournament,
    create_tournament,
    pause_tournament,
    start_tournament,
)
from kibitz_worker.work.attempts import release_set
from kibitz_worker.work.plan import plan_set, rules_of
from sqlalchemy import func, select
from sqlalchemy.orm import Session, undefer

from tests.worker.leagues import GAMES, SHORT
from tests.worker.work.played import NOW, holder, lease_first


def entered(session: Session, game: str = "german_whist", *, rated: bool = True) -> Tournament:
    """A tournament of ana's heart (self-hosted), ben's pip (self-hosted) and careful."""
    ana, ben = create_user(session, "ana"), create_user(session, "ben")
    versions: list[Version] = [
        host_version(session, ana, "heart", GAMES),
        host_version(session, ben, "pip", GAMES),
        add_house_bot(session, "careful", "careful", "content", GAMES),
    ]
    options = {"end": SHORT[game]}
    return create_tournament(
        session, ana, game, versions, options=options, start=False, rated=rated
    )


def test_owners_add_nonces_to_their_own_bots_until_play_begins(store: Store) -> None:
    with store.write() as session:
        tournament = entered(session)
        assert len(tournament.commitment) == 64
        assert [e.version.label for e in contribute(session, "ana", tournament.id, "one")] == [
            "ana/heart/1"
        ]
        contribute(session, "ana", tournament.id, "two", "ana/heart")
        contribute(session, "ben", tournament.id, "b", "ben/pip/1")
        assert contribute(session, "house", tournament.id, "x") == []
        assert [entrant.nonce for entrant in tournament.entrants] == ["two", "b", None]
        start_tournament(session, tournament.id)
        pause_tournament(session, tournament.id, "tea")
        with pytest.raises(ConflictError) as caught:
            contribute(session, "ana", tournament.id, "three")
        assert caught.value.reason == "ENTRIES_LOCKED"


@pytest.mark.parametrize(
    ("owner", "nonce", "bot", "expected"),
    [
        ("ana", "two words", None, "NONCE_INVALID"),
        ("ana", "", None, "NONCE_INVALID"),
        ("ana", "n", "ben/pip", "ENTRANT_UNKNOWN"),
        ("eve", "n", "ana/heart/1", "ENTRANT_UNKNOWN"),
        ("ana", "n", "careful", "ENTRANT_UNKNOWN"),
    ],
)
def test_nobody_adds_to_the_luck_of_others(
    store: Store, owner: str, nonce: str, bot: str | None, expected: str
) -> None:
    with store.write() as session:
        tournament = entered(session)
        with pytest.raises(InvalidError) as caught:
            contribute(session, owner, tournament.id, nonce, bot)
        assert caught.value.reason == expected
        cancel_tournament(session, tournament.id, "rain")
        with pytest.raises(ConflictError):
            contribute(session, "ana", tournament.id, "n")
        with pytest.raises(NotFoundError):
            contribute(session, "ana", "nothere", "n")


def test_decks_are_stored_before_a_card_is_shown_and_come_from_secret_and_nonces(
    store: Store,
) -> None:
    with store.write() as session:
        tournament = entered(session)
        contribute(session, "ben", tournament.id, "b")
        start_tournament(session, tournament.id)
        assert session.scalar(select(func.count(Match.id))) == 0
        deal_set, plan = lease_first(session, tournament, holder())
        key, number, secret = tournament.id, deal_set.number, tournament.secret
        game, names = rules_of(tournament), plan.names
    with store.read() as session:  # what a worker that dies now leaves behind
        query = select(Match).where(Match.set_id == plan.id).order_by(Match.number)
        stored = [match.decks for match in session.scalars(query.options(undefer(Match.decks)))]
    assert names == ("ben/pip/1", "careful/1")
    assert [list(match.decks) for match in plan.matches] == stored
    assert stored[0] == Draw(game, secret, key, number, ["b", None]).half(0)
    assert stored[0] != Draw(game, secret, key, number).half(0)


def test_every_attempt_plays_the_same_decks(store: Store) -> None:
    with store.write() as session:
        tournament = entered(session)
        start_tournament(session, tournament.id)
        deal_set, first = lease_first(session, tournament, holder())
        release_set(session, NOW, deal_set, "stopped")
        assert plan_set(session, deal_set).matches == first.matches


def test_suits_change_from_seat_to_seat_only_where_a_process_lives_on(store: Store) -> None:
    with store.write() as session:
        tournament = entered(session)
        start_tournament(session, tournament.id)
        _, hosted = lease_first(session, tournament, holder())
        owner = create_user(session, "eve")
        house = [add_house_bot(session, name, name, name, GAMES) for name in ("random", "search")]
        here = create_tournament(
            session, owner, "german_whist", house, options={"end": SHORT["german_whist"]}
        )
        _, started_here = lease_first(session, here, holder())
    first, second = hosted.matches
    assert first.decks != second.decks
    for luck, other in zip(first.decks, second.decks, strict=True):
        assert [code[0] for code in luck["deck"]] == [code[0] for code in other["deck"]]
    assert started_here.matches[0].decks == started_here.matches[1].decks


def test_a_rated_partnership_game_wants_bots_that_run_here(store: Store) -> None:
    with pytest.raises(InvalidError) as caught, store.write() as session:
        entered(session, "whist")
    assert caught.value.reason == "PARTNERS_SELF_HOSTED"
    assert "unrated" in str(caught.value)
    with store.write() as session:
        assert entered(session, "whist", rated=False).state is TournamentState.CREATED
