"""Who is connected where, noted in a real Valkey: it lapses, it is taken away, it comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import redis
from kibitz_worker.errors import QueueServerError
from kibitz_worker.halls import NOTED_SECONDS, HallNote, Halls, open_halls
from kibitz_worker.relay import MOST_TABLES, RELAYS, share
from kibitz_worker.settings import HALL_NAME_LIMIT, load_settings
from kibitz_worker.valkey import open_queue_server


@pytest.fixture(scope="module")
def running() -> Iterator[redis.Redis]:
    with TemporaryDirectory(prefix="kibitz-") as name:
        settings = load_settings(data_dir=Path(name), redis_url=None)
        with open_queue_server(settings) as queue, queue.connect() as made:
            yield made


@pytest.fixture
def connection(running: redis.Redis) -> redis.Redis:
    running.flushall()
    return running


def test_each_machine_tells_who_is_at_its_referee(connection: redis.Redis) -> None:
    assert open_halls(connection) == Halls()
    assert HallNote(connection, "h1").write([7, 3])
    assert HallNote(connection, "h2").write([])
    halls = open_halls(connection)
    assert halls == Halls({"h1": frozenset({3, 7}), "h2": frozenset()})
    assert halls.of(7) == ["h1"]
    assert "h2" in halls
    assert "h3" not in halls


def test_a_machine_that_dies_is_gone_when_its_note_lapses(connection: redis.Redis) -> None:
    HallNote(connection, "h1").write([7])
    HallNote(connection, "h2").write([8])
    assert 0 < connection.pttl("kibitz:hall:h1") <= NOTED_SECONDS * 1000
    connection.pexpireat("kibitz:hall:h1", 1)  # as if the time were up
    assert open_halls(connection) == Halls({"h2": frozenset({8})})
    assert connection.smembers("kibitz:halls") == {b"h2"}


def test_a_machine_that_stops_takes_its_own_note_away_and_no_other(connection: redis.Redis) -> None:
    first, second = HallNote(connection, "h1"), HallNote(connection, "h1")
    assert first.write([7])
    assert not second.write([8])  # two machines of one name
    second.take_away()
    assert open_halls(connection).of(7) == ["h1"]
    first.take_away()
    assert open_halls(connection) == Halls()
    assert second.write([8])


def test_a_redis_that_lost_its_data_knows_all_again_after_the_next_notes(
    connection: redis.Redis,
) -> None:
    notes = {version: HallNote(connection, f"h{version}") for version in range(5)}
    for version, note in notes.items():
        note.write([version])
    before = open_halls(connection)
    connection.flushall()
    assert open_halls(connection) == Halls()
    for version, note in notes.items():
        assert note.write([version])
    assert open_halls(connection) == before


def test_a_redis_that_does_not_answer_is_said_so() -> None:
    away = redis.Redis.from_url("unix:///nonexistent/redis.sock")
    for use in (
        lambda: HallNote(away, "h1").write([]),
        lambda: HallNote(away, "h1").take_away(),
        lambda: open_halls(away),
    ):
        with pytest.raises(QueueServerError) as caught:
            use()
        assert caught.value.reason == "REDIS_UNREACHABLE"


def test_bots_meet_where_all_of_them_are_and_stay_there() -> None:
    everywhere = {f"h{number}": frozenset({1, 2}) for number in range(8)}
    halls = Halls({**everywhere, "h8": frozenset({1}), "h9": frozenset({2, 3})})
    assert halls.meeting([2, 3], "a") == "h9"
    assert halls.meeting([1, 3], "a") is None
    chosen = {key: halls.meeting([1, 2], key) for key in map(str, range(400))}
    spread = Counter(chosen.values())
    assert set(spread) == set(everywhere)
    assert min(spread.values()) > 20
    gone = Halls({name: here for name, here in everywhere.items() if name != "h3"})
    moved = {key for key, hall in chosen.items() if gone.meeting([1, 2], key) != hall}
    assert moved == {key for key, hall in chosen.items() if hall == "h3"}


def test_long_names_of_machines_stay_apart() -> None:
    names = [f"worker-of-the-northern-league-{number}.example" for number in range(3)]
    halls = {load_settings(host_name=name).hall for name in names}
    assert len(halls) == 3
    assert all(len(hall) <= HALL_NAME_LIMIT for hall in halls)
    assert load_settings(host_name="h1").hall == "h1"


def test_machines_share_the_tables_that_are_shown(connection: redis.Redis) -> None:
    assert share(connection, "h0") == MOST_TABLES
    for number in range(3):
        share(connection, f"h{number}")
    assert [share(connection, f"h{number}") for number in range(3)] == [3, 3, 2]
    connection.zadd(RELAYS, {"h1": 1.0})  # it has shown none for long
    assert share(connection, "h0") == share(connection, "h2") == MOST_TABLES // 2
    names = ["h0", "h2", *(f"h{number}" for number in range(10, 20))]
    for name in names:
        share(connection, name)
    assert sum(share(connection, name) for name in names) == MOST_TABLES
