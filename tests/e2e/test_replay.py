"""The replay viewer in a real browser: keys, links, what a seat knew."""

import json
import re
from urllib.request import urlopen

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Site, Visitor
from tests.e2e.league import COMMENT

READY = "#replay[data-ready]"
HIDDEN = "card face down"


def replay(site: Site, game: str) -> dict[str, object]:
    match = site.matches[game]
    with urlopen(f"{site.url}/api/v1/matches/{match}/replay") as answer:
        found: dict[str, object] = json.load(answer)
    return found


def hand(page: Page, side: str) -> Locator:
    return page.locator(f".seat.{side} .hand svg.card")


def codes(cards: Locator) -> list[str]:
    labels = cards.evaluate_all("cards => cards.map(card => card.getAttribute('aria-label'))")
    return [str(label) for label in labels]


@pytest.fixture
def german(visit: Visitor, site: Site) -> Page:
    made = visit()
    page = made.open(f"/matches/{site.matches['german_whist']}/deals/0/0")
    page.wait_for_selector(READY)
    return page


def at(page: Page, where: str) -> None:
    page.wait_for_url(re.compile(re.escape(where)))


def test_keys_step_by_card_trick_and_deal(german: Page) -> None:
    german.keyboard.press("ArrowRight")
    at(german, "/deals/0/1?seat=0&open=1")
    expect(german.locator(".trick svg.card")).to_have_count(1)
    german.keyboard.press("]")
    at(german, "/deals/0/2?")
    german.keyboard.press("Shift+ArrowRight")
    at(german, "/deals/0/4?")
    german.keyboard.press("[")
    at(german, "/deals/0/2?")
    german.keyboard.press("ArrowLeft")
    at(german, "/deals/0/1?")
    german.keyboard.press("End")
    at(german, "/deals/0/52?")
    german.keyboard.press("Home")
    at(german, "/deals/0/0?")
    german.keyboard.press("ArrowDown")
    at(german, "/deals/1/0?")
    german.keyboard.press("ArrowUp")
    at(german, "/deals/0/0?")


def test_arrows_still_step_after_the_slider_was_touched(german: Page) -> None:
    german.locator("input[type=range]").focus()
    german.keyboard.press("ArrowRight")
    at(german, "/deals/0/1?")
    german.keyboard.press("ArrowDown")
    at(german, "/deals/1/0?")
    assert german.locator("input[type=range]").input_value() == "0"


def test_space_plays_by_itself_and_pauses(german: Page) -> None:
    german.get_by_label("Speed").select_option("4")
    german.locator("body").click(position={"x": 2, "y": 2})
    german.keyboard.press("Space")
    at(german, "/deals/0/3?")
    german.keyboard.press("Space")
    expect(german.get_by_role("button", name="Play (Space)")).to_be_visible()
    german.wait_for_timeout(400)
    stopped = german.url
    german.wait_for_timeout(700)
    assert german.url == stopped


def test_a_permalink_restores_the_position(visit: Visitor, german: Page) -> None:
    german.keyboard.press("f")
    german.keyboard.press("h")
    for _ in range(7):
        german.keyboard.press("ArrowRight")
    at(german, "/deals/0/7?seat=1")
    seen = german.locator(".felt").inner_html(), german.locator(".story").inner_text()
    other = visit().page
    other.goto(german.url)
    other.wait_for_selector(READY)
    assert (other.locator(".felt").inner_html(), other.locator(".story").inner_text()) == seen
    assert other.url == german.url


def test_a_seat_sees_its_own_cards_and_no_others(german: Page, site: Site) -> None:
    german.keyboard.press("h")
    expect(german).to_have_url(re.compile("/deals/0/0[?]seat=0$"))
    assert set(codes(hand(german, "top"))) == {HIDDEN}
    assert HIDDEN not in codes(hand(german, "bottom"))
    own = codes(hand(german, "bottom"))
    german.keyboard.press("f")
    at(german, "seat=1")
    assert set(codes(hand(german, "top"))) == {HIDDEN}
    assert set(codes(hand(german, "bottom"))).isdisjoint(own)


def test_a_card_taken_face_up_stays_known(german: Page) -> None:
    """After the first trick its winner holds the card that was turned up: the other saw it."""
    turned = codes(german.locator(".turn-up svg.card"))
    german.keyboard.press("]")
    at(german, "/deals/0/2?")
    sides = {side: codes(hand(german, side)) for side in ("top", "bottom")}
    winner = next(side for side, cards in sides.items() if turned[0] in cards)
    if winner == "bottom":
        german.keyboard.press("f")
        at(german, "seat=1")
    german.keyboard.press("h")
    expect(german.locator(".perspective")).to_contain_text("knew")
    top = codes(hand(german, "top"))
    assert turned[0] in top
    assert top.count(HIDDEN) == len(top) - 1


def test_the_move_list_leads_to_the_decision(german: Page) -> None:
    entry = german.locator(".tricks .entry a").nth(4)
    card = entry.get_attribute("title")
    assert card is not None
    entry.click()
    at(german, "/deals/0/4?")
    expect(entry).to_have_attribute("aria-current", "step")
    chosen = german.locator(".slot.chosen svg.card")
    assert codes(chosen) == [card.split(": ")[1]]


