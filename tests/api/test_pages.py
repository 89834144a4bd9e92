"""Pages are whole HTML without scripts, and nothing that others wrote gets into their markup."""

import re
from html.parser import HTMLParser

import kibitz
import pytest
from fastapi.testclient import TestClient
from kibitz_api import assets
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import Bot, DealSet, Tournament, Version
from sqlalchemy import select

from tests.api.conftest import BROWSER, Site

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202e" + "x" * 3000 + "\x1b[2J\0"


class Reader(HTMLParser):
    """Collects what matters of a page."""

    VOID = frozenset({"meta", "link", "input", "br", "wbr", "hr", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.scripts: list[dict[str, str | None]] = []
        self.handlers: list[str] = []
        self.unclosed: list[str] = []
        self.svg = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.handlers += [name for name in values if name.startswith("on")]
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values.get("href") or ""] if tag == "a" else []
        self.scripts += [values] if tag == "script" else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handlers += [name for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.unclosed.append(tag)
        else:
            self.open.pop()


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    return reader


def addresses(site: Site, store: Store) -> list[str]:
    with store.read() as session:
        deal_set = session.scalars(
            select(DealSet).where(DealSet.tournament_id == site.tournaments[2])
        ).first()
        assert deal_set is not None
        match = deal_set.matches[0].id
    return [
        "/",
        "/leaderboards",
        "/leaderboards/whist",
        "/tournaments",
        "/leagues",
        f"/tournaments/{site.over}",
        f"/tournaments/{site.unfinished}",
        f"/tournaments/{site.over}/matches",
        "/bots",
        "/bots/careful",
        "/bots/ana/otter",
        "/versions/1",
        f"/sets/{deal_set.id}",
        f"/matches/{match}",
        f"/matches/{match}/deals/0/3",
        "/games",
        "/games/german_whist",
        "/games/whist",
        "/games/whiskey",
        "/games/ottocento",
        "/submit",
        "/login",
        "/health",
        "/docs",
    ]


def test_every_page_is_well_formed_and_every_link_leads_somewhere(
    client: TestClient, site: Site, store: Store
) -> None:
    links: set[str] = set()
    for path in addresses(site, store):
        answer = client.get(path, headers=BROWSER)
        assert answer.status_code == 200, path
        page = read(answer.text)
        assert not page.unclosed, (path, page.unclosed)
        assert not page.open, (path, page.open)
        assert len(page.ids) == len(set(page.ids)), path
        assert all(script.get("src") for script in page.scripts), path
        assert "main" in page.ids
        links |= {link for link in page.links if link.startswith("/") and "/deals/" not in link}
    assert len(links) > 40
    for link in sorted(links):
        answer = client.get(link.split("#")[0], headers=BROWSER)
        assert answer.status_code in {200, 503 if link == "/readyz" else 200}, link


def test_the_latest_matches_of_all_games_name_their_game(client: TestClient) -> None:
    page = client.get("/", headers=BROWSER).text
    latest = page[page.index('id="latest"') :]
    rows = latest[latest.index("<tbody>") :].split("<tr>")[1:]
    assert len(rows) == 8
    assert all(re.search(r">(Whist|German Whist|Whiskey) · <", row) for row in rows)


@pytest.fixture
def hostile(own_site: Site) -> Site:
    """An installation in which every text that somebody else wrote is hostile."""
    with open_store(own_site.settings.database) as store, store.write() as session:
        for bot in session.scalars(select(Bot)):
            bot.description = EVIL
        for version in session.scalars(select(Version)):
            version.reason = version.log = EVIL
    return own_site


def test_hostile_text_is_shown_as_text(hostile: Site, own_client: TestClient) -> None:
    made = own_client.post(
        "/api/v1/tournaments",
        json={"game": "whist", "entrants": ["careful", "random"], "sets": 1, "name": "<b>&\"'"},
        headers={"Authorization": f"Bearer {hostile.ana}"},
    ).json()
    with open_store(hostile.settings.database) as store, store.write() as session:
        session.get_one(Tournament, made["id"]).reason = EVIL
        for deal_set in session.scalars(select(DealSet)):
            deal_set.reason = EVIL
            deal_set.state = type(deal_set.state).VOID
    own_client.cookies.set("kibitz_token", hostile.ana)
    set_id = f"{made['id']}-0-0"
    paths = ("/", "/bots", "/bots/ana/otter", "/versions/3", "/tournaments", made["url"])
    for path in (*paths, f"/sets/{set_id}", "/tournaments/new", f"/login?next={EVIL[:200]}"):
        answer = own_client.get(path, headers=BROWSER)
        assert answer.status_code == 200, path
        page = read(answer.text)
        assert not page.handlers, path
        assert all(script.get("src") for script in page.scripts), path
        assert "alert(1)</script>" not in answer.text, path
        assert not {"\x1b", "\0", "\u202e"}.intersection(answer.text), path
        assert "x" * 1100 not in answer.text or path.startswith("/versions"), path


def test_error_pages_do_not_echo_markup(client: TestClient) -> None:
    answer = client.get("/bots/<script>alert(1)</script>", headers=BROWSER)
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text


def test_without_the_bundle_pages_say_so_and_work(site: Site, client: TestClient) -> None:
    services = client.app.state.services  # type: ignore[attr-defined]
    built = services.assets
    services.assets = assets.find(site.data)
    try:
        answer = client.get("/leaderboards/whist", headers=BROWSER)
        assert answer.status_code == 200
        assert "were not built" in answer.text
        assert "careful" in answer.text
    finally:
        services.assets = built


def test_the_bundle_is_asked_for_under_an_address_of_its_content(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    static = tmp_path_factory.mktemp("static")
    (static / "app").mkdir()
    (static / "app" / "app.js").write_text("1")
    (static / "kibitz.css").write_text("a {}")
    before = assets.find(static)
    assert before.missing is None
    assert len(before.styles) == 1
    (static / "app" / "app.js").write_text("2")
    assert assets.find(static).app != before.app


def test_the_live_parts_are_marked(client: TestClient, site: Site) -> None:
    page = client.get(f"/tournaments/{site.unfinished}", headers=BROWSER).text
    assert f'<body data-live="/api/v1/live?tournament={site.unfinished}">' in page
    assert f'<progress data-live-progress="{site.unfinished}"' in page
    assert "data-live=" not in client.get(f"/tournaments/{site.over}", headers=BROWSER).text


@pytest.mark.parametrize("game", kibitz.games())
def test_every_game_says_how_much_of_it_is_luck(client: TestClient, game: str) -> None:
    told = client.get(f"/api/v1/games/{game}").json()
    measured, alike = told["measured"], told["measured_alike"]
    luck = measured["luck"]
    assert luck["luck"] < alike["luck"]["luck"] <= 1
    assert len(measured["pairs"]) >= 3
    assert all(pair["deals"] is None or pair["deals"] >= 1 for pair in measured["pairs"])
    assert 0 < luck["luck"] < 1
    assert 0 <= luck["rho"] < 1
    assert luck["factor"] == pytest.approx(1 / (1 - luck["rho"]))
    assert luck["deals_typical"] <= luck["deals_typical_alone"]
    page = client.get(f"/games/{game}", headers=BROWSER).text
    assert "Skill and luck" in page
    assert f"{100 * luck['luck']:.1f} %" in page


ROLES = {
    "solo_whist": {"ally", "declarer", "defender"},
    "whiskey": {"declarer", "defender"},
    "ottocento": {"declarer", "defender"},
    "whos_who": {"partner", "soloist"},
}


@pytest.mark.parametrize("game", kibitz.games())
def test_every_game_says_what_positions_and_roles_are_worth(client: TestClient, game: str) -> None:
    measured = client.get(f"/api/v1/games/{game}").json()["measured"]
    places, roles = measured["positions"], measured["roles"]
    assert [place["name"] for place in places] == [str(number) for number in range(len(places))]
    assert len(places) == kibitz.game(game).sides
    assert all(place["low"] < place["margin"] < place["high"] for place in places)
    assert sum(place["margin"] for place in places) == pytest.approx(0, abs=1e-9)
    assert {role["name"] for role in roles} == ROLES.get(game, set())
    assert all(0 < role["won"] < 1 and role["deals"] > 0 for role in roles)
    page = client.get(f"/games/{game}", headers=BROWSER).text
    shown = page.partition("Positions and roles")[2].partition("</table>")[0]
    assert shown.count('<th scope="row">') == len(places) + len(roles)
    assert all(f"{role['name']}</th>" in shown for role in roles)
    assert all(f"{100 * role['won']:.0f} %" in shown for role in roles)
