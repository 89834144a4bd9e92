"""What can happen to a machine, and what must be the same whatever happens."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path
from typing import Any

import psutil
from kibitz_worker.house import add_house_bots
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.models import DealSet, Match, SetState, Snapshot
from kibitz_worker.store.tournaments import create_tournament
from kibitz_worker.work.verify import play_of
from redis import RedisError
from sqlalchemy import select
from sqlalchemy.orm import undefer

from tests.worker.jobs.machine import Machine, machine, wait_for


def plan_league(folder: Path, sets: int) -> None:
    """Make a data folder with a league that has not begun; copies of it have the same decks."""
    with open_store(folder) as store, store.write() as session:
        bots = [v for v in add_house_bots(session) if v.bot.name in {"random", "careful"}]
        create_tournament(
            session,
            create_user(session, "ana"),
            "german_whist",
            bots,
            options={"end": "hands:4"},
            sets_per_pairing=sets,
        )


def results(store: Store) -> dict[str, Any]:
    """Everything that counts: sets, what was played in them, and the last standings."""
    with store.read() as session:
        sets = session.scalars(select(DealSet).order_by(DealSet.number)).all()
        matches = session.scalars(
            select(Match).order_by(Match.id).options(undefer(Match.record))
        ).all()
        snapshots = session.scalars(select(Snapshot).order_by(Snapshot.id)).all()
        last = {snapshot.tournament_id: snapshot.payload for snapshot in snapshots}
        return {
            "sets": [(s.id, s.state, s.scores, s.margins, s.deals) for s in sets],
            "matches": [(m.id, m.returns, m.totals, play_of(m.record or "")) for m in matches],
            "ratings": sorted((key or "", value) for key, value in last.items()),
        }


def played_undisturbed(planned: Path, folder: Path) -> dict[str, Any]:
    """Play a copy of a planned league to its end and give its results."""
    shutil.copytree(planned, folder)
    with machine(folder) as one:
        one.start_worker()
        wait_for(one.finished, "the undisturbed league")
        return results(one.store)


def leased(one: Machine) -> bool:
    return one.count(SetState.LEASED) > 0


def a_job_is_playing(one: Machine) -> bool:
    return leased(one) and len(one.processes("kibitz.bots")) >= 4


# What is to be killed may have ended by itself a moment ago and be there again in the next:
# each of these goes on until it has met its victim.


def kill_job(one: Machine) -> None:
    """The job process alone: RQ's horse, whose command is that of its runner."""

    def found() -> bool:
        runners = set(one.processes("kibitz_worker.runner"))
        try:
            jobs = [process for process in runners if process.parent() in runners]
            for job in jobs:
                job.kill()
        except psutil.NoSuchProcess:
            return False
        return bool(jobs)

    wait_for(found, "a job to kill")


def kill_runner_and_job(one: Machine) -> None:
    wait_for(lambda: one.kill("kibitz_worker.runner") >= 2, "a runner with a job to kill")


def kill_keeper(one: Machine) -> None:
    wait_for(lambda: one.kill("kibitz_worker.keeper") == 1, "a keeper to kill")


def flush_queue(one: Machine) -> None:
    with one.queue() as client:
        client.flushall()


def kill_queue(one: Machine) -> None:
    with one.queue() as client:
        pid = int(client.info("server")["process_id"])
    wait_for(lambda: one.kill("valkey-server") == 1, "a queue server to kill")
    wait_for(lambda: answered_by_another(one, pid), "a new queue server")


def answered_by_another(one: Machine, pid: int) -> bool:
    try:
        with one.queue() as client:
            return int(client.info("server")["process_id"]) != pid
    except RedisError:
        return False


def kill_bots(one: Machine) -> None:
    wait_for(lambda: one.kill("kibitz.bots") >= 1, "bots to kill")


def kill_all(one: Machine) -> None:
    one.kill_worker()
    one.start_worker()


def kill_referee(one: Machine) -> None:
    assert one.referee is not None
    one.referee.kill()
    one.referee.wait()
    one.start_referee()


def lose_queue(one: Machine) -> None:
    """Kill the queue server and remove everything it had written."""
    with one.queue() as client:
        pid = int(client.info("server")["process_id"])
    one.kill("valkey-server")
    shutil.rmtree(one.settings.data_dir / "valkey" / "appendonlydir", ignore_errors=True)
    wait_for(lambda: answered_by_another(one, pid), "a new queue server")


def kill_api(one: Machine) -> None:
    assert one.api is not None
    one.api.kill()
    one.api.wait()
    one.start_api()


def drain(one: Machine) -> None:
    """Stop the worker as one should, and start it again."""
    assert one.worker is not None
    one.worker.send_signal(signal.SIGTERM)
    assert one.worker.wait(60) == 0
    assert one.count(SetState.LEASED) == 0
    one.start_worker()
