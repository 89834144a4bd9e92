"""The referee as an operator sees it: how it starts and how it stops."""

from __future__ import annotations

import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.referee.parties import BotProcess, RawBot, Referee, set_of, until


def refuse_to_start(*options: str) -> str:
    """Start a referee that cannot start; return what it says."""
    command = [sys.executable, "-m", "kibitz_referee", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr


def test_one_line_says_where_it_serves(referee: Referee) -> None:
    assert referee.greeting.strip().endswith(f"serves bots at {referee.address}")


def test_only_the_owner_reaches_the_control_socket(referee: Referee) -> None:
    assert stat.S_IMODE(referee.control.stat().st_mode) == 0o600
    assert stat.S_IMODE(referee.socket.stat().st_mode) == 0o666


def test_a_second_referee_at_the_same_socket_is_refused(referee: Referee) -> None:
    said = refuse_to_start("--socket", str(referee.socket))
    assert "another referee listens" in said
    assert "SOCKET_IN_USE" in said
    assert referee.connected() == 0


def test_sockets_left_by_a_killed_referee_are_no_obstacle(start: Callable[..., Referee]) -> None:
    first = start()
    first.process.kill()
    first.process.wait()
    assert first.socket.exists()
    assert start().connected() == 0


def test_a_path_too_long_is_explained(folder: Path) -> None:
    said = refuse_to_start("--socket", str(folder / ("x" * 120)))
    assert "at most 107 bytes" in said


def test_a_file_in_the_way_is_not_removed(folder: Path) -> None:
    precious = folder / "bots.sock"
    precious.write_text("precious")
    assert "is no socket" in refuse_to_start("--socket", str(precious))
    assert precious.read_text() == "precious"


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:", "127.0.0.1:99999"])
def test_a_bad_address_is_explained(folder: Path, address: str) -> None:
    said = refuse_to_start("--socket", str(folder / "b.sock"), "--listen", address)
    assert "HOST:PORT" in said


def test_a_port_in_use_is_explained(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        said = refuse_to_start("--socket", str(folder / "b.sock"), "--listen", address)
    assert address in said
    assert "ADDRESS_IN_USE" in said


def test_bots_may_come_by_tcp(start: Callable[..., Referee]) -> None:
    referee = start("--listen", "127.0.0.1:0")
    port = int(referee.greeting.split()[-1])
    referee.admit("a")
    with RawBot(f"127.0.0.1:{port}", "a") as bot:
        assert bot.welcome().protocol == 1


def test_sigterm_lets_sets_end_then_says_goodbye(start: Callable[..., Referee]) -> None:
    referee = start("--drain", "60")
    referee.admit("a", "b")
    with BotProcess(referee, "a"), BotProcess(referee, "b"), ThreadPoolExecutor(1) as pool:
        played = pool.submit(referee.run, set_of("german_whist", ("a", "b"), end="hands:40"))
        until(lambda: referee.presence().load.deals > 0)
        referee.process.send_signal(signal.SIGTERM)
        assert played.result(60).finished
        assert referee.process.wait(30) == 0
    assert not referee.socket.exists()
    assert not referee.control.exists()


def test_what_does_not_end_in_time_is_broken_off_with_a_reason(
    start: Callable[..., Referee],
) -> None:
    referee = start("--drain", "0.5")
    referee.admit("a", "b")
    with RawBot(referee.address, "a") as a, RawBot(referee.address, "b") as b:
        a.welcome()
        b.welcome()
        with ThreadPoolExecutor(1) as pool:
            request = set_of("german_whist", ("a", "b"), end="hands:2")
            played = pool.submit(referee.run, request)
            a.hear()
            b.turns()
            referee.process.send_signal(signal.SIGTERM)
            failed = played.result(60).failed
        assert failed is not None
        assert failed.reason == "DRAINING"
        assert b.hear().turns.news[-1].table_end.reason == "DRAINING"
        assert b.hear().goodbye.reason == "DRAINING"
        assert referee.process.wait(30) == 0


def test_help_names_every_option() -> None:
    command = [sys.executable, "-m", "kibitz_referee", "--help"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    for option in ("--socket", "--control", "--listen", "--grace", "--drain", "--max-tables"):
        assert option in said


def test_no_code_of_bots_is_run_or_can_be_loaded_in_the_process(referee: Referee) -> None:
    told = "import sys, kibitz_referee.main; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    loaded = {*done.stdout.split()}
    assert "kibitz_referee.hall" in loaded
    assert not loaded & {"kibitz.loading", "kibitz.bots", "kibitz.local", "runpy", "kibitz_worker"}
    referee.admit("a", "b")
    process = referee.process.pid
    children = Path(f"/proc/{process}/task/{process}/children")
    with BotProcess(referee, "a"), BotProcess(referee, "b"):
        assert referee.run(set_of("german_whist", ("a", "b"), end="hands:2")).finished
        assert children.read_text() == ""
