"""A crowd around one table: it is played as if nobody looked, and who is slow waits alone."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from kibitz_api.live.hub import WAITING_MAX

from tests.api.live_server import Running, serving, show
from tests.referee.parties import BotProcess, Played, Referee, set_of
from tests.worker.relaying import Relaying

CROWD = 200
STEP = 32
LAST = b'"match":"last"'
SLOW = """
import time
import kibitz

class Slow(kibitz.Bot):
    def play(self, view):
        time.sleep(0.01)
        return view.legal[0]

kibitz.run(Slow)
"""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path) as one:
        yield one


def asked(running: Running) -> bytes:
    """Return the request of a viewer of all tables."""
    address = urlsplit(running.url)
    return f"GET {address.path}/tables HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode()


@contextmanager
def stuck_viewer(running: Running) -> Iterator[None]:
    """Look at tables, but never read a word."""
    address = urlsplit(running.url)
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect((address.hostname, address.port))
        one.sendall(asked(running))
        yield


async def follow(running: Running, last: bytes) -> list[bytes]:
    """Return what a viewer is told of tables, up to one of which `last` can be said."""
    address = urlsplit(running.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port, limit=1 << 20)
    writer.write(asked(running))
    told = []
    async for line in reader:
        if b'"match"' in line:
            told.append(line.removeprefix(b"data:").strip())
            if last in line:
                break
    writer.close()
    return told


async def crowd(running: Running, play: Callable[[], Played]) -> tuple[Played, list[list[bytes]]]:
    """Have a match played before a crowd of which one is stuck."""
    viewers = [asyncio.create_task(follow(running, LAST)) for _ in range(CROWD - 1)]
    while running.hub.viewers < CROWD:
        await asyncio.sleep(0.01)
    played = await asyncio.to_thread(play)
    show(running, match="last")
    return played, await asyncio.wait_for(asyncio.gather(*viewers), 30)


@pytest.mark.campaign
def test_a_match_is_played_before_a_crowd_as_if_nobody_looked(
    running: Running, tmp_path: Path
) -> None:
    request = set_of("german_whist", ("slow", "first"), seed="crowd", end="hands:8")
    request.set_id = "abc-0-0"
    with ExitStack() as stack:
        referee = Referee(tmp_path)
        stack.callback(referee.stop)
        referee.admit("slow", "first")
        stack.enter_context(BotProcess(referee, "slow", SLOW))
        stack.enter_context(BotProcess(referee, "first"))
        alone = referee.run(request)
        stack.enter_context(stuck_viewer(running))
        stack.enter_context(Relaying(referee, running.queue.connect()))
        played, told = asyncio.run(crowd(running, lambda: referee.run(request)))
    assert played.finished
    assert not played.reasons("m0")
    assert played.matches["m0"].totals == alone.matches["m0"].totals
    assert len(told) == CROWD - 1
    assert {viewer[-1] for viewer in told} == {told[0][-1]}
    assert len(told[0]) > 2
    assert all(viewer == told[0] for viewer in told)


def test_a_viewer_who_reads_nothing_is_let_go_and_the_others_miss_nothing(
    running: Running,
) -> None:
    wide = ["x" * 32_000, "ana/heart/3"]

    async def read_on() -> int:
        viewer = asyncio.create_task(follow(running, LAST))
        while running.hub.viewers < 2:
            await asyncio.sleep(0.01)
        shown = 0
        while running.hub.viewers == 2:
            assert shown < 40 * STEP
            for number in range(shown, shown + STEP):
                show(running, match=f"m{number}", seats=wide)
            shown += STEP
            await asyncio.sleep(0.05)
        show(running, match="last")
        told = [json.loads(line)["match"] for line in await asyncio.wait_for(viewer, 30)]
        assert told == [*(f"m{number}" for number in range(shown)), "last"]
        return shown

    with stuck_viewer(running):
        assert asyncio.run(read_on()) >= WAITING_MAX
