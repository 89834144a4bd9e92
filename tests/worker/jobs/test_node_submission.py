"""The example bot in TypeScript is handed in: it plays where the sandbox has Node."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from kibitz_worker.store.accounts import add_token, create_user, user_named
from kibitz_worker.store.bots import submit_version
from kibitz_worker.store.models import Version, VersionState
from kibitz_worker.submissions import check_upload

from tests.referee.test_node_bot import FOLDER, path
from tests.worker.jobs.machine import Machine, machine, wait_for

__all__ = ["path"]

DEVELOPMENT = {"typescript", "@types", ".bin", ".package-lock.json"}


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with machine(tmp_path_factory.mktemp("node") / "data") as one:
        with one.store.write() as session:
            add_token(session, create_user(session, "ana"), "laptop", "kbz_a-token-of-ana")
        one.start_worker()
        yield one


def packed() -> io.BytesIO:
    """The bot as its README says it is packed, for one game."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        toml = (FOLDER / "kibitz.toml").read_text()
        archive.writestr("kibitz.toml", toml + 'games = ["german_whist"]\n')
        for top in ("dist", "proto", "node_modules", "package.json"):
            for file in sorted([FOLDER / top, *(FOLDER / top).rglob("*")]):
                inner = file.relative_to(FOLDER)
                if file.is_file() and not DEVELOPMENT.intersection(inner.parts):
                    archive.write(file, inner)
    content.seek(0)
    return content


@pytest.mark.campaign
@pytest.mark.usefixtures("path")
def test_it_is_admitted_where_the_sandbox_has_node_and_else_told_so(up: Machine) -> None:
    submission = check_upload(packed())
    with up.store.write() as session:
        version, _ = submit_version(
            session,
            user_named(session, "ana"),
            "node",
            content_hash=submission.content_hash,
            path=str(submission.store(up.settings.data_dir)),
            games=submission.manifest.games,
        )
        number = version.id

    def found() -> Version:
        with up.store.read() as session:
            return session.get_one(Version, number)

    wait_for(lambda: found().state is not VersionState.PENDING, "the verdict")
    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    if node and Path(node).resolve().is_relative_to("/usr"):
        assert (found().state, found().reason) == (VersionState.ADMITTED, None)
    else:
        assert found().state is VersionState.REFUSED
        assert "node" in (found().reason or "")
