"""The live stream over a real Valkey and a real server."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from kibitz_api.live.hub import WAITING_MAX, Hub, LiveEvent, Viewer
from kibitz_worker.live import Live
from kibitz_worker.relay import WATCHED
from kibitz_worker.settings import load_settings
from kibitz_worker.valkey import open_queue_server

from tests.api.live_server import Running, serving, show, wait_until

Message = tuple[str, str, dict[str, Any]]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path) as one:
        yield one


@contextmanager
def following(url: str, **headers: str) -> Iterator[Iterator[Message]]:
    """Open the stream and give its messages: (event, id, data)."""
    with (
        httpx.Client(timeout=10) as client,
        client.stream("GET", url, headers=headers) as answer,
    ):
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield messages(answer.iter_lines())


def messages(lines: Iterator[str]) -> Iterator[Message]:
    parts: dict[str, str] = {}
    for line in lines:
        if line:
            key, _, value = line.partition(":")
            parts[key] = value.strip()
        elif "data" in parts:
            yield parts.get("event", ""), parts.get("id", ""), json.loads(parts["data"])
            parts = {}


def test_what_workers_tell_reaches_every_viewer(running: Running) -> None:
    with following(running.url) as one, following(running.url) as other:
        assert next(one)[::2] == ("hello", {"live": True})
        assert next(other)[0] == "hello"
        wait_until(lambda: running.hub.viewers == 2)
        running.live().publish("set_finished", tournament="t1", set="t1-0-0", done=1)
        for viewer in (one, other):
            event, number, data = next(viewer)
            assert event == "progress"
            assert number
            told = {"kind": "set_finished", "tournament": "t1", "set": "t1-0-0", "done": "1"}
            assert data == told
    wait_until(lambda: running.hub.viewers == 0)


def test_a_viewer_that_comes_back_is_told_what_it_missed(running: Running) -> None:
    with following(running.url) as viewer:
        next(viewer)
        wait_until(lambda: running.hub.viewers == 1)
        running.live().publish("progress", tournament="t1", deals=1)
        last = next(viewer)[1]
    for deals in range(2, 6):
        running.live().publish("progress", tournament="t1", deals=deals)
    with following(running.url, **{"Last-Event-ID": last}) as viewer:
        assert next(viewer)[0] == "hello"
        assert [next(viewer)[2]["deals"] for _ in range(4)] == ["2", "3", "4", "5"]
        running.live().publish("progress", tournament="t1", deals=6)
        assert next(viewer)[2]["deals"] == "6"


def test_a_tournament_is_followed_alone(running: Running) -> None:
    with following(f"{running.url}?tournament=t2") as viewer:
        next(viewer)
        wait_until(lambda: running.hub.viewers == 1)
        running.live().publish("progress", tournament="t1", deals=1)
        running.live().publish("progress", tournament="t2", deals=2)
        assert next(viewer)[2] == {"kind": "progress", "tournament": "t2", "deals": "2"}


def test_the_stream_goes_on_when_the_queue_server_was_killed(running: Running) -> None:
    with following(running.url) as viewer:
        next(viewer)
        wait_until(lambda: running.hub.viewers == 1)
        process = running.queue.process
        assert process is not None
        process.kill()
        process.wait()
        wait_until(lambda: not running.hub.connected)
        assert httpx.get(running.url.replace("/api/v1/live", "/")).status_code == 200
        with open_queue_server(load_settings(data_dir=running.data)) as again:
            wait_until(lambda: running.hub.connected)
            Live(again.connect()).publish("progress", tournament="t1", deals=3)
            assert next(viewer)[2]["deals"] == "3"


def test_without_a_queue_server_the_stream_says_so(tmp_path: Path) -> None:
    async def first(hub: Hub) -> bool:
        hub.start()
        await asyncio.sleep(0.1)
        missed = await hub.missed("0-0")
        await hub.stop()
        assert missed == []
        return hub.connected

    assert asyncio.run(first(Hub(f"unix://{tmp_path}/none.sock"))) is False


def test_a_bad_id_to_resume_from_is_refused(running: Running) -> None:
    answer = httpx.get(running.url, headers={"Last-Event-ID": "yesterday"})
    assert answer.status_code == 422
    assert answer.json()["error"]["where"] == "header.last-event-id"


def test_a_viewer_that_does_not_keep_up_is_let_go() -> None:
    viewer = Viewer()
    event = LiveEvent("1-0", {})
    assert all(viewer.put(event) for _ in range(WAITING_MAX))
    assert viewer.put(event) is False
    viewer.end()
    told = [viewer.queue.get_nowait() for _ in range(viewer.queue.qsize())]
    assert told[-1] is None


def test_many_viewers_are_fed_by_one_reader(running: Running) -> None:
    count = 40

    async def follow(client: httpx.AsyncClient) -> list[str]:
        seen: list[str] = []
        async with client.stream("GET", running.url) as answer:
            async for line in answer.aiter_lines():
                if '"deals"' in line:
                    seen.append(json.loads(line.removeprefix("data:"))["deals"])
                if len(seen) == 10:
                    return seen
        return seen

    async def all_of_them() -> list[list[str]]:
        limits = httpx.Limits(max_connections=count)
        async with httpx.AsyncClient(limits=limits, timeout=20) as client:
            tasks = [asyncio.create_task(follow(client)) for _ in range(count)]
            while running.hub.viewers < count:
                await asyncio.sleep(0.01)
            for number in range(10):
                running.live().publish("progress", tournament="t1", deals=number)
            return list(await asyncio.gather(*tasks))

    clients = running.queue.connect().client_list
    before = len(clients())
    told = asyncio.run(all_of_them())
    assert told == [[str(number) for number in range(10)]] * count
    assert len(clients()) <= before + 12


def test_a_live_table_is_what_everybody_sees(running: Running) -> None:
    with following(f"{running.url}/tables") as viewer:
        assert next(viewer)[0] == "hello"
        wait_until(lambda: running.hub.viewers == 1)
        show(running)
        event, number, table = next(viewer)
    assert (event, bool(number)) == ("table", True)
    assert table["match"] == "t1-0-0-0"
    assert table["seats"] == [
        {"name": "careful/1", "bot": "careful"},
        {"name": "ana/heart/3", "bot": "ana/heart"},
    ]
    assert [len(trick["cards"]) for trick in table["tricks"]] == [2, 1]
    assert sum(table["taken"]) == 1
    assert table["held"] == [13, 12] or table["held"] == [12, 13]
    known = [card for cards in table["open"] for card in cards]
    assert len(known) == 1  # the winner drew the card that lay face up


def test_the_workers_hear_that_somebody_looks_at_tables(running: Running) -> None:
    redis = running.queue.connect()
    with following(running.url) as viewer:
        next(viewer)
        wait_until(lambda: running.hub.viewers == 1)
        assert not redis.exists(WATCHED)
        with following(f"{running.url}/tables") as other:
            next(other)
            wait_until(lambda: bool(redis.exists(WATCHED)))
            assert 0 < redis.ttl(WATCHED) <= 15


def test_who_comes_late_gets_the_tables_of_the_last_seconds(running: Running) -> None:
    show(running, match="early")
    show(running, match="other", tournament="t2")
    with following(f"{running.url}/tables?tournament=t1") as viewer:
        next(viewer)
        _, last, table = next(viewer)
        assert table["match"] == "early"
    show(running, match="later")
    with following(f"{running.url}/tables", **{"Last-Event-ID": last}) as viewer:
        next(viewer)
        assert [next(viewer)[2]["match"] for _ in range(2)] == ["other", "later"]


def test_who_comes_late_gets_the_newest_state_of_tables_that_are_played(running: Running) -> None:
    for deal in (1, 2):
        show(running, match="over", over=deal == 2)
        show(running, match="played", deal=deal)
    with following(f"{running.url}/tables") as viewer:
        next(viewer)
        wait_until(lambda: running.hub.viewers == 1)
        first = next(viewer)[2]
        show(running, match="next")
        assert (first["match"], first["deal"]) == ("played", 2)
        assert next(viewer)[2]["match"] == "next"


def test_tables_do_not_disturb_those_who_follow_progress(running: Running) -> None:
    with following(running.url) as viewer:
        next(viewer)
        wait_until(lambda: running.hub.viewers == 1)
        show(running)
        running.live().publish("progress", tournament="t1", deals=1)
        assert next(viewer)[0] == "progress"
