"""Users, tokens, bots and versions."""

from __future__ import annotations

import pytest
from kibitz_worker.errors import ConflictError, InvalidError, NotFoundError, StoreError
from kibitz_worker.store import Store
from kibitz_worker.store.accounts import (
    create_token,
    create_user,
    revoke_token,
    user_of_token,
)
from kibitz_worker.store.bots import (
    add_house_bot,
    host_version,
    submit_version,
    version_labelled,
)
from kibitz_worker.store.models import Admission, Token, User, VersionState
from sqlalchemy import select


def test_only_the_hash_of_a_token_is_kept(store: Store) -> None:
    with store.write() as session:
        user = create_user(session, "ana")
        row, text = create_token(session, user, "laptop")
        assert text.startswith("kbz_")
        assert len(text) > 40
    with store.read() as session:
        kept = session.get_one(Token, row.id)
        assert text not in repr(vars(kept))
        found = user_of_token(session, text)
        assert found is not None
        assert found.name == "ana"
        assert user_of_token(session, text + "x") is None


def test_a_revoked_token_is_worthless(store: Store) -> None:
    with store.write() as session:
        row, text = create_token(session, create_user(session, "ana"), "laptop")
        revoke_token(session, row.id)
        assert user_of_token(session, text) is None
        revoke_token(session, row.id)


@pytest.mark.parametrize("name", ["", "Ana", "-a", "a-", "a b", "a/b", "ä", "x" * 41, "a\n"])
def test_names_that_would_break_addresses_are_refused(store: Store, name: str) -> None:
    with pytest.raises(InvalidError) as caught, store.write() as session:
        create_user(session, name)
    assert caught.value.reason == "NAME_INVALID"


def test_a_name_is_given_once_and_the_house_keeps_its_own(store: Store) -> None:
    with store.write() as session:
        create_user(session, "ana")
        with pytest.raises(ConflictError) as caught:
            create_user(session, "ana")
        assert caught.value.reason == "NAME_TAKEN"
        with pytest.raises(ConflictError) as caught:
            create_user(session, "house")
        assert caught.value.reason == "NAME_RESERVED"
    with store.read() as session:
        assert session.scalars(select(User.name)).all() == ["ana"]


def test_a_changed_house_bot_is_a_new_version(store: Store) -> None:
    with store.write() as session:
        one = add_house_bot(session, "careful", "careful", "1", ["whist"])
        same = add_house_bot(session, "careful", "careful", "1", ["whist"])
        two = add_house_bot(session, "careful", "careful", "2", ["whist"])
        assert one.id == same.id
        assert (one.label, two.label) == ("careful/1", "careful/2")
        assert version_labelled(session, "careful").label == "careful/2"
        assert version_labelled(session, "careful/1").label == "careful/1"


def submit(store: Store, content: str, name: str = "heart") -> tuple[int, bool]:
    with store.write() as session:
        user = session.scalar(select(User)) or create_user(session, "ana")
        version, new = submit_version(
            session, user, name, content_hash=content, path=f"versions/{content}", games=["whist"]
        )
        return version.number, new


def test_the_same_upload_again_is_the_same_version(store: Store) -> None:
    assert submit(store, "a") == (1, True)
    assert submit(store, "b") == (2, True)
    assert submit(store, "a") == (1, False)
    with store.read() as session:
        assert len(session.scalars(select(Admission)).all()) == 2
        version = version_labelled(session, "ana/heart/2")
        assert version.state is VersionState.PENDING
        assert version.label == "ana/heart/2"


def test_a_hosted_bot_cannot_take_the_name_of_a_submitted_one(store: Store) -> None:
    submit(store, "a")
    with store.read() as session:
        user = session.scalars(select(User)).one()
    with pytest.raises(ConflictError) as caught, store.write() as session:
        host_version(session, user, "heart", ["whist"])
    assert caught.value.reason == "BOT_KIND_DIFFERS"


@pytest.mark.parametrize(
    "label", ["nobody", "ana/none", "ana/heart/9", "a/b/c/1", "", "careful/x/", "/", "1/1/1/1"]
)
def test_unknown_labels_are_not_found(store: Store, label: str) -> None:
    submit(store, "a")
    with pytest.raises(NotFoundError) as caught, store.read() as session:
        version_labelled(session, label)
    assert caught.value.reason in {"BOT_UNKNOWN", "VERSION_UNKNOWN"}


def test_a_version_needs_a_game(store: Store) -> None:
    with pytest.raises(StoreError) as caught, store.write() as session:
        add_house_bot(session, "careful", "careful", "1", [])
    assert caught.value.reason == "GAMES_MISSING"