def test_whist_shows_what_the_server_says(visit: Visitor, site: Site) -> None:
    steps = replay(site, "whist")["deals"][1]["steps"]  # type: ignore[index]
    page = visit().open(f"/matches/{site.matches['whist']}/deals/1/21?seat=2&open=1")
    page.wait_for_selector(READY)
    for side, place in (("bottom", 2), ("left", 3), ("top", 0), ("right", 1)):
        assert len(codes(hand(page, side))) == len(steps[21]["hands"][place])
    assert len(codes(page.locator(".trick svg.card"))) == 1


def test_whiskey_shows_the_auction_and_the_dummy(visit: Visitor, site: Site) -> None:
    found = replay(site, "whiskey")
    number, first = next(
        (deal["number"], step["step"])
        for deal in found["deals"]  # type: ignore[attr-defined]
        for step in deal["steps"]
        if step["acted"] == 3
    )
    page = visit().open(f"/matches/{site.matches['whiskey']}/deals/{number}/2?seat=1")
    page.wait_for_selector(READY)
    dummy = codes(page.get_by_label(re.compile("Hand of Dummy")).locator("svg.card"))
    assert len(dummy) - dummy.count(HIDDEN) == 4
    assert page.locator(".plate .call").count() == 2
    page.goto(f"{site.url}/matches/{site.matches['whiskey']}/deals/{number}/{first}?seat=1")
    page.wait_for_selector(READY)
    expect(page.locator(".contract")).to_contain_text(re.compile("to (win|lose) [0-9]+"))
    dummy = codes(page.get_by_label(re.compile("Hand of Dummy")).locator("svg.card"))
    assert HIDDEN not in dummy


def test_a_forfeit_is_shown_at_the_end_of_its_deal(visit: Visitor, site: Site) -> None:
    page = visit().open(f"/matches/{site.forfeited}/deals/1/0")
    page.wait_for_selector(READY)
    expect(page.locator(".scores .notice.bad")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator(".scores .notice.bad")).to_contain_text("time out")


def test_help_opens_and_closes(german: Page) -> None:
    german.keyboard.press("?")
    expect(german.get_by_role("dialog")).to_be_visible()
    german.keyboard.press("Escape")
    expect(german.get_by_role("dialog")).to_be_hidden()
    german.keyboard.press("ArrowRight")
    at(german, "/deals/0/1?")


def test_four_colours_are_remembered(german: Page) -> None:
    german.keyboard.press("4")
    assert german.locator("html").get_attribute("data-suits") == "4"
    german.reload()
    german.wait_for_selector(READY)
    assert german.locator("html").get_attribute("data-suits") == "4"


def test_a_swipe_steps_on_a_phone(visit: Visitor, site: Site) -> None:
    page = visit(width=390).open(f"/matches/{site.matches['german_whist']}/deals/0/0")
    page.wait_for_selector(READY)
    swipe = """(x) => {
        const area = document.querySelector(".table-area");
        const fire = (type, clientX) => area.dispatchEvent(new PointerEvent(type,
            { pointerType: "touch", clientX, clientY: 300, bubbles: true }));
        fire("pointerdown", 200); fire("pointerup", 200 + x);
    }"""
    page.evaluate(swipe, -90)
    at(page, "/deals/0/1?")
    page.evaluate(swipe, 90)
    at(page, "/deals/0/0?")
    page.evaluate(swipe, 12)
    page.wait_for_timeout(300)
    assert "/deals/0/0" in page.url


def test_the_link_is_copied(german: Page) -> None:
    german.context.grant_permissions(["clipboard-read", "clipboard-write"])
    german.keyboard.press("ArrowRight")
    german.keyboard.press("c")
    expect(german.locator(".perspective")).to_have_text("Link copied")
    assert german.evaluate("navigator.clipboard.readText()").endswith("/deals/0/1?seat=0&open=1")


def test_the_other_seatings_show_the_same_deal(german: Page) -> None:
    link = german.locator(".others a").first
    href = link.get_attribute("href")
    assert href is not None
    assert "/deals/0/0" in href
    link.click()
    german.wait_for_selector(READY)
    expect(german.locator(".felt")).to_be_visible()
    assert href.split("?")[0] in german.url


def test_what_a_bot_said_stands_beside_its_move(german: Page) -> None:
    mark = german.locator(".tricks .entry.remarked")
    expect(mark).to_have_count(1)
    german.keyboard.press("ArrowRight")
    expect(german.locator(".remark q")).to_have_text(COMMENT)
    assert german.locator(".remark q b").count() == 0
    expect(german.locator(".remark li.chosen")).to_contain_text("%")
    german.keyboard.press("ArrowRight")
    expect(german.locator(".remark")).to_have_count(0)


def test_what_another_seat_said_is_hidden_with_its_hand(german: Page) -> None:
    german.keyboard.press("ArrowRight")
    german.keyboard.press("h")  # from seat 0; seat 1 led
    expect(german.locator(".remark")).to_have_count(0)
    expect(german.locator(".entry.remarked")).to_have_count(0)
    german.keyboard.press("f")
    expect(german.locator(".remark q")).to_have_text(COMMENT)
