"""Deals beside par: played once by the reference bot, kept, and shown only when cards may be."""

import kibitz
from fastapi.testclient import TestClient
from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, Match, Tournament
from kibitz_worker.work.par import par_of
from sqlalchemy import select
from sqlalchemy.orm import undefer

from tests.api.conftest import BROWSER, Site


def matches(store: Store, tournament: str) -> list[Match]:
    with store.read() as session:
        query = (
            select(Match)
            .join(DealSet)
            .where(DealSet.tournament_id == tournament)
            .order_by(Match.id)
            .options(undefer(Match.decks))
        )
        return list(session.scalars(query))


def test_both_seatings_of_a_deck_have_one_par_which_is_kept(
    client: TestClient, site: Site, store: Store
) -> None:
    first, second = matches(store, site.over)[:2]
    told = client.get(f"/api/v1/matches/{first.id}/deals").json()
    assert told["reference"] == "careful"
    assert [deal["number"] for deal in told["deals"]] == [0, 1, 2, 3]
    assert sum(sum(deal["scores"]) for deal in told["deals"]) == sum(first.totals or [])
    other = client.get(f"/api/v1/matches/{second.id}/deals").json()
    par = [deal["par"] for deal in told["deals"]]
    assert [deal["par"] for deal in other["deals"]] == par
    with store.read() as session:
        kept = session.get_one(DealSet, first.set_id, options=[undefer(DealSet.par)])
        rules = session.get_one(Tournament, site.over)
        assert kept.par == {"0": par}
        game = kibitz.game(rules.game, **rules.options)
    assert par_of(game, first.decks, f"{first.set_id}:0") == par


def test_the_page_of_a_match_shows_scores_beside_par(
    client: TestClient, site: Site, store: Store
) -> None:
    for tournament in site.tournaments[:3]:
        page = client.get(f"/matches/{matches(store, tournament)[0].id}", headers=BROWSER)
        assert page.status_code == 200
        assert page.text.count(">par ") >= 6
