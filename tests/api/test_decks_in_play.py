"""Records are shown when nobody can be dealt their decks any more, whichever set they are of."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from kibitz_api.errors import ConflictError
from kibitz_api.matches.queries import is_open, require_open
from kibitz_worker.store.models import MatchState, SetState, TournamentState

from tests.api.twin_sets import play_all, twin_sets


def test_a_set_with_the_same_cards_must_be_over_too(own_client: TestClient) -> None:
    store = own_client.app.state.services.store  # type: ignore[attr-defined]
    with store.write() as session:
        first, second = twin_sets(session)
        play_all(session, first)
        first.state = SetState.DONE
        match = first.matches[0]
        session.flush()
        with pytest.raises(ConflictError) as caught:
            require_open(match)
        assert caught.value.reason == "DECKS_IN_PLAY"
        play_all(session, second)
        last = max(second.matches, key=lambda one: one.number)
        last.state = MatchState.WAITING  # of the other half
        session.flush()
        assert is_open(match)
        assert not is_open(next(one for one in first.matches if one.half == last.half))
        second.state = SetState.VOID
        session.flush()
        assert all(is_open(one) for one in first.matches)


def test_what_a_cancelled_tournament_leaves_unplayed_hides_nothing(own_client: TestClient) -> None:
    store = own_client.app.state.services.store  # type: ignore[attr-defined]
    with store.write() as session:
        first, second = twin_sets(session)
        play_all(session, first)
        first.matches[0].state = MatchState.WAITING
        first.tournament.state = TournamentState.CANCELLED
        second.state = SetState.LEASED
        session.flush()
        match = first.matches[1]
        assert not is_open(match)  # it is still being played next door
        second.state = SetState.WAITING
        session.flush()
        assert is_open(match)
