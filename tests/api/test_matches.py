"""Matches, sets and records: what is told, and when."""

import hashlib
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from kibitz import Record
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import DealSet, Match, MatchState, SetState
from sqlalchemy import select

from tests.api.conftest import BROWSER, Site, reason


@pytest.fixture
def match(store: Store, site: Site) -> Match:
    """A finished match of German Whist without forfeits."""
    with store.read() as session:
        query = select(Match).join(DealSet).where(DealSet.tournament_id == site.over)
        return next(match for match in session.scalars(query) if not match.forfeits)


@pytest.fixture
def half_played(site: Site, store: Store) -> Iterator[tuple[str, str]]:
    """A match that is over and another seating of its decks that is not, for the time of a test."""
    with store.read() as session:
        query = select(DealSet).where(DealSet.tournament_id == site.over)
        deal_set = session.scalars(query.order_by(DealSet.number)).first()
        assert deal_set is not None
        done, waiting = (match.id for match in deal_set.matches)
    change(store, waiting, MatchState.WAITING, SetState.LEASED)
    yield done, waiting
    change(store, waiting, MatchState.DONE, SetState.DONE)


def change(store: Store, match: str, state: MatchState, set_state: SetState) -> None:
    with store.write() as session:
        found = session.get_one(Match, match)
        found.state = state
        found.set.state = set_state


def test_a_match_tells_its_seats_and_the_other_seatings(client: TestClient, match: Match) -> None:
    told = client.get(f"/api/v1/matches/{match.id}").json()
    assert told["returns"] == match.returns
    assert [seat["player"] for seat in told["seats"]] == match.seating
    assert [one["id"] for one in told["seatings"]] == [f"{match.set_id}-0", f"{match.set_id}-1"]
    bots = [[seat["bot"] for seat in one["seats"]] for one in told["seatings"]]
    assert bots[0] == bots[1][::-1]


def test_the_record_is_what_was_hashed_and_holds(client: TestClient, match: Match) -> None:
    answer = client.get(f"/api/v1/matches/{match.id}/record")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert hashlib.sha256(answer.content).hexdigest() == match.record_hash
    assert Record.from_json(answer.text).verify().returns == tuple(match.returns or ())


@pytest.mark.parametrize("what", ["record", "replay", "deals"])
def test_cards_stay_hidden_while_a_seating_of_the_decks_is_to_be_played(
    client: TestClient, half_played: tuple[str, str], what: str
) -> None:
    done, waiting = half_played
    answer = client.get(f"/api/v1/matches/{done}/{what}")
    assert (answer.status_code, reason(answer)) == (409, "DECKS_IN_PLAY")
    answer = client.get(f"/api/v1/matches/{waiting}/{what}")
    assert (answer.status_code, reason(answer)) == (409, "MATCH_NOT_OVER")
    assert client.get(f"/api/v1/matches/{done}").json()["open"] is False


def test_pages_hide_the_cards_too_and_say_why(
    client: TestClient, half_played: tuple[str, str]
) -> None:
    done, _ = half_played
    page = client.get(f"/matches/{done}", headers=BROWSER)
    assert "another table" in page.text
    assert f"/matches/{done}/deals" not in page.text
    assert ">par " not in page.text
    page = client.get(f"/matches/{done}/deals/0/0", headers=BROWSER)
    assert page.status_code == 409
    assert "DECKS_IN_PLAY" in page.text


def test_a_half_with_decks_of_its_own_does_not_wait_for_the_other(
    client: TestClient, site: Site, store: Store
) -> None:
    with store.read() as session:
        query = select(Match).join(DealSet).where(DealSet.tournament_id == site.tournaments[2])
        halves = {match.half: match.id for match in session.scalars(query)}
    assert set(halves) == {0, 1}
    change(store, halves[1], MatchState.WAITING, SetState.LEASED)
    try:
        assert client.get(f"/api/v1/matches/{halves[0]}/record").status_code == 200
    finally:
        change(store, halves[1], MatchState.DONE, SetState.DONE)


def test_a_forfeit_is_told_with_its_reason(client: TestClient, site: Site) -> None:
    matches = client.get(f"/api/v1/tournaments/{site.over}/matches?limit=200").json()["items"]
    forfeited = next(match["id"] for match in matches if match["forfeits"])
    told = client.get(f"/api/v1/matches/{forfeited}").json()["forfeits"]
    assert [(one["deal"], one["seat"], one["reason"]) for one in told] == [(1, 1, "TIME_OUT")]
    assert (told[0]["said_ms"], told[0]["latency_ms"], told[0]["lag_ms"]) == (3, 1_057, None)
    page = client.get(f"/matches/{forfeited}", headers=BROWSER).text
    assert "time out" in page
    assert "1060 of 1000 ms used; the bot says 3 ms, and 1057 were lost on the way" in page


def test_a_set_adds_up_its_matches(client: TestClient, match: Match) -> None:
    told = client.get(f"/api/v1/sets/{match.set_id}").json()
    sums = [0.0, 0.0]
    for one in told["matches"]:
        for seat in one["seats"]:
            sums[seat["player"]] += one["returns"][seat["seat"]]
    assert [player["score"] for player in told["players"]] == sums
    assert told["state"] == "done"
    assert [attempt["outcome"] for attempt in told["attempts"]] == ["done"]


@pytest.mark.parametrize(
    "path", ["matches/nothing", "matches/UPPER", "sets/nothing", "matches/a%00b"]
)
def test_unknown_ids_are_not_found(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 404
    assert reason(answer).endswith("NOT_FOUND")


def test_records_outlive_a_restart(client: TestClient, match: Match, site: Site) -> None:
    before = client.get(f"/api/v1/matches/{match.id}/record").content
    with open_store(site.settings.database) as other, other.read() as session:
        assert session.get_one(Match, match.id).record_hash == hashlib.sha256(before).hexdigest()
