"""How long pages, lists and the report of a worker take with so many matches stored."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
from kibitz.cli.console import progress
from kibitz_worker.settings import load_settings
from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, Match, SetState
from kibitz_worker.valkey import open_queue_server
from kibitz_worker.work.holder import Holder
from kibitz_worker.work.leases import lease_sets
from kibitz_worker.work.plan import PlannedMatch, SetPlan, plan_set
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.verify import Checked, Reported, check
from sqlalchemy import select

from bench.tournament_server import WholeServer
from bench.tournament_store import Filled

PATHS = (
    "/",
    "/tournaments",
    "/tournaments/{running}",
    "/tournaments/{finished}",
    "/tournaments/{finished}/matches",
    "/leaderboards/german_whist",
    "/bots",
    "/bots/{bot}",
    "/matches/{match}",
    "/health",
    "/metrics",
    "/api/v1/tournaments",
    "/api/v1/tournaments/{running}",
    "/api/v1/tournaments/{finished}/standings",
    "/api/v1/tournaments/{running}/standings",
    "/api/v1/tournaments/{finished}/sets?limit=50",
    "/api/v1/leaderboards/german_whist",
    "/api/v1/matches/{match}",
)
TOKEN_BOT = "local/first1"


def percentile_95(times: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(times)[min(len(times) - 1, int(0.95 * len(times)))]


def pages(data: Path, store: Store, filled: Filled, repeats: int) -> dict[str, float]:
    """Ask a dashboard for every page again and again; return the p95 of each in milliseconds."""
    with store.read() as session:
        match = session.scalars(select(Match.id).where(Match.tournament_id == filled.finished))
        names = {
            "running": filled.running,
            "finished": filled.finished,
            "bot": TOKEN_BOT,
            "match": match.first(),
        }
    found = {}
    settings = load_settings(data_dir=data, redis_url=None)
    with (
        open_queue_server(settings) as queue,
        WholeServer(data, "api", KIBITZ_REDIS_URL=queue.url) as server,
        httpx.Client(base_url=server.url, timeout=60) as client,
        progress("{task.completed:.0f} of {task.total:.0f} pages") as bar,
    ):
        for path in bar.track(PATHS, description="asking"):
            found[path] = percentile_95(asked(client, path.format(**names), repeats))
    return found


def asked(client: httpx.Client, path: str, repeats: int) -> list[float]:
    """Return how long answers took in milliseconds, the first ones left out."""
    times = []
    for number in range(repeats + 2):
        began = time.perf_counter()
        answer = client.get(path)
        took = time.perf_counter() - began
        if answer.status_code != 200:
            raise RuntimeError(f"{path}: {answer.status_code} {answer.text[:300]}")
        if number >= 2:
            times.append(1000 * took)
    return times


def reports(store: Store, filled: Filled, repeats: int) -> float:
    """Report matches of the running tournament as a worker does; return the p95 in ms.

    What is measured is the transaction that stores a result, and the one that closes the set.
    """
    holder = Holder("bench:1", None, 600.0)
    times: list[float] = []
    with store.read() as session:
        waiting = select(DealSet.id).where(
            DealSet.tournament_id == filled.running, DealSet.state == SetState.WAITING
        )
        keys = session.scalars(waiting.limit(max(1, repeats // 2))).all()
    for key in keys:
        with store.write() as session:
            lease_sets(session, store.now(session), holder, {key: 1})
            plan = plan_set(session, session.get_one(DealSet, key))
        for match in plan.matches:
            checked = check(plan, _played(plan, match))
            times.append(_timed(store, holder, checked))
        with store.write() as session:
            finish_set(session, store.now(session), holder, key)
    return percentile_95(times)


def _timed(store: Store, holder: Holder, checked: Checked) -> float:
    began = time.perf_counter()
    with store.write() as session:
        store_match(session, store.now(session), holder, checked)
    return 1000 * (time.perf_counter() - began)


def _played(plan: SetPlan, match: PlannedMatch) -> Reported:
    """Play a match with the first legal action everywhere."""
    playing = plan.game.new_match([plan.names[player] for player in match.seating])
    for luck in match.decks:
        deal = playing.new_deal(luck["deck"], luck["cut"])
        while not deal.over:
            deal.apply(deal.legal()[0])
        playing.finish(deal)
    returns = tuple(playing.returns or ())
    return Reported(match.id, playing.record(match=match.id).to_json(), returns)
