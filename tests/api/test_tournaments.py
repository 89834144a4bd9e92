"""Tournaments as they are told, created and changed."""

import hashlib
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from kibitz.archive import verify
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import DealSet, Pairing, SetState, Tournament
from sqlalchemy import select

from tests.api.conftest import BROWSER, Site, bearer, reason

TOURNAMENTS = "/api/v1/tournaments"
WANTED = {"game": "whist", "entrants": ["careful", "random", "ana/otter"], "sets": 2}


def test_progress_counts_the_sets_of_the_store(
    client: TestClient, site: Site, store: Store
) -> None:
    told = client.get(f"{TOURNAMENTS}/{site.unfinished}").json()
    with store.read() as session:
        query = select(DealSet).where(DealSet.tournament_id == site.unfinished)
        states = [deal_set.state for deal_set in session.scalars(query)]
    assert told["state"] == "running"
    assert told["sets_done"] == told["progress"]["done"] == states.count(SetState.DONE) > 0
    assert told["sets_void"] == told["progress"]["void"] == states.count(SetState.VOID) == 1
    assert told["sets_total"] == told["progress"]["total"] == len(states)
    over = states.count(SetState.DONE) + states.count(SetState.VOID)
    assert told["progress"]["share"] == over / len(states)


def test_standings_add_up_the_sets(client: TestClient, site: Site, store: Store) -> None:
    told = client.get(f"{TOURNAMENTS}/{site.over}").json()
    points = [0.0] * len(told["entrants"])
    sets = [0] * len(points)
    with store.read() as session:
        query = select(DealSet, Pairing).join(Pairing, DealSet.pairing_id == Pairing.id)
        for deal_set, pairing in session.execute(query.where(DealSet.tournament_id == site.over)):
            for number, score in zip(pairing.entrants, deal_set.scores or (), strict=True):
                points[number] += score
                sets[number] += 1
    standings = told["standings"]
    assert [row["rank"] for row in standings] == list(range(1, len(points) + 1))
    assert {row["entrant"]: row["points"] for row in standings} == dict(enumerate(points))
    assert {row["entrant"]: row["sets"] for row in standings} == dict(enumerate(sets))
    shares = [row["share"] for row in standings]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(len(shares) / 2)
    assert standings == client.get(f"{TOURNAMENTS}/{site.over}/standings").json()


def test_forfeits_are_counted_and_shown(client: TestClient, site: Site) -> None:
    standings = client.get(f"{TOURNAMENTS}/{site.over}/standings").json()
    assert sum(row["forfeits"] for row in standings) == 1
    page = client.get(f"/tournaments/{site.over}", headers=BROWSER).text
    assert 'class="tag bad">1</span>' in page


def test_the_secret_is_told_when_the_tournament_is_over_only(
    client: TestClient, site: Site
) -> None:
    over = client.get(f"{TOURNAMENTS}/{site.over}").json()
    assert hashlib.sha256(bytes.fromhex(over["secret"])).hexdigest() == over["commitment"]
    running = client.get(f"{TOURNAMENTS}/{site.unfinished}").json()
    assert running["secret"] is None
    assert len(running["commitment"]) == 64


def test_the_crosstable_mirrors_itself(client: TestClient, site: Site) -> None:
    table = client.get(f"{TOURNAMENTS}/{site.over}").json()["crosstable"]
    cells = table["cells"]
    size = len(table["players"])
    assert size == 6
    for row in range(size):
        assert cells[row][row] is None
        for column in set(range(size)) - {row}:
            here, there = cells[row][column], cells[column][row]
            assert here["share"] + there["share"] == pytest.approx(1)
            assert here["margin"] == pytest.approx(-there["margin"])
            assert here["significant"] == there["significant"]


def test_matches_come_in_parts(client: TestClient, site: Site) -> None:
    path = f"{TOURNAMENTS}/{site.over}/matches"
    first = client.get(path, params={"limit": 7}).json()
    assert len(first["items"]) == first["next"] == 7
    seen: list[str] = []
    offset = 0
    while offset is not None:
        page = client.get(path, params={"limit": 7, "offset": offset}).json()
        seen += [match["id"] for match in page["items"]]
        offset = page["next"]
    assert len(seen) == len(set(seen)) == first["total"]


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "offset=-1", "limit=x"])
def test_parts_outside_the_bounds_are_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"{TOURNAMENTS}?{query}")
    assert (answer.status_code, reason(answer)) == (422, "INVALID_REQUEST")
    assert answer.json()["error"]["where"].startswith("query.")


