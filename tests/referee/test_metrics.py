"""What the referee tells Prometheus, and where it does not."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.e2e.servers import free_port
from tests.figures import figures
from tests.referee.parties import Referee


def test_figures_of_a_referee(start: Callable[..., Referee]) -> None:
    port = free_port()
    referee = start("--metrics", f"127.0.0.1:{port}", "--drain", "0")
    referee.admit("one", "two")
    found = figures(port)
    assert (found["kibitz_referee_tables"], found["kibitz_referee_connections"]) == (0, 0)
    assert found["kibitz_referee_lag_seconds0.99"] >= found["kibitz_referee_lag_seconds0.5"] >= 0
    assert found["kibitz_referee_latency_seconds0.99"] == 0  # no bot has said anything yet
    assert found["kibitz_referee_cpu_seconds_total"] > 0
    referee.process.terminate()
    assert referee.process.wait(30) == 0


def test_an_address_that_cannot_be_had_is_said(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = subprocess.run(
            [
                *(sys.executable, "-m", "kibitz_referee", "--socket", str(folder / "b.sock")),
                *("--metrics", address),
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert "ADDRESS_IN_USE" in done.stderr
    assert "Traceback" not in done.stderr
