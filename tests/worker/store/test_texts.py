"""Texts that hold what databases cannot, and values that are too large, on both kinds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from kibitz_worker.errors import ConflictError, InvalidError
from kibitz_worker.store import Store
from kibitz_worker.store.accounts import create_user, user_of_token
from kibitz_worker.store.models import Meta, Outbox, Token, User
from kibitz_worker.store.texts import storable
from sqlalchemy import select


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("plain", "plain"),
        ("a\0b", "a\ufffdb"),
        ("half \ud800 of a pair", "half \ufffd of a pair"),
        ("\ude00", "\ufffd"),
        ("\U0001f0a1 \u00e9 \0", "\U0001f0a1 \u00e9 \ufffd"),
        ("\ufeffmark", "\ufeffmark"),
    ],
)
def test_what_no_database_holds_is_marked_and_the_rest_stays(
    store: Store, given: str, kept: str
) -> None:
    assert storable(given) == kept
    with store.write() as session:
        session.add(Meta(key="text", value=given))
    with store.read() as session:
        assert session.scalar(select(Meta.value)) == kept


def test_nobody_has_a_name_or_token_with_such_signs(store: Store) -> None:
    with store.read() as session:
        assert user_of_token(session, "kbz_\0") is None
        assert session.scalar(select(User).where(User.name == "\ud800")) is None


def test_times_are_the_same_moment_whatever_zone_they_were_given_in(store: Store) -> None:
    moment = datetime(2026, 3, 29, 3, 30, 0, 123456, tzinfo=timezone(timedelta(hours=5.75)))
    with store.write() as session:
        row = {"queue": "sets", "payload": {"text": "\0\u00e9"}}
        session.add(Outbox(job="a", created=moment, **row))
        session.add(Outbox(job="b", created=moment + timedelta(microseconds=1), **row))
    with store.read() as session:
        kept = session.scalars(select(Outbox).order_by(Outbox.created.desc())).all()
        assert [one.job for one in kept] == ["b", "a"]
        assert kept[1].created == moment
        assert kept[1].created.tzinfo is UTC
        assert kept[1].payload == row["payload"]
        assert session.scalars(select(Outbox.job).where(Outbox.created <= moment)).all() == ["a"]


def add_twice(store: Store) -> None:
    with store.write() as session:
        create_user(session, "ana")
    with store.write() as session:
        session.add(User(name="ana", created=datetime.now(UTC)))


def test_what_somebody_else_has_just_stored_is_a_conflict_with_a_reason(store: Store) -> None:
    with pytest.raises(ConflictError) as caught:
        add_twice(store)
    assert caught.value.reason == "CHANGED_MEANWHILE"


def test_numbers_that_fit_no_column_find_nothing_or_are_refused(store: Store) -> None:
    with store.read() as session:
        assert session.get(Token, 2**63 - 1) is None
    with pytest.raises((InvalidError, OverflowError)), store.read() as session:
        session.get(Token, 2**63)
