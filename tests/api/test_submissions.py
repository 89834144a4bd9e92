"""Uploads: kept once, as versions that wait for their trial, or refused and forgotten."""

import io
import zipfile
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from kibitz_worker.store import Store
from kibitz_worker.store.models import Admission, Bot, Version
from kibitz_worker.submissions import DEFAULT_LIMITS, folder_hash
from sqlalchemy import func, select

from tests.api.conftest import BROWSER, Site, bearer, reason

SUBMISSIONS = "/api/v1/submissions"
MANIFEST = """
[bot]
name = "{name}"
entry = "bot:Mine"
games = ["whist", "whiskey"]
description = "Plays <low>."
"""
CODE = """
from kibitz import Bot

class Mine(Bot):
    def play(self, view):
        return view.legal[{n}]
"""


def packed(name: str = "Mine.Bot", n: int = 0, files: dict[str, str] | None = None) -> bytes:
    """A zip of a bot; other `n`, other content."""
    content = {"kibitz.toml": MANIFEST.format(name=name), "bot.py": CODE.format(n=n)}
    content |= files or {}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in content.items():
            archive.writestr(path, text)
    return file.getvalue()


def send(client: TestClient, token: str, content: bytes, field: str = "file") -> object:
    files = {field: ("bot.zip", content, "application/zip")}
    return client.post(SUBMISSIONS, files=files, headers=bearer(token))


def kept(site: Site) -> list[Path]:
    versions = site.data / "versions"
    return sorted(versions.iterdir()) if versions.is_dir() else []


@pytest.fixture
def own_store(own_client: TestClient) -> Store:
    found: Store = own_client.app.state.services.store  # type: ignore[attr-defined]
    return found


def test_an_upload_becomes_a_version_that_waits_for_its_trial(
    own_client: TestClient, own_site: Site, own_store: Store
) -> None:
    answer = own_client.post(
        SUBMISSIONS,
        files={"file": ("bot.zip", packed(), "application/zip")},
        headers=bearer(own_site.ana),
    )
    assert answer.status_code == 202
    told = answer.json()
    assert (told["bot"], told["version"], told["state"], told["new"]) == (
        "ana/mine-bot",
        1,
        "pending",
        True,
    )
    with own_store.read() as session:
        version = session.get_one(Version, told["version_id"])
        assert version.games == ["whiskey", "whist"]
        assert version.path is not None
        folder = own_site.data / version.path
        assert session.get_one(Admission, version.id).attempts == 0
    assert folder_hash(folder) == folder.name == told["content_hash"]
    shown = own_client.get(f"/api/v1/versions/{told['version_id']}").json()
    assert shown["admission"]["state"] == "waiting"
    assert shown["admission"]["ahead"] == 0
    page = own_client.get(told["url"], headers=BROWSER).text
    assert "Its trial is next." in page
    assert "Plays &lt;low&gt;." in own_client.get("/bots/ana/mine-bot", headers=BROWSER).text


def test_the_same_content_is_the_same_version_another_is_the_next(
    own_client: TestClient, own_site: Site, own_store: Store
) -> None:
    one, again, other = (
        send(own_client, own_site.ana, packed(n=n)).json()  # type: ignore[attr-defined]
        for n in (0, 0, 1)
    )
    assert (one["version_id"], one["new"]) == (again["version_id"], not again["new"])
    assert (other["bot"], other["version"]) == (one["bot"], 2)
    others = send(own_client, own_site.ben, packed()).json()  # type: ignore[attr-defined]
    assert (others["bot"], others["version"]) == ("ben/mine-bot", 1)
    assert len(kept(own_site)) == 2
    with own_store.read() as session:
        count = select(func.count()).select_from(Bot).where(Bot.name == "mine-bot")
        assert session.scalar(count) == 2


def test_trials_are_told_in_order(own_client: TestClient, own_site: Site) -> None:
    told = [
        send(own_client, own_site.ana, packed(n=n)).json()  # type: ignore[attr-defined]
        for n in range(3)
    ]
    ahead = [
        own_client.get(f"/api/v1/versions/{one['version_id']}").json()["admission"]["ahead"]
        for one in told
    ]
    assert ahead == [0, 1, 2]


