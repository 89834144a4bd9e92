"""From stored sets to the health page: copies of one bot, and bots that trade wins."""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random

import pytest
from fastapi.testclient import TestClient
from kibitz_worker.refit import Refit
from kibitz_worker.store import Store
from kibitz_worker.store.accounts import user_named
from kibitz_worker.store.bots import add_house_bot
from kibitz_worker.store.models import DealSet, Pairing, SetState, Version
from kibitz_worker.store.tournaments import create_tournament
from sqlalchemy import select

from tests.api.conftest import BROWSER, nobody
from tests.e2e.league import GAMES, admit

Scorer = Callable[[Random, tuple[str, ...]], list[float]]


@pytest.fixture
def own_store(own_client: TestClient) -> Store:
    found: Store = own_client.app.state.services.store  # type: ignore[attr-defined]
    return found


def played(store: Store, game: str, labels: list[str], sets: int, scorer: Scorer) -> None:
    """Store a rated tournament whose sets ended as the scorer says, and rate it."""
    with store.write() as session:
        add_house_bot(session, "twin", "careful", "twin-content", GAMES)
        for content, (owner, name) in enumerate((("ben", "crow"), ("eve", "wren")), 10):
            admit(session, user_named(session, owner), name, content)
        known = {version.label: version for version in session.scalars(select(Version))}
        end = {"german_whist": "hands:2", "whist": "deals:4", "whiskey": "deals:3"}[game]
        tournament = create_tournament(
            session,
            user_named(session, "ana"),
            game,
            [known[label] for label in labels],
            options={"end": end},
            sets_per_pairing=sets,
        )
        random = Random(7)
        rows = select(DealSet, Pairing.entrants).join(Pairing, Pairing.id == DealSet.pairing_id)
        for deal_set, numbers in session.execute(
            rows.where(DealSet.tournament_id == tournament.id).order_by(DealSet.number)
        ):
            scores = scorer(random, tuple(labels[number] for number in numbers))
            mean = sum(scores) / len(scores)
            deal_set.state, deal_set.finished = SetState.DONE, datetime.now(UTC)
            deal_set.scores, deal_set.deals = scores, 4
            deal_set.margins = [score - mean for score in scores]
        key = tournament.id
    Refit(store, nobody()).refresh(final=key)


def by_strength(strengths: dict[str, float]) -> Scorer:
    def score(random: Random, players: tuple[str, ...]) -> list[float]:
        return [round(random.gauss(strengths.get(player, 0.0), 4.0), 2) for player in players]

    return score


@pytest.mark.parametrize("game", ["german_whist", "whiskey"])
@pytest.mark.parametrize("favour", [0.0, 4.0])
def test_copies_of_one_bot_are_watched_in_every_company(
    own_client: TestClient, own_store: Store, game: str, favour: float
) -> None:
    """Two at a table, and three with changing third bots; a favoured copy raises the alarm."""
    labels = ["careful/1", "twin/1", "random/1", "ana/otter/2", "ben/crow/1"]
    scorer = by_strength({"careful/1": 1.0, "twin/1": 1.0 + favour, "random/1": -2.0})
    played(own_store, game, labels, 40, scorer)
    told = own_client.get("/api/v1/health").json()
    (twin,) = told["twins"]
    assert (twin["one"], twin["two"], twin["alarm"]) == ("careful/1", "twin/1", favour > 0)
    assert (abs(twin["elo"]) > 3.3 * twin["error"]) == (favour > 0)
    assert any("the same bot" in alarm for alarm in told["alarms"]) == (favour > 0)
    page = own_client.get("/health", headers=BROWSER).text
    assert (">differ</span>" in page) == (favour > 0)
    insights = own_client.get(f"/api/v1/leaderboards/{game}/insights").json()
    assert [each["alarm"] for each in insights["twins"]] == [favour > 0]


def test_traded_wins_are_shown_with_their_evidence(
    own_client: TestClient, own_store: Store
) -> None:
    labels = ["careful/1", "random/1", "ana/otter/2", "ana/vole/1", "ben/crow/1", "eve/wren/1"]
    fair = by_strength({label: n * 0.5 for n, label in enumerate(labels)})

    def score(random: Random, players: tuple[str, ...]) -> list[float]:
        if set(players) == {"ana/otter/2", "ana/vole/1"}:
            return [9.0 if player == "ana/otter/2" else -9.0 for player in players]
        return fair(random, players)

    played(own_store, "german_whist", labels, 40, score)
    told = own_client.get("/api/v1/health").json()
    (pair,) = told["trades"]["pairs"]
    assert {pair["one"], pair["two"]} == {"ana/otter/2", "ana/vole/1"}
    assert (pair["kind"], pair["same_owner"], pair["sets"]) == ("against", True, 40)
    assert abs(pair["observed"] - pair["expected"]) > 0.3
    assert pair["p_value"] <= pair["corrected"] < 0.01
    assert (told["trades"]["of_one_owner"], told["trades"]["of_others"]) == (1, 5)
    assert any("a reason to look, not a proof" in alarm for alarm in told["alarms"])
    page = own_client.get("/health", headers=BROWSER).text
    assert "Do bots trade wins?" in page
    assert "one owner</span>" in page
    link = f"/leaderboards/german_whist/matchup?pool={pair['pool']}"
    assert link in page
    for label in labels:
        found = own_client.get(f"/api/v1/bots/{label.rpartition('/')[0]}")
        assert found.status_code == 200, label
    board = own_client.get("/api/v1/leaderboards/german_whist").json()
    assert len(board) == len(labels)  # nobody is barred