def test_sets_say_why_they_are_void(client: TestClient, site: Site) -> None:
    found = client.get(f"{TOURNAMENTS}/{site.unfinished}/sets?state=void").json()
    assert found["total"] == 1
    assert found["items"][0]["reason"]
    page = client.get(f"/tournaments/{site.unfinished}", headers=BROWSER).text
    assert found["items"][0]["id"] in page


def test_running_tournaments_come_first(client: TestClient, site: Site) -> None:
    listed = client.get(TOURNAMENTS).json()["items"]
    assert listed[0]["id"] == site.unfinished
    only = client.get(f"{TOURNAMENTS}?state=finished&game=whist").json()
    assert {one["game"] for one in only["items"]} == {"whist"}
    assert {one["state"] for one in only["items"]} == {"finished"}


def test_creating_needs_a_token(own_client: TestClient) -> None:
    answer = own_client.post(TOURNAMENTS, json=WANTED)
    assert (answer.status_code, reason(answer)) == (401, "TOKEN_NEEDED")
    assert answer.headers["www-authenticate"] == "Bearer"
    answer = own_client.post(TOURNAMENTS, json=WANTED, headers=bearer("kbz_wrong"))
    assert (answer.status_code, reason(answer)) == (401, "TOKEN_UNKNOWN")


def test_a_created_tournament_is_planned_and_runs(own_client: TestClient, own_site: Site) -> None:
    wanted = WANTED | {"name": "Evening", "options": {"end": "deals:4"}}
    answer = own_client.post(TOURNAMENTS, json=wanted, headers=bearer(own_site.ana))
    assert answer.status_code == 201
    told = answer.json()
    assert told["state"] == "running"
    assert (told["owner"], told["name"], told["sets_total"]) == ("ana", "Evening", 6)
    assert told["options"] == {
        "trump": "turn_up",
        "cycle": ["H", "C", "D", "S"],
        "honours": False,
        "end": "deals:4",
    }
    assert [(e["bot"], e["version"]) for e in told["entrants"]] == [
        ("careful", 1),
        ("random", 1),
        ("ana/otter", 2),
    ]
    with open_store(own_site.settings.database) as store, store.read() as session:
        assert session.get_one(Tournament, told["id"]).sets_per_pairing == 2
    assert own_client.get(told["url"], headers=BROWSER).status_code == 200


@pytest.mark.parametrize(
    ("entrant", "meant"),
    [
        ("otter", "ana/otter"),
        ("otter/2", "ana/otter"),
        ("heron", "ben/heron"),
        ("ana/oter", "ana/otter"),
        ("carefull", "careful"),
        ("nobody", None),
    ],
)
def test_of_an_unknown_bot_it_is_said_which_may_be_meant(
    own_client: TestClient, own_site: Site, entrant: str, meant: str | None
) -> None:
    wanted = WANTED | {"entrants": ["random", entrant]}
    answer = own_client.post(TOURNAMENTS, json=wanted, headers=bearer(own_site.ana))
    assert (answer.status_code, reason(answer)) == (404, "BOT_UNKNOWN")
    said = answer.json()["error"]["message"]
    assert said.startswith(f"There is no bot '{entrant}'; ")
    assert said.endswith(f"did you mean '{meant}'?" if meant else "like 'ana/heart/3'.")


def test_an_error_that_begins_with_a_name_keeps_it_as_it_is(
    own_client: TestClient, own_site: Site
) -> None:
    for entrants, words in (
        (["careful", "ben/heron/2"], "ben/heron/2 is "),
        (["careful", "careful/1"], "Every version "),
    ):
        wanted = WANTED | {"entrants": entrants}
        answer = own_client.post(TOURNAMENTS, json=wanted, headers=bearer(own_site.ana))
        assert answer.json()["error"]["message"].startswith(words)


