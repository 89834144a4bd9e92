"""A round robin of trivial submitted bots on a whole server: what is not play, and how much."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from kibitz.cli.console import progress
from kibitz.cli.server import Server

from bench.tournament_server import WholeServer, submit_bots

JOBS = 2
DEALS = 10
LOOK_S = 1.0


@dataclass(frozen=True)
class Size:
    """How large the round robin is."""

    bots: int
    sets: int


def play(data: Path, size: Size) -> dict[str, float]:
    """Play it in a data folder and return its figures; the folder is left for more."""
    with (
        WholeServer(data, "up", "--listen", "", "--workers", str(JOBS)) as server,
        server.api() as api,
    ):
        labels = submit_bots(api, size.bots)
        before = server.counters()
        wanted = {
            "game": "german_whist",
            "options": {"end": f"hands:{DEALS}"},
            "entrants": labels,
            "sets": size.sets,
            "name": "Round robin of trivial bots",
        }
        told = follow(api, str(api.post("tournaments", wanted)["id"]))
        after = server.counters()
    count = {name: after[name] - before.get(name, 0.0) for name in after}
    return figures(count, _seconds(told))


def follow(api: Server, tournament: str) -> dict[str, Any]:
    """Wait for the end of a tournament, with a bar; return what the server tells of it."""
    with progress("{task.completed:.0f} of {task.total:.0f} sets") as bar:
        task = bar.add_task("playing", total=None)
        while True:
            told: dict[str, Any] = api.get(f"tournaments/{tournament}")
            done = told["progress"]
            bar.update(task, completed=done["done"], total=done["total"])
            if told["state"] not in {"created", "running"}:
                break
            time.sleep(LOOK_S)
    if done["done"] < done["total"]:
        raise RuntimeError(f"not all sets were played: {done}, {told['reason']}")
    return told


def figures(count: dict[str, float], wall: float) -> dict[str, float]:
    """Return the figures of so many counted things in so many seconds.

    All time of all job processes counts that no match of theirs was under way in: the start of
    jobs and bots, what is read and written, and waiting for the next job.
    """
    beside = JOBS * wall - count["play_seconds"]
    return {
        "deals_per_s": round(count["deals"] / wall, 1),
        "play_share": round(count["play_seconds"] / (JOBS * wall), 3),
        "overhead_ms_per_set": round(1000 * beside / count["sets"], 1),
        "sets_per_s": round(count["sets"] / wall, 2),
        "sets_per_job": round(count["sets"] / count["jobs"], 1),
        "job_overhead_ms": round(
            1000 * (count["job_seconds"] - count["play_seconds"]) / count["jobs"]
        ),
    }


def _seconds(told: dict[str, Any]) -> float:
    began, ended = (datetime.fromisoformat(told[key]) for key in ("started", "finished"))
    return (ended - began).total_seconds()
