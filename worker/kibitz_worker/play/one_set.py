"""Playing one set: the referee's events become results in the database, or a failed attempt."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import structlog
from google.protobuf.json_format import MessageToDict
from kibitz.v1 import referee_pb2 as pb
from sqlalchemy.orm import Session

from kibitz_worker.errors import RefereeError, ReportError
from kibitz_worker.play.context import Job
from kibitz_worker.play.lanes import Lane, chairs
from kibitz_worker.play.processes import Processes
from kibitz_worker.play.referee import Referee, set_request
from kibitz_worker.store.models import DealSet, SetState
from kibitz_worker.work.attempts import Failure, fail_set, release_set
from kibitz_worker.work.messages import store_messages
from kibitz_worker.work.plan import SetPlan
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.verify import Reported, check

PROGRESS_SECONDS = 0.5
OURS = {"DRAINING", "DISMISSED"}
"""Reasons of the referee that say it was told to stop: the set is given back, nothing failed."""

log = structlog.get_logger(__name__)


class OneSet:
    """One set of a job. `ended` is True when nothing is left to do for it here.

    `began` is the moment (monotonic, seconds) when its first match was under way, `over` when none
    was any more.
    """

    def __init__(self, job: Job, plan: SetPlan, processes: Processes) -> None:
        self._job = job
        self._processes = processes
        self._told = 0.0
        self.plan = plan
        self.ended = False
        self.began: float | None = None
        self.over: float | None = None

    async def play(self, referee: Referee) -> None:
        """Play what is left of the set and store every match as it comes in."""
        self._publish("set_started")
        try:
            if self.plan.matches:
                async for event in referee.run_set(set_request(self.plan, self._processes)):
                    await self._on_event(event)
            self.over = time.monotonic()
            await self._finish()
        except RefereeError as error:
            await self.fail(Failure(error.reason, str(error)))
        except ReportError as error:
            await self._on_report_error(error)
        finally:
            self.over = self.over or time.monotonic()

    async def _on_event(self, event: pb.RunSetResponse) -> None:
        match event.WhichOneof("event"):
            case "match_started":
                self.began = self.began or time.monotonic()
            case "match_finished":
                await self._store(event.match_finished)
            case "set_failed":
                await self._on_set_failed(event.set_failed)
            case "progress":
                self._on_progress(event.progress)

    async def _store(self, finished: pb.MatchFinished) -> None:
        reported = Reported(
            match_id=finished.match_id,
            record=finished.record_json,
            returns=tuple(finished.returns),
            forfeits=tuple(_plain(forfeit) for forfeit in finished.forfeits),
            penalties=tuple(_plain(penalty) for penalty in finished.penalties),
        )
        checked = check(self.plan, reported)
        logs = {one.seat: one.log for one in finished.messages}
        seats = self._versions(finished.match_id)

        def store(session: Session, now: datetime) -> bool:
            new = store_match(session, now, self._job.holder, checked)
            if new:
                store_messages(session, now, checked.match_id, logs, seats)
            return new

        try:
            new = await self._job.write(store)
        except ReportError as error:
            if error.reason != "RESULT_DIFFERS":
                raise
            log.warning("a result that differs was refused", match=checked.match_id)
            return
        if new:
            self._publish("match_finished", match=checked.match_id)
            self._job.live.count(matches=1, deals=checked.deals)

    async def _finish(self) -> None:
        if self.ended:
            return
        took = time.monotonic() - self.began if self.began is not None else None
        done = await self._job.write(
            lambda session, now: finish_set(session, now, self._job.holder, self.plan.id, took)
        )
        if done:
            self.ended = True
            self._publish("set_finished")
            self._job.live.count(sets=1)
        else:
            await self.fail(Failure("INCOMPLETE", "the referee ended the set without all results"))

    async def _on_set_failed(self, failed: pb.SetFailed) -> None:
        if failed.reason in OURS:
            await self.release(f"the referee stopped: {failed.reason}")
            return
        lane = self._lane(failed.match_id, failed.seat if failed.HasField("seat") else None)
        version = lane.version if lane else None
        await self.fail(
            Failure(
                failed.reason or "INFRASTRUCTURE",
                failed.detail,
                blame_version_id=version,
                log=self._processes.tail(version) if version is not None else "",
            )
        )

    def _versions(self, match_id: str) -> list[int]:
        """The versions in the seats of a match of this set."""
        match = next(match for match in self.plan.matches if match.id == match_id)
        return [self.plan.players[player] for player in match.seating]

    def _lane(self, match_id: str, seat: int | None) -> Lane | None:
        for match in self.plan.matches:
            if match.id == match_id and seat is not None:
                return chairs(self.plan.players, match)[seat]
        return None

    async def _on_report_error(self, error: ReportError) -> None:
        if error.reason == "LEASE_LOST":
            self.ended = True
            log.warning("set was taken away from this worker", set=self.plan.id)
        else:
            await self.fail(Failure(error.reason, str(error)))

    async def fail(self, failure: Failure) -> None:
        """End the attempt as failed, unless the set has been ended or taken away."""
        if await self._give_up(
            lambda deal_set, session, now: fail_set(
                session, now, deal_set, failure, self._job.retry
            )
        ):
            log.warning("set failed", set=self.plan.id, reason=failure.text)
            self._publish("set_failed", reason=failure.reason)
            self._job.live.count(sets_failed=1)

    async def release(self, reason: str) -> None:
        """Give the set back without using up an attempt."""
        await self._give_up(
            lambda deal_set, session, now: release_set(session, now, deal_set, reason)
        )

    async def _give_up(self, how: Callable[[DealSet, Any, Any], None]) -> bool:
        if self.ended:
            return False
        self.ended = True

        def action(session: Any, now: Any) -> bool:
            deal_set = session.get(DealSet, self.plan.id, with_for_update=True)
            if deal_set.state is not SetState.LEASED:
                return False
            if deal_set.lease_token != self._job.holder.token:
                return False
            how(deal_set, session, now)
            return True

        return await self._job.write(action)

    def _on_progress(self, progress: pb.Progress) -> None:
        now = time.monotonic()
        if now - self._told >= PROGRESS_SECONDS:
            self._told = now
            self._publish("progress", deals=progress.deals_done, of=progress.deals_total)

    def _publish(self, kind: str, **fields: str | int) -> None:
        self._job.live.publish(
            kind,
            tournament=self.plan.tournament,
            game=self.plan.game.name,
            set=self.plan.id,
            **fields,
        )


def _plain(message: Any) -> dict[str, Any]:
    """Return a protocol message as JSON values, with all its fields."""
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