@pytest.mark.parametrize(
    ("change", "status", "why"),
    [
        ({"game": "poker"}, 422, "UNKNOWN_GAME"),
        ({"entrants": ["careful", "nobody"]}, 404, "BOT_UNKNOWN"),
        ({"entrants": ["careful", "careful/1"]}, 422, "ENTRANT_TWICE"),
        ({"entrants": ["careful", "ben/heron/2"]}, 422, "VERSION_NOT_ADMITTED"),
        ({"entrants": ["careful"]}, 422, "INVALID_REQUEST"),
        ({"options": {"trumps": "H"}}, 422, "UNKNOWN_OPTION"),
        ({"options": {"end": "game:5"}}, 422, "NOT_DUPLICABLE"),
        ({"sets": 0}, 422, "INVALID_REQUEST"),
        (
            {"sets": 99_999, "entrants": ["careful", "random", "ana/otter"]},
            422,
            "TOURNAMENT_TOO_LARGE",
        ),
        ({"options": {"end": "deals:99999996"}}, 422, "MATCH_TOO_LONG"),
        ({"options": {"end": "deals:1000"}, "sets": 20_000}, 422, "TOURNAMENT_TOO_LARGE"),
        ({"options": {"preset": "long"}}, 422, "BAD_OPTION"),
        ({"options": {"name": "x"}}, 422, "UNKNOWN_OPTION"),
        ({"entrants": ["careful", "ran\x00dom"]}, 422, "INVALID_REQUEST"),
        ({"preset": "nope"}, 422, "UNKNOWN_PRESET"),
        ({"format": "bingo"}, 422, "FORMAT_UNKNOWN"),
        ({"format": "swiss", "format_options": {"turns": 3}}, 422, "FORMAT_OPTION"),
        ({"format": "versus"}, 422, "TOO_MANY_ENTRANTS"),
        ({"decks": []}, 422, "INVALID_REQUEST"),
        ({"name": "two\nlines"}, 422, "TITLE_INVALID"),
    ],
)
def test_what_cannot_be_played_is_refused_and_leaves_nothing(
    own_client: TestClient, own_site: Site, change: dict[str, object], status: int, why: str
) -> None:
    answer = own_client.post(TOURNAMENTS, json=WANTED | change, headers=bearer(own_site.ana))
    assert (answer.status_code, reason(answer)) == (status, why)
    assert own_client.get(TOURNAMENTS).json()["total"] == 0


def test_its_owner_pauses_resumes_and_cancels(own_client: TestClient, own_site: Site) -> None:
    ana, ben = bearer(own_site.ana), bearer(own_site.ben)
    made = own_client.post(TOURNAMENTS, json=WANTED, headers=ana).json()
    path = f"{TOURNAMENTS}/{made['id']}"
    refused = own_client.post(f"{path}/pause", headers=ben)
    assert (refused.status_code, reason(refused)) == (403, "NOT_THE_OWNER")
    paused = own_client.post(f"{path}/pause", headers=ana).json()
    assert (paused["state"], paused["reason"]) == ("paused", "paused by ana")
    assert own_client.post(f"{path}/resume", headers=ana).json()["state"] == "running"
    cancelled = own_client.post(f"{path}/cancel", headers=ana).json()
    assert (cancelled["state"], cancelled["reason"]) == ("cancelled", "cancelled by ana")
    again = own_client.post(f"{path}/resume", headers=ana)
    assert (again.status_code, reason(again)) == (409, "TOURNAMENT_OVER")


def test_a_preview_refuses_names_that_cannot_be(client: TestClient, site: Site) -> None:
    wanted = {"game": "german_whist", "entrants": ["careful", "random"], "name": "a\u202eb"}
    for path in (f"{TOURNAMENTS}/preview", TOURNAMENTS):
        answer = client.post(path, json=wanted, headers=bearer(site.ana))
        assert (answer.status_code, reason(answer)) == (422, "TITLE_INVALID"), path


