"""What to set beside the referee: chess engines over pipes, and a figure for the machine itself."""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from bench.rules_peers import installed, openspiel_bridge

PLIES = 80
"""Moves of a game of usual length; each command to an engine repeats those before."""


def peers(*, quick: bool) -> dict[str, object]:
    """Return the figures; ``bench/README.md`` says what the keys mean."""
    engines = installed("chess.engine", "python-chess")
    bridge = openspiel_bridge(30 if quick else 200)
    speeds = [bridge() for _ in range(3)] if bridge else []
    return {
        "uci_cpu_us": None if engines is None else _uci(engines, 400 if quick else 4_000),
        "openspiel_bridge_decisions_per_cpu_s": round(statistics.median(speeds))
        if speeds
        else None,
    }


def _uci(engines: Any, decisions: int) -> dict[str, float]:
    """Return CPU microseconds a decision, of the process that asks and of the engine."""
    chess = sys.modules["chess"]
    with engines.SimpleEngine.popen_uci([sys.executable, "-m", "bench.referee_uci"]) as engine:
        pid = engine.transport.get_pid()
        limit, board = engines.Limit(time=1.0), chess.Board()
        engine.play(board, limit)
        before = time.process_time(), _cpu(pid)
        for _ in range(decisions):
            if board.is_game_over() or board.ply() >= PLIES:
                board = chess.Board()
            board.push(engine.play(board, limit).move)
        after = time.process_time(), _cpu(pid)
    host, its = ((late - soon) * 1e6 / decisions for soon, late in zip(before, after, strict=True))
    return {"host": round(host, 1), "engine": round(its, 1)}


def _cpu(pid: int) -> float:
    # utime and stime, behind the name in parentheses
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
