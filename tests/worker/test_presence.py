"""What a stranger's bot calls itself becomes a name that the store takes."""

from __future__ import annotations

import kibitz
import pytest
from kibitz_worker.presence import Guest, bot_name, note_guest, played
from kibitz_worker.store import Store
from kibitz_worker.store.accounts import create_token, create_user, revoke_token
from kibitz_worker.store.models import Version
from kibitz_worker.store.names import check_name
from sqlalchemy import select


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Heart", "heart"),
        ("My Böt <b>!", "my-bot-b"),
        ("../../etc/passwd", "etc-passwd"),
        ("", "bot"),
        ("\u4e2d\u6587", "bot"),
        ("a" * 39 + "--b", "a" * 39),
    ],
)
def test_names_are_made_harmless(said: str, name: str) -> None:
    assert bot_name(said) == name
    assert check_name(name, "bot") == name


def test_a_bot_that_names_no_games_plays_all_and_unknown_ones_are_left_out() -> None:
    assert played(()) == list(kibitz.games())
    assert played(("whist", "poker")) == ["whist"]


def test_a_guest_gets_one_version_and_a_new_one_when_its_games_change(store: Store) -> None:
    with store.write() as session:
        token, _ = create_token(session, create_user(session, "ana"), "laptop")
        for games in (("whist",), ("whist",), ("whiskey", "whist")):
            made = note_guest(session, store.now(session), Guest(token.sha256, "Heart", games))
        assert made == session.scalars(select(Version.id)).all()[-1]
        labels = [version.label for version in session.scalars(select(Version))]
        assert labels == ["ana/heart/1", "ana/heart/2"]


def test_a_revoked_token_enters_nobody(store: Store) -> None:
    with store.write() as session:
        token, _ = create_token(session, create_user(session, "ana"), "laptop")
        revoke_token(session, token.id)
        guest = Guest(token.sha256, "Heart", ())
        assert note_guest(session, store.now(session), guest) is None
        assert session.scalars(select(Version)).all() == []