def test_the_form_shows_a_preview_before_it_creates(own_client: TestClient, own_site: Site) -> None:
    own_client.cookies.set("kibitz_token", own_site.ana)
    form = {
        "game": "whiskey",
        "entrants": ["careful/1", "random/1", "ana/otter/2", "ana/vole/1"],
        "sets": "3",
        "options": "end=deals:6 first_call=left",
        "rated": "true",
    }
    page = own_client.post("/tournaments/new", data=form | {"action": "preview"}, headers=BROWSER)
    assert page.status_code == 200
    for label, number in (("Sets", 12), ("Matches", 72), ("Deals", 432)):
        assert f"<dt>{label}</dt><dd>{number}</dd>" in page.text
    assert own_client.get(TOURNAMENTS).json()["total"] == 0
    done = own_client.post(
        "/tournaments/new",
        data=form | {"action": "create"},
        headers=BROWSER,
        follow_redirects=False,
    )
    assert done.status_code == 303
    made = own_client.get(f"/api/v1{done.headers['location']}").json()
    assert made["sets_total"] == 12
    assert made["options"]["first_call"] == "left"
    assert made["rated"] is True


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"options": "end"}, "key=value"),
        ({"options": "preset=long"}, "no option"),
        ({"options": "end=deals:3000000"}, "too long"),
        ({"options": "end=deals:5"}, "deals:N with N a multiple of 3"),
        ({"entrants": ["careful/1"]}, "at least 3 entrants"),
        ({"entrants": ["careful/1", "random/1", "no/body"]}, "no bot"),
    ],
)
def test_the_form_says_what_is_wrong_and_keeps_what_was_entered(
    own_client: TestClient, own_site: Site, change: dict[str, object], words: str
) -> None:
    own_client.cookies.set("kibitz_token", own_site.ana)
    form = {
        "game": "whiskey",
        "entrants": ["careful/1", "random/1", "ana/otter/2"],
        "name": "Kept",
        "action": "create",
    }
    page = own_client.post("/tournaments/new", data=form | change, headers=BROWSER)
    assert page.status_code == 422
    assert words in page.text
    assert 'value="Kept"' in page.text
    assert own_client.get(TOURNAMENTS).json()["total"] == 0


def test_the_archive_of_a_tournament_that_is_over_can_be_checked(
    client: TestClient, site: Site, tmp_path: Path
) -> None:
    answer = client.get(f"{TOURNAMENTS}/{site.over}/archive")
    assert answer.headers["content-type"] == "application/zip"
    assert f"kibitz-{site.over}.zip" in answer.headers["content-disposition"]
    path = tmp_path / "a.zip"
    path.write_bytes(answer.content)
    report = verify(path)
    told = client.get(f"{TOURNAMENTS}/{site.over}").json()
    assert report.findings == []
    assert (report.sets, report.forfeits) == (told["sets_done"], 1)
    assert report.commitment == told["commitment"]
    assert client.get(f"{TOURNAMENTS}/{site.over}/archive").content == answer.content
    assert f"{site.over}/archive" in client.get(f"/tournaments/{site.over}", headers=BROWSER).text
    early = client.get(f"{TOURNAMENTS}/{site.unfinished}/archive")
    assert (early.status_code, reason(early)) == (409, "TOURNAMENT_NOT_OVER")
    assert client.get(f"{TOURNAMENTS}/nothere/archive").status_code == 404


def test_owners_add_nonces_before_play_begins(own_client: TestClient, own_site: Site) -> None:
    ana, ben = bearer(own_site.ana), bearer(own_site.ben)
    entrants = ["careful", "ana/otter", "ben/heron"]
    wanted = {**WANTED, "game": "german_whist", "entrants": entrants, "start": False}
    made = own_client.post(TOURNAMENTS, json=wanted, headers=ana).json()
    path = f"{TOURNAMENTS}/{made['id']}"
    assert (made["state"], len(made["commitment"]), made["secret"]) == ("created", 64, None)
    answer = own_client.post(f"{path}/nonces", json={"nonce": "heron-1"}, headers=ben)
    assert [(e["bot"], e["nonce"]) for e in answer.json()] == [("ben/heron", "heron-1")]
    other = {"nonce": "x", "entrant": "ana/otter"}
    answer = own_client.post(f"{path}/nonces", json=other, headers=ben)
    assert (answer.status_code, reason(answer)) == (422, "ENTRANT_UNKNOWN")
    assert own_client.post(f"{path}/nonces", json=other).status_code == 401
    page = own_client.get(f"/tournaments/{made['id']}", headers=BROWSER).text
    assert "heron-1" in page
    assert made["commitment"] in page
    started = own_client.post(f"{path}/start", headers=ana).json()
    assert started["state"] == "running"
    assert [e["nonce"] for e in started["entrants"]] == [None, None, "heron-1"]
    answer = own_client.post(f"{path}/nonces", json={"nonce": "late"}, headers=ana)
    assert (answer.status_code, reason(answer)) == (409, "ENTRIES_LOCKED")
