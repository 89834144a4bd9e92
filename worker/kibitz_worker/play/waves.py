"""In which waves the sets of a job are played.

A wave is of one pairing: what keeps its bots from playing keeps nobody else's. It is leased when
there is room for it, and its bots start while the waves before it are played.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from itertools import groupby

import structlog
from sqlalchemy import update

from kibitz_worker.errors import StoreError
from kibitz_worker.play.context import Job
from kibitz_worker.store.models import DealSet, SetState

WAVE = 16
AT_ONCE = 32
"""Sets of a job that are under way at most: a bot's clocks run at all its tables meanwhile."""

PATIENCE = 2.0
"""So many times what a job should take, and it gives back what it has not begun."""

log = structlog.get_logger(__name__)


class Waves:
    """What a job has not begun yet; false when nothing more is to be begun."""

    def __init__(self, job: Job, sets: Mapping[str, int]) -> None:
        self._job = job
        self._until = time.monotonic() + PATIENCE * job.settings.job_seconds
        self._left = in_waves(sets)

    def __bool__(self) -> bool:
        return bool(self._left) and time.monotonic() < self._until

    def next(self) -> dict[str, int] | None:
        """Return the sets (id: number of the attempt) that are to begin now, None for no more."""
        return self._left.pop(0) if self else None

    def end(self) -> None:
        """Begin nothing more."""
        self._until = 0.0

    async def hand_back(self) -> None:
        """Let others have what was not begun."""
        left = [key for wave in self._left for key in wave]
        if not left or self._job.holder.job is None:
            return
        back = (
            update(DealSet)
            .where(
                DealSet.id.in_(left),
                DealSet.job == self._job.holder.job,
                DealSet.state == SetState.WAITING,
            )
            .values(job=None)
            .execution_options(synchronize_session=False)
        )
        try:
            await self._job.write(lambda session, _: session.execute(back) and None)
        except StoreError as error:  # the keeper finds out by itself
            log.warning("sets were not given back", sets=len(left), error=str(error))


def in_waves(sets: Mapping[str, int]) -> list[dict[str, int]]:
    """Part sets by their pairings, of whose name theirs begins with, and into waves."""
    pairings = groupby(sets.items(), key=lambda item: item[0].rpartition("-")[0])
    return [dict(wave) for _, items in pairings for wave in _parts(list(items))]


def _parts(items: list[tuple[str, int]]) -> Iterable[list[tuple[str, int]]]:
    return (items[start : start + WAVE] for start in range(0, len(items), WAVE))


def covered(spans: Iterable[tuple[float, float]]) -> float:
    """Return the length of all spans together, counting once where they overlap."""
    total, reached = 0.0, float("-inf")
    for began, ended in sorted(spans):
        total += max(0.0, ended - max(began, reached))
        reached = max(reached, ended)
    return total
