"""Bots and versions."""

import pytest
from fastapi.testclient import TestClient
from kibitz_worker.store import open_store
from kibitz_worker.store.models import Version

from tests.api.conftest import BROWSER, Site, bearer, reason


def test_bots_are_listed_house_first(client: TestClient) -> None:
    listed = client.get("/api/v1/bots").json()["items"]
    assert [bot["bot"] for bot in listed] == [
        "careful",
        "random",
        "ana/otter",
        "ana/vole",
        "ben/heron",
    ]
    assert [bot["bot"] for bot in client.get("/api/v1/bots?owner=ben").json()["items"]] == [
        "ben/heron"
    ]


def test_a_bot_plays_as_its_newest_admitted_version(client: TestClient) -> None:
    otter = client.get("/api/v1/bots/ana/otter").json()
    assert [version["number"] for version in otter["all_versions"]] == [2, 1]
    assert otter["newest"]["number"] == 2
    heron = client.get("/api/v1/bots/ben/heron").json()
    assert (heron["newest"]["number"], heron["latest_state"]) == (1, "refused")
    page = client.get("/bots/ana/otter", headers=BROWSER).text
    assert "version 2" in page
    assert "Live since" in page


def test_a_bot_is_found_by_label_and_by_number(client: TestClient) -> None:
    careful = client.get("/api/v1/bots/careful").json()
    assert client.get(f"/api/v1/bots/{careful['id']}").json() == careful
    assert client.get("/api/v1/bots/house/careful").json() == careful


@pytest.mark.parametrize("path", ["nobody", "ana/nobody", "99999", "otter", "9" * 30])
def test_bots_that_do_not_exist_are_not_found(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/v1/bots/{path}")
    assert (answer.status_code, reason(answer)) == (404, "BOT_NOT_FOUND")


def test_head_to_head_agrees_with_the_crosstable(client: TestClient) -> None:
    otter = client.get("/api/v1/bots/ana/otter").json()["head_to_head"]
    careful = client.get("/api/v1/bots/careful").json()["head_to_head"]
    ours = {
        (cell["game"], cell["version"]): cell for cell in otter if cell["opponent"] == "careful"
    }
    theirs = {
        (cell["game"], cell["opponent_version"]): cell
        for cell in careful
        if cell["opponent"] == "ana/otter"
    }
    assert ours.keys() == theirs.keys()
    assert ours
    for key, cell in ours.items():
        assert cell["share"] + theirs[key]["share"] == pytest.approx(1)


def test_recent_matches_are_those_the_bot_played(client: TestClient) -> None:
    recent = client.get("/api/v1/bots/ana/vole").json()["recent"]
    assert recent
    for match in recent:
        assert "ana/vole/1" in match["seats"]


def version_id(client: TestClient, bot: str, number: int) -> int:
    versions = client.get(f"/api/v1/bots/{bot}").json()["all_versions"]
    return next(int(version["id"]) for version in versions if version["number"] == number)


def test_a_refused_version_says_why_and_its_log_is_the_owners(
    own_client: TestClient, own_site: Site
) -> None:
    number = version_id(own_client, "ben/heron", 2)
    with open_store(own_site.settings.database) as store, store.write() as session:
        session.get_one(Version, number).log = "Traceback <b>bold</b>\nNameError: veiw\n"
    path = f"/api/v1/versions/{number}"
    public = own_client.get(path).json()
    assert public["state"] == "refused"
    assert "NameError: name 'veiw'" in public["reason"]
    assert public["log"] is None
    assert own_client.get(path, headers=bearer(own_site.ana)).json()["log"] is None
    assert "veiw\n" in own_client.get(path, headers=bearer(own_site.ben)).json()["log"]
    page = f"/versions/{number}"
    assert "Traceback" not in own_client.get(page, headers=BROWSER).text
    own_client.cookies.set("kibitz_token", own_site.ben)
    assert "Traceback &lt;b&gt;bold" in own_client.get(page, headers=BROWSER).text


def test_a_version_tells_where_it_plays(client: TestClient, site: Site) -> None:
    number = version_id(client, "careful", 1)
    told = client.get(f"/api/v1/versions/{number}").json()
    assert told["label"] == "careful/1"
    assert site.over in {tournament["id"] for tournament in told["tournaments"]}
    assert told["admission"] is None
    for missing in ("0", "999999", "x"):
        assert client.get(f"/api/v1/versions/{missing}").status_code == 404
