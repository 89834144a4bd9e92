"""Playing the sets of a job in waves: one crew of bot processes, joined by whoever plays next."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
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
from kibitz_worker.play.waves import AT_ONCE, WAVE, Waves, covered
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
    """What a job got: plans of sets and how to run the versions in them."""

    plans: tuple[SetPlan, ...]
    versions: Mapping[int, Runnable]


async def play_sets(job: Job, sets: Mapping[str, int]) -> int:
    """Play those sets (id: number of the attempt) that are still to be had; return how many."""
    began = time.monotonic()
    processes = Processes((), {}, job.given)
    crew = Crew(job, Waves(job, sets), processes)
    try:
        async with job.beating(), job.listening():
            await crew.play()
    finally:
        await asyncio.to_thread(processes.stop)
        if crew.taken:
            now = time.monotonic()
            job.live.count(jobs=1, job_seconds=now - began, play_seconds=crew.played)
    return crew.taken


def _lease(job: Job, session: Session, now: datetime, sets: Mapping[str, int]) -> Leased:
    taken = lease_sets(session, now, job.holder, sets)
    plans = tuple(plan_set(session, session.get_one(DealSet, key)) for key in taken)
    players = {player for plan in plans for player in plan.players}
    return Leased(plans, load_versions(session, players, job.settings.data_dir))


class Crew:
    """The sets of a job that have begun and the processes that play them."""

    def __init__(self, job: Job, waves: Waves, processes: Processes) -> None:
        self._job = job
        self._waves = waves
        self._processes = processes
        self._sets: list[OneSet] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def taken(self) -> int:
        """How many sets were still to be had."""
        return len(self._sets)

    @property
    def played(self) -> float:
        """For how many seconds matches were under way."""
        now = time.monotonic()
        return covered((one.began, one.over or now) for one in self._sets if one.began)

    async def play(self) -> None:
        """Play all sets; whatever happens, none stays leased."""
        failure = Failure("WORKER_FAILED", "the job ended early")
        try:
            async with Referee(self._job.settings.control_socket) as referee:
                await self._with(referee)
        except StoreError as error:
            failure = Failure(error.reason, str(error))
        except Exception as error:
            failure = Failure("WORKER_FAILED", f"{type(error).__name__}: {error}")
            raise
        finally:
            for one in self._sets:
                await one.fail(failure)
            await self._waves.hand_back()

    async def _with(self, referee: Referee) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                watcher = group.create_task(self._watch(), name="watch")
                while wave := self._waves.next():
                    await self._begin(wave, referee, group)
                    while len(going := self._going()) > AT_ONCE - WAVE and self._waves:
                        await asyncio.wait(going, return_when=asyncio.FIRST_COMPLETED)
                if going := self._going():
                    await asyncio.wait(going)
                watcher.cancel()
        finally:
            try:
                await referee.dismiss(self._processes.tokens)
            except RefereeError as error:
                log.warning("tokens were not dismissed", error=str(error))

    def _going(self) -> list[asyncio.Task[None]]:
        return [task for task in self._tasks.values() if not task.done()]

    async def _begin(
        self, wave: Mapping[str, int], referee: Referee, group: asyncio.TaskGroup
    ) -> None:
        """Lease the sets of a wave, start who is missing in it, and let it go."""
        leased = await self._job.write(lambda session, now: _lease(self._job, session, now, wave))
        sets = [OneSet(self._job, plan, self._processes) for plan in leased.plans]
        self._sets += sets
        try:
            await self._seat(leased, referee)
        except (RefereeError, SandboxError, StoreError) as error:
            for one in sets:
                await one.fail(Failure(error.reason, str(error)))
            if not isinstance(error, StoreError):  # nobody else would get on here either
                self._waves.end()
        for one in sets:
            if self._job.stopping.is_set():
                await one.release("the worker was asked to stop")
            if not one.ended:
                self._tasks[one.plan.id] = group.create_task(one.play(referee), name=one.plan.id)

    async def _seat(self, leased: Leased, referee: Referee) -> None:
        seeds = {version: seed for plan in leased.plans for version, seed in plan.seeds.items()}
        await asyncio.to_thread(check_folders, leased.versions.values())
        new = self._processes.join(lanes_of(leased.plans), leased.versions, seeds)
        await referee.admit({token: leased.versions[at.version].label for token, at in new.items()})
        await asyncio.to_thread(self._processes.start, new.values())

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
        failure = Failure(
            "BOT_DIES",
            f"the process of {self._processes.label(lane)} ended again and again",
            blame_version_id=lane.version,
            log=self._processes.tail(lane.version),
        )
        for one in self._sets:
            if not one.ended and lane in lanes_of([one.plan]):
                await one.fail(failure)
                self._cancel(one)

    async def _drop_what_is_lost(self) -> None:
        going = [one for one in self._sets if not one.ended]
        mine = await self._job.write(
            lambda session, _: held(session, self._job.holder, [one.plan.id for one in going])
        )
        for one in going:
            if one.plan.id not in mine:
                await one.release("the tournament was cancelled")
                self._cancel(one)

    async def _drain(self) -> None:
        """Give the sets a moment to end, then hand back what is left of them."""
        self._waves.end()
        if pending := self._going():
            await asyncio.wait(pending, timeout=DRAIN_SECONDS)
        for one in self._sets:
            if not one.ended:
                await one.release("the worker was asked to stop")
                self._cancel(one)

    def _cancel(self, one: OneSet) -> None:
        if task := self._tasks.get(one.plan.id):
            task.cancel()
