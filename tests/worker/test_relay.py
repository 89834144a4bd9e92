"""Tables go from a real referee into a real Valkey while somebody looks, and only then."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import kibitz
import pytest
import redis
from kibitz.events import EVENTS
from kibitz_worker.relay import TABLES, WATCHED
from kibitz_worker.settings import load_settings
from kibitz_worker.valkey import open_queue_server

from tests.referee.parties import BotProcess, Played, RawBot, Referee, set_of, until
from tests.worker.relaying import Relaying


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(prefix="kibitz-") as name:
        yield Path(name)


@pytest.fixture
def connection(folder: Path) -> Iterator[redis.Redis]:
    with open_queue_server(load_settings(data_dir=folder)) as queue, queue.connect() as made:
        yield made


@pytest.fixture
def referee(folder: Path) -> Iterator[Referee]:
    made = Referee(folder)
    yield made
    made.stop()


def states(connection: redis.Redis) -> list[dict[str, Any]]:
    entries: Any = connection.xrange(TABLES)
    return [json.loads(fields[b"state"]) for _, fields in entries]


def named(set_id: str) -> Callable[..., Any]:
    def make(*seating: str) -> Any:
        request = set_of("german_whist", seating, seed=set_id, end="hands:2")
        request.set_id = set_id
        return request

    return make


def test_the_whole_deal_so_far_is_in_every_message(
    referee: Referee, connection: redis.Redis
) -> None:
    referee.admit("slow", "first")
    connection.set(WATCHED, 1, ex=60)
    with RawBot(referee.address, "slow") as bot, BotProcess(referee, "first"):
        call = referee.stub.RunSet(named("abc-0-7")("slow", "first"), timeout=60)
        bot.welcome()
        bot.answer(bot.turns())
        decision = bot.turns()
        with Relaying(referee, connection):
            until(lambda: bool(states(connection)))
            bot.answer(decision)
            bot.play_on()
            until(lambda: states(connection)[-1]["over"])
        list(call)
    told = states(connection)
    assert {(one["tournament"], one["set"], one["match"]) for one in told} == {
        ("abc", "abc-0-7", "m0")
    }
    for one in told:
        game = kibitz.game(one["game"], **one["options"])
        first = [EVENTS[code] for code in one["events"][: len(game.deck)]]
        assert sum(event.what is kibitz.What.DEALT for event in first) >= 26  # from the start
        assert all(event.to is None for event in first)


def test_nothing_is_asked_or_written_while_nobody_looks(
    referee: Referee, connection: redis.Redis
) -> None:
    referee.admit("one", "two")
    with BotProcess(referee, "one"), BotProcess(referee, "two"):
        with Relaying(referee, connection) as relaying:
            referee.run(named("abc-0-0")("one", "two"))
            until(lambda: relaying.looks > 2)
        assert not connection.exists(TABLES)


def test_trials_of_submitted_bots_are_not_shown(referee: Referee, connection: redis.Redis) -> None:
    referee.admit("slow", "first")
    connection.set(WATCHED, 1, ex=60)
    with RawBot(referee.address, "slow") as bot, BotProcess(referee, "first"):
        trial = referee.stub.RunSet(named("trial")("slow", "first"), timeout=60)
        shown = referee.stub.RunSet(named("abc-0-0")("slow", "first"), timeout=60)
        bot.welcome()
        while len(bot.seats) < 2:
            bot.hear()
        with Relaying(referee, connection):
            until(lambda: bool(states(connection)))
            bot.play_on()
            until(lambda: bool(states(connection)[-1]["over"]))
        assert Played(trial).finished
        assert Played(shown).finished
    assert {one["set"] for one in states(connection)} == {"abc-0-0"}


def test_it_ends_when_the_last_viewer_has_gone(referee: Referee, connection: redis.Redis) -> None:
    connection.set(WATCHED, 1, ex=60)
    with Relaying(referee, connection) as relaying:
        connection.delete(WATCHED)
        until(lambda: relaying.looks > 1)
        assert not connection.exists(WATCHED, TABLES)
