"""The SDK's side: how a bot is served, and what its author is told."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kibitz
import pytest
from kibitz import client
from kibitz.v1 import table_pb2

from tests.referee.parties import BotProcess, Referee, set_of


class First(kibitz.Bot):
    def play(self, view: kibitz.View) -> kibitz.Action:
        return view.legal[0]


def test_importing_kibitz_does_not_import_grpc() -> None:
    code = "import sys, kibitz; sys.exit('grpc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0


def test_a_refused_bot_raises_the_reason(referee: Referee) -> None:
    with pytest.raises(client.RefusedError) as caught:
        client.serve(First, referee.address, "wrong")
    assert caught.value.reason == "UNKNOWN_TOKEN"
    assert "token" in str(caught.value)


def test_a_claim_of_an_unknown_game_is_refused(referee: Referee) -> None:
    referee.admit("a")
    with pytest.raises(client.RefusedError) as caught:
        client.serve(First, referee.address, "a", games=["bridge"])
    assert caught.value.reason == "UNKNOWN_GAME"


@pytest.mark.parametrize(
    ("address", "token", "expected"),
    [("nowhere", "a", "BAD_ADDRESS"), ("127.0.0.1:1", "", "NO_TOKEN")],
)
def test_nonsense_is_refused_before_anything_is_tried(
    address: str, token: str, expected: str
) -> None:
    with pytest.raises(client.ClientError) as caught:
        client.serve(First, address, token)
    assert caught.value.reason == expected


def test_an_unreachable_referee_is_given_up_after_the_patience() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    begun = time.monotonic()
    with pytest.raises(client.UnreachableError) as caught:
        client.serve(First, address, "a", patience=1.0)
    assert 0.9 < time.monotonic() - begun < 10
    assert address in str(caught.value)


def test_a_bot_may_be_started_before_its_referee(
    folder: Path, start: Callable[..., Referee]
) -> None:
    with BotProcess(f"unix:{folder / 'bots.sock'}", "a") as early:
        time.sleep(2.0)
        assert early.process.poll() is None
        referee = start()
        referee.admit("a", "b")
        with BotProcess(referee, "b"):
            assert referee.run(set_of("german_whist", ("a", "b"), end="hands:2")).finished


def test_heartbeats_go_on_while_a_bot_thinks(start: Callable[..., Referee]) -> None:
    thinker = """
import time, kibitz

class Thinker(kibitz.Bot):
    thought = False
    def play(self, view):
        if not Thinker.thought:
            Thinker.thought = True
            time.sleep(24)  # longer than the referee waits for a silent bot
        return view.legal[0]

kibitz.run(Thinker)
"""
    referee = start("--grace", "1")
    referee.admit("a", "b")
    clock = table_pb2.Clock(bank_ms=300_000, cap_ms=60_000, ready_ms=20_000)
    with BotProcess(referee, "a", thinker), BotProcess(referee, "b"):
        request = set_of("german_whist", ("a", "b"), end="hands:2", clock=clock)
        played = referee.run(request)
    assert played.finished
    assert not played.reasons("m0")


def test_start_play_and_end_belong_to_one_deal_and_one_table(referee: Referee) -> None:
    told = """
import sys, kibitz

class Told(kibitz.Bot):
    def start(self, view):
        self.table, self.deal, self.plays = view.table, view.number, 0
    def play(self, view):
        assert (self.table, self.deal) == (view.table, view.number)
        self.plays += 1
        assert len(view.hand) == 13 - max(0, self.plays - 14)
        return view.legal[-1]
    def end(self, view):
        assert self.plays == 26 and view.number == self.deal
        print("end", view.table, view.number, *view.scores, file=sys.stderr, flush=True)

kibitz.run(Told)
"""
    referee.admit("a", "b")
    with BotProcess(referee, "a", told) as a, BotProcess(referee, "b"):
        played = referee.run(set_of("german_whist", *[("a", "b")] * 3, end="hands:2"))
        assert not any(played.reasons(match_id) for match_id in played.matches)
        time.sleep(0.5)
        said = a.said()
    ends = sorted(line.split() for line in said.splitlines() if line.startswith("end "))
    assert len(ends) == 6, said
    expected = sorted(
        [str(record.data["table"]), str(deal["number"]), *map(str, deal["scores"])]
        for record in map(played.record, played.matches)
        for deal in record.deals
    )
    assert [line[1:] for line in ends] == expected


def test_bots_that_decide_in_batches_get_batches(referee: Referee) -> None:
    batches = """
import sys, kibitz

class Batches(kibitz.Bot):
    largest = 0
    def play_many(self, views):
        if len(views) > self.largest:
            self.largest = len(views)
            print("batch", self.largest, file=sys.stderr, flush=True)
        return [view.legal[0] for view in views]

kibitz.run(Batches)
"""
    referee.admit("a", "b")
    with BotProcess(referee, "a", batches) as a, BotProcess(referee, "b"):
        played = referee.run(set_of("german_whist", *[("a", "b")] * 40, end="hands:2"))
        assert len(played.matches) == 40
        said = a.said()
    sizes = [int(line.split()[1]) for line in said.splitlines() if line.startswith("batch ")]
    assert max(sizes) > 10


def test_a_fault_in_a_batch_costs_only_the_table_it_is_of(referee: Referee) -> None:
    faulty = """
import kibitz

class Faulty(kibitz.Bot):
    def play_many(self, views):
        for view in views:
            if view.number == 0 and view.fold.count > 60 and hash(view.table) % 4 == 0:
                raise RuntimeError("cannot " + view.table)
        return [view.legal[0] for view in views]

kibitz.run(Faulty)
"""
    referee.admit("a", "b")
    with BotProcess(referee, "a", faulty), BotProcess(referee, "b"), ThreadPoolExecutor(1):
        played = referee.run(set_of("german_whist", *[("a", "b")] * 12, end="hands:2"))
    assert len(played.matches) == 12
    for match_id in played.matches:
        table = played.record(match_id).data["table"]
        for forfeit in played.matches[match_id].forfeits:
            assert (forfeit.deal, forfeit.seat, forfeit.reason) == (0, 0, "CRASH")
            assert f"cannot {table}" in forfeit.detail
