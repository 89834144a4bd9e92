"""Messages of seats are kept for a while, and never without end."""

from __future__ import annotations

from datetime import timedelta

from kibitz.v1 import log_pb2
from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, SeatMessages
from kibitz_worker.work.messages import messages_of, prune_messages, store_messages
from sqlalchemy import select

from tests.worker.leagues import league
from tests.worker.work.played import NOW, holder, lease_first

MEGABYTE = 1 << 20
DAY = timedelta(days=1)


def note(text: str) -> bytes:
    entry = log_pb2.LoggedMessage(note=text)
    return log_pb2.MessageLog(messages=[entry]).SerializeToString()


def stored(store: Store) -> list[str]:
    """Store logs of the two matches of a set, one a day; return the ids of the matches."""
    with store.write() as session:
        _, plan = lease_first(session, league(session, "german_whist"), holder())
        for age, match in enumerate(plan.matches):
            logs = {seat: note(f"{match.id} {seat}") for seat in (0, 1)}
            store_messages(session, NOW - age * DAY, match.id, logs, list(plan.players))
        assert session.get_one(DealSet, plan.id)
    return [match.id for match in plan.matches]


def test_a_log_comes_back_as_it_was(store: Store) -> None:
    first, second = stored(store)
    with store.read() as session:
        log = messages_of(session, second, 1)
        assert log is not None
        assert log.messages[0].note == f"{second} 1"
        assert messages_of(session, first, 2) is None


def test_old_ones_are_forgotten(store: Store) -> None:
    first, _ = stored(store)
    with store.write() as session:
        assert prune_messages(session, NOW, days=0.5, most_bytes=MEGABYTE) == 2
        assert set(session.scalars(select(SeatMessages.match_id))) == {first}
        assert prune_messages(session, NOW, days=0.5, most_bytes=MEGABYTE) == 0


def test_of_too_many_the_oldest_go(store: Store) -> None:
    first, second = stored(store)
    with store.write() as session:
        sizes = sum(session.scalars(select(SeatMessages.size)))
        assert prune_messages(session, NOW, days=9, most_bytes=sizes - 1) == 1
        left = list(session.scalars(select(SeatMessages.match_id)))
        assert sorted(left) == sorted([first, first, second])
        assert prune_messages(session, NOW, days=9, most_bytes=0) == 3
