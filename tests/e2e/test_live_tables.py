"""The page of live tables in a real browser: what everybody at the table sees, as it happens."""

import json

import kibitz
from kibitz_worker.relay import TABLES
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Site, Visitor

HIDDEN = "card face down"


def state(game: kibitz.Game, actions: int, match: str, **changes: object) -> str:
    """A deal after some actions, as a worker relays it."""
    deal = game.new_deal(kibitz.shuffle(game, 1))
    for _ in range(actions):
        deal.apply(deal.legal()[-1])
    told = {
        "tournament": "t1",
        "set": "t1-0-0",
        "match": match,
        "game": game.name,
        "options": game.options(),
        "seats": ["careful/1", "ana/<b>otter</b>/2", "random/1", "ben/heron/1"][: game.seats],
        "deal": 3,
        "dealer": 0,
        "totals": [0] * game.seats,
        "turn": deal.turn,
        "over": False,
        "events": [event.code for event in deal.public()],
    }
    return json.dumps(told | changes)


def opened(visit: Visitor, tournament: str) -> Page:
    page = visit().open(f"/live?tournament={tournament}")
    page.wait_for_selector("[data-tables][data-ready]")
    return page


def show(site: Site, text: str) -> None:
    match = json.loads(text)["match"]
    site.live._connection.xadd(TABLES, {"match": match, "state": text})


def test_tables_appear_move_on_and_go(visit: Visitor, site: Site) -> None:
    page = opened(visit, "t1")
    expect(page.get_by_text("No table is being played")).to_be_visible()
    game = kibitz.game("german_whist")
    show(site, state(game, 3, "t1-0-0-0"))
    expect(page.locator(".felt .trick svg.card")).to_have_count(1)
    expect(page.locator(".tricks > ol > li")).to_have_count(2)
    show(site, state(game, 4, "t1-0-0-0"))
    expect(page.locator(".felt .trick svg.card")).to_have_count(2)
    labels = page.locator(".felt .hand svg.card").evaluate_all(
        "cards => cards.map(card => card.getAttribute('aria-label'))"
    )
    assert labels.count(HIDDEN) >= 23
    assert page.locator(".felt b").count() == 0
    show(site, state(game, 4, "t1-0-0-0", over=True))
    expect(page.get_by_text("No table is being played")).to_be_visible(timeout=15_000)


def test_one_of_several_tables_is_chosen(visit: Visitor, site: Site) -> None:
    page = opened(visit, "t2")
    show(site, state(kibitz.game("german_whist"), 3, "t2-0-0-1", tournament="t2"))
    show(site, state(kibitz.game("whiskey"), 6, "t2-0-0-2", tournament="t2"))
    buttons = page.locator(".table-choice button")
    expect(buttons).to_have_count(2)
    buttons.filter(has_text="Whiskey").click()
    expect(page.locator(".bar")).to_contain_text("t2-0-0-2")
    expect(page.locator(".felt.places-4")).to_be_visible()
    expect(page.locator(".table-choice [aria-pressed=true]")).to_contain_text("0-0-2, deal 3")
    show(site, state(kibitz.game("german_whist"), 3, "t2-0-0-1", tournament="t2", over=True))
    expect(buttons).to_have_count(1)
