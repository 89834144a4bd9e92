"""What a tournament costs beside play: starting bots, scheduling, storing, asking."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from kibitz_worker.store import Store, open_store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.bots import add_house_bot
from kibitz_worker.store.models import Match
from kibitz_worker.store.tournaments import create_tournament
from sqlalchemy import func, select

from bench.tournament_play import Size, play
from bench.tournament_queries import pages, reports
from bench.tournament_store import fill

FULL = Size(bots=20, sets=50)
QUICK = Size(bots=4, sets=4)
STORED, STORED_QUICK = 1_000_000, 2_000
BOTS = 1_000
GAME = "whiskey"
"""A game of three seats, for the schedule of a thousand bots."""


def measure(*, quick: bool) -> dict[str, object]:
    """Return the figures; ``bench/README.md`` says what the keys mean."""
    repeats = 10 if quick else 60
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        data = Path(folder)
        schedule = schedule_s(100 if quick else BOTS)
        played = play(data, QUICK if quick else FULL)
        with open_store(data) as store:
            size = bytes_a_match(store)
            filled = fill(store, STORED_QUICK if quick else STORED)
            times = pages(data, store, filled, repeats)
            report = reports(store, filled, repeats)
    return {
        "deals_per_s": played.pop("deals_per_s"),
        "play_share": played.pop("play_share"),
        "overhead_ms_per_set": played.pop("overhead_ms_per_set"),
        "schedule_1000_s": round(schedule, 3),
        "query_p95_ms": round(max(times.values()), 1),
        "report_p95_ms": round(report, 2),
        "matches_stored": filled.matches,
        "bytes_per_match": round(size),
        "pages_p95_ms": {path: round(value, 1) for path, value in times.items()},
        **played,
    }


def schedule_s(bots: int) -> float:
    """Seconds to create a tournament of so many bots at tables of three, in a database."""
    with (
        tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder,
        open_store(folder) as store,
        store.write() as session,
    ):
        owner = create_user(session, "ana")
        versions = [
            add_house_bot(session, f"bot{number}", "careful", f"{number:064}", [GAME])
            for number in range(bots)
        ]
        began = time.perf_counter()
        create_tournament(session, owner, GAME, versions, sets_per_pairing=1)
        return time.perf_counter() - began


def bytes_a_match(store: Store) -> float:
    """Return the size of the row of a match with its decks and its record, as stored."""
    whole = func.length(Match.record) + func.length(Match.decks) + func.length(Match.ledger)
    with store.read() as session:
        return float(session.scalar(select(func.avg(whole))) or 0)