def test_an_upload_needs_a_token(own_client: TestClient, own_site: Site) -> None:
    answer = own_client.post(SUBMISSIONS, files={"file": ("bot.zip", packed())})
    assert (answer.status_code, reason(answer)) == (401, "TOKEN_NEEDED")
    assert kept(own_site) == []


@pytest.mark.parametrize(
    ("content", "status", "why"),
    [
        (b"PK not really", 422, "NOT_A_ZIP"),
        (packed(files={"../evil.py": "x"}), 422, "BAD_PATH"),
        (packed(name="a b"), 422, "MANIFEST_WRONG"),
        (packed(name="-".join("a" * 20) + "_"), 422, "NAME_INVALID"),
        (packed(files={"kibitz.toml": "[bot"}), 422, "MANIFEST_NOT_TOML"),
        (
            packed(files={"kibitz.toml": MANIFEST.format(name="x").replace("bot:", "no:")}),
            422,
            "ENTRY_MISSING",
        ),
        (
            packed(files={"kibitz.toml": MANIFEST.format(name="x").replace("whist", "chess")}),
            422,
            None,
        ),
    ],
)
def test_what_is_no_bot_is_refused_and_leaves_nothing(
    own_client: TestClient,
    own_site: Site,
    own_store: Store,
    content: bytes,
    status: int,
    why: str | None,
) -> None:
    answer = send(own_client, own_site.ana, content)
    assert answer.status_code == status  # type: ignore[attr-defined]
    assert reason(answer) == (why or reason(answer))
    with own_store.read() as session:
        names = session.scalars(select(Bot.name)).all()
    assert set(names) == {"careful", "random", "otter", "vole", "heron"}


def test_too_much_is_refused_before_it_is_read(own_client: TestClient, own_site: Site) -> None:
    sent = 0

    def endless() -> object:
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
        while sent < 4 * DEFAULT_LIMITS.packed:
            sent += 1 << 16
            yield bytes(1 << 16)

    headers = bearer(own_site.ana) | {"content-type": "multipart/form-data; boundary=x"}
    answer = own_client.post(SUBMISSIONS, content=endless(), headers=headers)  # type: ignore[arg-type]
    assert (answer.status_code, reason(answer)) == (413, "UPLOAD_TOO_LARGE")
    claimed = headers | {"content-length": str(10**12)}
    answer = own_client.post(SUBMISSIONS, content=b"x", headers=claimed)
    assert (answer.status_code, reason(answer)) == (413, "UPLOAD_TOO_LARGE")


def test_forms_without_the_file_are_told_so(own_client: TestClient, own_site: Site) -> None:
    assert reason(send(own_client, own_site.ana, packed(), field="zip")) == "FILE_MISSING"
    assert reason(send(own_client, own_site.ana, b"")) == "FILE_MISSING"
    token = bearer(own_site.ana)
    assert reason(own_client.post(SUBMISSIONS, content=b"zip", headers=token)) == "NOT_A_FORM"
    for kind in ("multipart/form-data", "multipart/form-data; boundary=x"):
        answer = own_client.post(
            SUBMISSIONS, content=b"nonsense", headers=token | {"content-type": kind}
        )
        assert answer.status_code == 422
        assert reason(answer) in {"BAD_FORM", "FILE_MISSING"}


def test_the_form_of_the_page_does_the_same(own_client: TestClient, own_site: Site) -> None:
    own_client.cookies.set("kibitz_token", own_site.ana)
    files = {"file": ("bot.zip", packed(), "application/zip")}
    done = own_client.post("/submit", files=files, headers=BROWSER, follow_redirects=False)
    assert done.status_code == 303
    assert done.headers["location"].startswith("/versions/")
    wrong = {"file": ("bot.zip", b"nothing", "application/zip")}
    page = own_client.post("/submit", files=wrong, headers=BROWSER)
    assert page.status_code == 422
    assert 'role="alert"' in page.text


def test_uploads_are_limited(own_client: TestClient, own_site: Site) -> None:
    codes = [send(own_client, own_site.ana, b"x").status_code for _ in range(12)]  # type: ignore[attr-defined]
    assert codes[:10] == [422] * 10
    assert codes[-1] == 429
