"""Self-hosted bots that remember decks are shown, and only they."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import kibitz
from fastapi.testclient import TestClient
from kibitz_api.tournaments.second_looks import looks_of
from kibitz_worker.store import Store
from kibitz_worker.store.accounts import user_named
from kibitz_worker.store.bots import host_version, version_labelled
from kibitz_worker.store.models import DealSet, Match, MatchState, SetState, Tournament
from kibitz_worker.store.tournaments import create_tournament
from sqlalchemy import select
from sqlalchemy.orm import Session

from tests.api.conftest import BROWSER, Site
from tests.api.twin_sets import play_all, twin_sets

START = datetime(2030, 1, 1, tzinfo=UTC)


def results(session: Session, tournament: Tournament, cheat: int) -> None:
    """Margins of all sets as if they had been played; `cheat` gains by each repetition."""
    rng, seatings = Random(3), kibitz.seatings(kibitz.game("german_whist"))
    query = select(DealSet).where(DealSet.tournament_id == tournament.id).order_by(DealSet.number)
    for number, deal_set in enumerate(session.scalars(query)):
        entrants = deal_set.pairing.entrants
        for lane, seating in enumerate(seatings):
            margin = rng.gauss(0, 2)
            if lane and cheat in entrants:
                margin += 6 if entrants[seating.order[0]] == cheat else -6
            session.add(
                Match(
                    id=f"{deal_set.id}-{lane}", set_id=deal_set.id, number=lane, half=0, lane=lane,
                    seating=list(seating.order), state=MatchState.DONE, decks=[], deals=2,
                    margins=[margin, -margin],
                    finished=START + timedelta(seconds=2 * number + lane),
                )
            )  # fmt: skip
        deal_set.state = SetState.DONE


def tournament_of(store: Store, cheat: int) -> str:
    with store.write() as session:
        owner = user_named(session, "ana")
        versions = [
            host_version(session, owner, name, ["german_whist"]) for name in ("heart", "pip")
        ]
        versions.append(version_labelled(session, "careful"))
        tournament = create_tournament(
            session, owner, "german_whist", versions, options={"end": "hands:2"},
            sets_per_pairing=40,
        )  # fmt: skip
        results(session, tournament, cheat)
        return tournament.id


def test_a_bot_that_gains_when_decks_come_again_is_flagged_everywhere(
    own_client: TestClient,
) -> None:
    store = own_client.app.state.services.store  # type: ignore[attr-defined]
    honest = tournament_of(store, cheat=-1)
    looks = own_client.get(f"/api/v1/tournaments/{honest}/second-looks").json()
    assert [(look["bot"], look["rows"], look["flagged"]) for look in looks] == [
        ("ana/heart", 80, False),
        ("ana/pip", 80, False),
    ]
    assert not any("decks better" in a for a in own_client.get("/api/v1/health").json()["alarms"])

    caught = tournament_of(store, cheat=1)
    looks = own_client.get(f"/api/v1/tournaments/{caught}/second-looks").json()
    assert [look["flagged"] for look in looks] == [False, True]
    assert looks[1]["p"] < 1e-6
    assert own_client.get(f"/api/v1/tournaments/{caught}").json()["second_looks"] == looks
    page = own_client.get(f"/tournaments/{caught}", headers=BROWSER).text
    assert "ana/pip/1 plays decks better when it meets them again" in page
    assert "ana/heart/1 plays decks better" not in page
    assert "&lt; 0.0001" in page
    (alarm,) = [a for a in own_client.get("/api/v1/health").json()["alarms"] if "decks better" in a]
    assert "ana/pip/1" in alarm
    assert caught in alarm


def test_bots_that_run_here_are_not_tested(client: TestClient, site: Site) -> None:
    over = site.over
    assert client.get(f"/api/v1/tournaments/{over}/second-looks").json() == []
    assert "Decks met again" not in client.get(f"/tournaments/{over}", headers=BROWSER).text


def test_sets_that_have_the_cards_of_others_are_meetings_of_the_same_decks(
    own_client: TestClient,
) -> None:
    store = own_client.app.state.services.store  # type: ignore[attr-defined]
    with store.write() as session:
        first, second = twin_sets(session)
        for deal_set in (first, second):
            play_all(session, deal_set)
            deal_set.state = SetState.DONE
        session.flush()
        company = first.pairing.entrants[1]
        assert company in second.pairing.entrants
        looks = looks_of(session, first.tournament_id, [0, 1, company])
    # Two rows of decks, whether they were met in three seats or in six.
    assert [looks[str(number)].rows for number in (0, 1, company)] == [2, 2, 2]
