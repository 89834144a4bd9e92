"""Every page in a real browser: wide and narrow, light and dark, with scripts and without."""

import pytest
from kibitz_worker.store.models import DealSet, SetState
from playwright.sync_api import Page, expect
from sqlalchemy import select

from tests.e2e.conftest import Site, Visit, Visitor
from tests.e2e.league import play_set

TOO_WIDE = """() => document.documentElement.scrollWidth > innerWidth
    ? [...document.querySelectorAll("body *")]
        .filter(element => element.getBoundingClientRect().right > innerWidth + 1)
        .slice(0, 5).map(element => element.outerHTML.slice(0, 120))
    : []"""


def pages(site: Site) -> list[str]:
    tournament, match = site.tournaments["whist"], site.matches["whist"]
    deal_set = match.rpartition("-")[0]
    return [
        "/",
        "/leaderboards",
        "/leaderboards/german_whist",
        "/tournaments",
        f"/tournaments/{tournament}",
        f"/tournaments/{site.unfinished}",
        f"/tournaments/{tournament}/matches",
        "/tournaments/new?game=whiskey",
        "/leagues",
        "/bots",
        "/bots/careful",
        "/bots/ana/otter",
        "/versions/1",
        f"/sets/{deal_set}",
        f"/matches/{match}",
        f"/matches/{match}/deals/0/6",
        f"/matches/{site.forfeited}",
        f"/matches/{site.matches['whiskey']}/deals/0/9?seat=1",
        "/games",
        "/games/whiskey",
        "/submit",
        "/login",
        "/health",
    ]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_page_scrolls_sideways_on_a_phone(visit: Visitor, site: Site, dark: bool) -> None:
    made = visit(width=390, dark=dark)
    found = {path: made.open(path).evaluate(TOO_WIDE) for path in pages(site)}
    assert {path: wide for path, wide in found.items() if wide} == {}


def test_every_page_has_one_heading_and_a_title_of_its_own(visit: Visitor, site: Site) -> None:
    made = visit()
    titles = []
    for path in pages(site):
        page = made.open(path)
        assert page.locator("h1").count() == 1, path
        titles.append(page.title())
    assert all(title.endswith("Kibitz") for title in titles)


def test_the_site_is_dark_when_the_system_is(visit: Visitor) -> None:
    light, dark = (
        visit(dark=dark).open("/").evaluate("getComputedStyle(document.body).backgroundColor")
        for dark in (False, True)
    )
    assert brightness(light) > 200
    assert brightness(dark) < 60


def brightness(colour: str) -> float:
    numbers = [float(part) for part in colour.removeprefix("rgb(").rstrip(")").split(",")[:3]]
    return sum(numbers) / 3


def test_the_switch_turns_the_light_off_and_is_remembered(visit: Visitor) -> None:
    made = visit()
    page = made.open("/")
    page.get_by_role("button", name="Dark theme").click()
    assert brightness(page.evaluate("getComputedStyle(document.body).backgroundColor")) < 60
    page = made.open("/bots")
    assert brightness(page.evaluate("getComputedStyle(document.body).backgroundColor")) < 60
    page.get_by_role("button", name="Light theme").click()
    page.reload()
    assert brightness(page.evaluate("getComputedStyle(document.body).backgroundColor")) > 200


def bots_in(page: Page) -> list[str]:
    return [text.split()[0] for text in page.locator("#leaderboard tbody th").all_inner_texts()]


def test_the_leaderboard_is_read_without_scripts(visit: Visitor) -> None:
    page = visit(script=False).open("/leaderboards/german_whist")
    assert bots_in(page)[-1] in {"random", "ana/vole"}
    assert "careful" in bots_in(page)[:2]
    expect(page.locator("#leaderboard .interval").first).to_be_visible()
    expect(page.get_by_role("button", name="theme")).to_have_count(0)


def test_a_replay_is_read_without_scripts(visit: Visitor, site: Site) -> None:
    page = visit(script=False).open(f"/matches/{site.matches['german_whist']}/deals/0/0")
    expect(page.locator("#replay")).to_be_visible()
    assert page.locator("#replay").inner_text().count("♥") >= 13


def test_the_leaderboard_is_sorted_by_a_click(visit: Visitor) -> None:
    page = visit().open("/leaderboards/german_whist")
    by_rank = bots_in(page)
    head = page.get_by_role("columnheader", name="Bot")
    head.get_by_role("button").click()
    assert bots_in(page) == sorted(by_rank, key=str.lower)
    assert head.get_attribute("aria-sort") == "ascending"
    head.get_by_role("button").press("Enter")
    assert bots_in(page) == sorted(by_rank, key=str.lower, reverse=True)


def test_the_crosstable_lights_up_row_and_column(visit: Visitor, site: Site) -> None:
    page = visit().open(f"/tournaments/{site.tournaments['german_whist']}")
    table = page.locator("table.crosstable")
    table.locator("tbody tr").nth(1).locator("td").nth(0).hover()
    assert table.locator("th.lit").count() == 2


def test_one_event_stream_a_page(visit: Visitor, site: Site) -> None:
    made: Visit = visit()
    streams: list[str] = []
    made.page.on("request", lambda r: streams.append(r.url) if "/api/v1/live" in r.url else None)
    made.open(f"/tournaments/{site.unfinished}")
    made.page.wait_for_timeout(500)
    assert len(streams) == 1
    streams.clear()
    made.open("/games")
    made.page.wait_for_timeout(300)
    assert streams == []


def test_progress_moves_while_one_looks(visit: Visitor, site: Site) -> None:
    page = visit().open(f"/tournaments/{site.unfinished}")
    done = page.locator("[data-live-done]")
    before = int(done.inner_text())
    with site.store.read() as session:
        waiting = session.scalars(
            select(DealSet.id).where(
                DealSet.tournament_id == site.unfinished, DealSet.state == SetState.WAITING
            )
        ).first()
    assert waiting is not None
    play_set(site.store, waiting, forfeit=False, void=False)
    site.live.publish("set_finished", tournament=site.unfinished, set=waiting)
    expect(done).to_have_text(str(before + 1))


def test_a_hidden_page_follows_nothing(visit: Visitor, site: Site) -> None:
    made = visit()
    streams: list[str] = []
    made.page.on("request", lambda r: streams.append(r.url) if "/api/v1/live" in r.url else None)
    page = made.open(f"/tournaments/{site.unfinished}")
    page.wait_for_timeout(300)
    hide = """(hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, True)
    fetched: list[str] = []
    page.on("request", lambda r: fetched.append(r.url))
    site.live.publish("set_finished", tournament=site.unfinished)
    page.wait_for_timeout(800)
    assert fetched == []
    page.evaluate(hide, False)
    page.wait_for_timeout(500)
    assert [url for url in fetched if "/api/v1/live" not in url] == [page.url]
    assert len(streams) == 2
