"""Playing the sets of a job: all at the same time, by one crew of bot processes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlalchemy.orm import Session

from kibitz_worker.errors import RefereeError, StoreError
from kibitz_worker.play.context import Job
from kibitz_worker.play.lanes import Lane, lanes_of
from kibitz_worker.play.one_set import OneSet
from kibitz_worker.play.processes import Processes
from kibitz_worker.play.referee import Referee
from kibitz_worker.play.versions import Runnable, check_folders, load_versions
from kibitz_worker.sandbox import SandboxError
from kibitz_worker.store.models import DealSet
from kibitz_worker.work.attempts import Failure
from kibitz_worker.work.leases import held, lease_sets
from kibitz_worker.work.plan import SetPlan, plan_set

LOOK_SECONDS = 0.5
DRAIN_SECONDS = 5.0
"""When the worker is asked to stop, sets that end within this time are finished first."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Leased:
    """What a job got: plans of its sets and how to run the versions in them."""

    plans: tuple[SetPlan, ...]
    versions: Mapping[int, Runnable]


async def play_sets(job: Job, sets: Mapping[str, int]) -> int:
    """Play those sets (id: number of the attempt) that are still to be had; return how many."""
    began = time.monotonic()
    leased = await job.write(lambda session, now: _lease(job, session, now, sets))
    if not leased.plans:
        return 0
    seeds = {version: seed for plan in leased.plans for version, seed in plan.seeds.items()}
    processes = Processes(lanes_of(leased.plans), leased.versions, job.given, seeds)
    crew = Crew(job, [OneSet(job, plan, processes) for plan in leased.plans], processes, leased)
    try:
        async with job.beating(), job.listening():
            await crew.play()
    finally:
        await asyncio.to_thread(processes.stop)
        now = time.monotonic()
        job.live.count(jobs=1, job_seconds=now - began, play_seconds=crew.played)
    return len(leased.plans)


def _lease(job: Job, session: Session, now: datetime, sets: Mapping[str, int]) -> Leased:
    taken = lease_sets(session, now, job.holder, sets)
    plans = tuple(plan_set(session, session.get_one(DealSet, key)) for key in taken)
    players = {player for plan in plans for player in plan.players}
    return Leased(plans, load_versions(session, players, job.settings.data_dir))


class Crew:
    """The sets of a job and the processes that play them."""

    def __init__(
        self, job: Job, sets: Sequence[OneSet], processes: Processes, leased: Leased
    ) -> None:
        self._job = job
        self._sets = sets
        self._processes = processes
        self._versions = leased.versions
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._over: float | None = None

    @property
    def played(self) -> float:
        """For how many seconds matches were under way."""
        began = [one.began for one in self._sets if one.began is not None]
        return (self._over or time.monotonic()) - min(began) if began else 0.0

    async def play(self) -> None:
        """Play all sets; whatever happens, none stays leased."""
        failure = Failure("WORKER_FAILED", "the job ended early")
        try:
            async with Referee(self._job.settings.control_socket) as referee:
                await self._with(referee)
        except (RefereeError, SandboxError, StoreError) as error:
            failure = Failure(error.reason, str(error))
        except Exception as error:
            failure = Failure("WORKER_FAILED", f"{type(error).__name__}: {error}")
            raise
        finally:
            for one in self._sets:
                await one.fail(failure)

    async def _with(self, referee: Referee) -> None:
        labels = {
            token: self._versions[lane.version].label
            for token, lane in self._processes.tokens.items()
        }
        await asyncio.to_thread(check_folders, self._versions.values())
        await referee.admit(labels)
        try:
            await asyncio.to_thread(self._processes.start)
            await self._run(referee)
        finally:
            try:
                await referee.dismiss(labels)
            except RefereeError as error:
                log.warning("tokens were not dismissed", error=str(error))

    async def _run(self, referee: Referee) -> None:
        async with asyncio.TaskGroup() as group:
            for one in self._sets:
                self._tasks[one.plan.id] = group.create_task(one.play(referee), name=one.plan.id)
            watcher = group.create_task(self._watch(), name="watch")
            await asyncio.wait(self._tasks.values())
            self._over = time.monotonic()
            watcher.cancel()

    async def _watch(self) -> None:
        """Start dead processes again, drop sets that are not ours any more, stop when asked."""
        looks = 0
        while True:
            try:
                await asyncio.wait_for(self._job.stopping.wait(), LOOK_SECONDS)
            except TimeoutError:
                pass
            else:
                await self._drain()
                return
            for lane in await asyncio.to_thread(self._processes.restart_dead):
                await self._give_up(lane)
            looks += 1
            if looks % 10 == 0:
                await self._drop_what_is_lost()

    async def _give_up(self, lane: Lane) -> None:
        version = self._versions[lane.version]
        failure = Failure(
            "BOT_DIES",
            f"the process of {version.label} ended again and again",
            blame_version_id=version.id,
            log=self._processes.tail(version.id),
        )
        for one in self._sets:
            if lane in lanes_of([one.plan]) and not one.ended:
                await one.fail(failure)
                self._tasks[one.plan.id].cancel()

    async def _drop_what_is_lost(self) -> None:
        going = [one for one in self._sets if not one.ended]
        mine = await self._job.write(
            lambda session, _: held(session, self._job.holder, [one.plan.id for one in going])
        )
        for one in going:
            if one.plan.id not in mine:
                await one.release("the tournament was cancelled")
                self._tasks[one.plan.id].cancel()

    async def _drain(self) -> None:
        """Give the sets a moment to end, then hand back what is left of them."""
        pending = [task for task in self._tasks.values() if not task.done()]
        if pending:
            await asyncio.wait(pending, timeout=DRAIN_SECONDS)
        for one in self._sets:
            if not one.ended:
                await one.release("the worker was asked to stop")
                self._tasks[one.plan.id].cancel()
