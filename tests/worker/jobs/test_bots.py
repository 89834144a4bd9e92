"""Submitted bots are tried out in the sandbox and play; self-hosted bots are noticed and play."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kibitz_worker.store.accounts import add_token, create_user, user_named
from kibitz_worker.store.bots import submit_version, version_labelled
from kibitz_worker.store.models import DealSet, Match, SetState, Version, VersionState
from kibitz_worker.store.tournaments import create_tournament
from kibitz_worker.work.messages import messages_of
from sqlalchemy import select

from tests.worker.jobs.machine import Machine, machine, wait_for
from tests.worker.jobs.uploads import uploaded

TOKEN = "kbz_a-token-of-ana"
GOOD = """
from kibitz import Bot

class Low(Bot):
    def play(self, view):
        return view.legal[0]
"""
CHEAT = """
from kibitz import Bot

class Low(Bot):
    def play(self, view):
        return "QQ"
"""
HOSTILE = """
from kibitz import Bot

class Hostile(Exception):
    def __str__(self):
        return "\\x00\\x1b[2J\\ud800" * 1000

class Low(Bot):
    def play(self, view):
        raise Hostile
"""
BROKEN = """
import sys
sys.stderr.write("no model file here\\n")
sys.exit(3)
"""


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with machine(tmp_path_factory.mktemp("up") / "data") as one:
        with one.store.write() as session:
            add_token(session, create_user(session, "ana"), "laptop", TOKEN)
        one.start_worker()
        yield one


def submit(one: Machine, name: str, code: str, games: str = '["german_whist"]') -> int:
    submission = uploaded(name, code, games)
    folder = submission.store(one.settings.data_dir)
    with one.store.write() as session:
        version, new = submit_version(
            session,
            user_named(session, "ana"),
            name,
            content_hash=submission.content_hash,
            path=str(folder),
            games=submission.manifest.games,
        )
        assert new
        return version.id


def judged(one: Machine, version_id: int) -> Version:
    def found() -> Version:
        with one.store.read() as session:
            return session.get_one(Version, version_id)

    wait_for(lambda: found().state is not VersionState.PENDING, "the verdict")
    return found()


def play_against_careful(one: Machine, version_id: int) -> str:
    with one.store.write() as session:
        versions = [session.get_one(Version, version_id), version_labelled(session, "careful")]
        owner = user_named(session, "ana")
        tournament = create_tournament(
            session, owner, "german_whist", versions, options={"end": "hands:2"}
        )
    wait_for(one.finished, "the league")
    return tournament.id


def test_a_good_bot_is_admitted_and_plays_a_league(up: Machine) -> None:
    version = judged(up, submit(up, "low", GOOD, '["german_whist", "whiskey"]'))
    assert (version.state, version.reason) == (VersionState.ADMITTED, None)
    tournament = play_against_careful(up, version.id)
    with up.store.read() as session:
        query = select(DealSet).where(DealSet.tournament_id == tournament)
        (deal_set,) = session.scalars(query)
        assert (deal_set.state, deal_set.deals) == (SetState.DONE, 4)
        matches = session.scalars(select(Match).where(Match.set_id == deal_set.id)).all()
        assert all(match.forfeits is None for match in matches)
        for match in matches:
            logs = [messages_of(session, match.id, seat) for seat in range(2)]
            mine = deal_set.pairing.entrants.index(0)
            assert [log is not None for log in logs] == [p == mine for p in match.seating]
            said = [
                entry for log in logs if log for entry in log.messages if entry.said.actions.slots
            ]
            assert len(said) >= 2 * 26
    assert not up.processes("kibitz.bots")


def test_an_illegal_action_refuses_a_bot_and_says_where(up: Machine) -> None:
    version = judged(up, submit(up, "cheat", CHEAT))
    assert version.state is VersionState.REFUSED
    assert version.reason is not None
    assert version.reason.startswith(("ILLEGAL_ACTION", "CRASH"))
    assert "deal 0" in version.reason
    assert "QQ" in (version.log or "")


def test_a_bot_that_raises_what_cannot_be_stored_is_refused_like_others(up: Machine) -> None:
    version = judged(up, submit(up, "hostile", HOSTILE))
    assert version.state is VersionState.REFUSED
    assert (version.reason or "").startswith("CRASH: deal 0")
    assert "\0" not in f"{version.reason}{version.log}"
    assert "\\ud800" in (version.log or "")


def test_a_bot_that_does_not_start_shows_its_author_what_it_wrote(up: Machine) -> None:
    version = judged(up, submit(up, "broken", BROKEN))
    assert version.state is VersionState.REFUSED
    assert "german_whist" in (version.reason or "")
    assert "no model file here" in (version.log or "")


def test_a_bot_that_cannot_be_imported_is_refused_with_the_cause(up: Machine) -> None:
    for name, code, reason in (
        (
            "absent",
            "import nowhere_at_all\n" + GOOD,
            "BAD_IMPORT: No module named 'nowhere_at_all'",
        ),
        ("unread", GOOD + "def f(:\n", "SYNTAX_ERROR: invalid syntax (bot.py, line "),
    ):
        version = judged(up, submit(up, name, code))
        assert version.state is VersionState.REFUSED
        assert (version.reason or "").startswith(reason)


def test_files_that_were_changed_on_disk_are_not_run(up: Machine) -> None:
    version_id = submit(up, "changed", GOOD.replace("Low", "Low  # changed\n".strip()))
    with up.store.read() as session:
        path = session.get_one(Version, version_id).path
    assert path is not None
    version = judged(up, version_id)
    bot = Path(path) / "bot.py"
    bot.chmod(0o644)
    bot.write_text(CHEAT)
    with up.store.write() as session:
        kept = session.get_one(Version, version.id)
        kept.state = VersionState.ADMITTED
        versions = [kept, version_labelled(session, "careful")]
        owner = user_named(session, "ana")
        tournament = create_tournament(
            session, owner, "german_whist", versions, options={"end": "hands:2"}
        )
    wait_for(up.finished, "the league to end void")
    with up.store.read() as session:
        (deal_set,) = session.scalars(select(DealSet).where(DealSet.tournament_id == tournament.id))
        assert deal_set.state is SetState.VOID
        assert "VERSION_DAMAGED" in (deal_set.reason or "")


def test_a_self_hosted_bot_is_entered_when_it_connects_and_plays(up: Machine) -> None:
    environment = {
        **os.environ,
        "KIBITZ_ADDRESS": f"unix:{up.settings.bot_socket}",
        "KIBITZ_TOKEN": TOKEN,
    }
    command = [sys.executable, "-m", "kibitz.bots", "random"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as bot:
        try:
            wait_for(lambda: hosted(up), "the bot to be noticed")
            version = hosted(up)
            assert version is not None
            assert version.label == "ana/random/1"
            assert version.state is VersionState.ADMITTED
            play_against_careful(up, version.id)
        finally:
            bot.kill()


def hosted(one: Machine) -> Version | None:
    with one.store.read() as session:
        return session.scalar(select(Version).where(Version.token_id.is_not(None)))
