"""Whose fault failed sets are: a version is put away on evidence, one broken machine is none.

Bots of the house and self-hosted ones are never put away: the first fail with the platform, the
second are waited for.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import (
    Attempt,
    BotKind,
    Outcome,
    Version,
    VersionState,
    WorkerProcess,
)
from kibitz_worker.work.workers import SILENT

ALONE_FACTOR = 4
"""Failures on one machine alone put a version away when there are so many times as many."""

EVIDENCE_SETS = 5


def blame(
    session: Session, now: datetime, version_id: int, reason: str, quarantine_after: int
) -> Version | None:
    """Count a failed set against a submitted version; return it when that puts it away.

    A set that it finishes wipes the count. While several machines play, failures must come from
    more than one of them, else it may be the machine.
    """
    version = session.get(Version, version_id, with_for_update={"of": Version})
    if version is None or version.bot.kind is not BotKind.SUBMITTED:
        return None
    version.failures += 1
    if version.failures < quarantine_after or version.state is not VersionState.ADMITTED:
        return None
    attempts = failed_attempts(session, version)
    hosts = sorted({host_of(attempt.worker) for attempt in attempts})
    alone = len(hosts) < 2 and len(hosts_up(session, now)) > 1
    if alone and version.failures < ALONE_FACTOR * quarantine_after:
        return None
    version.state = VersionState.QUARANTINED
    sets = ", ".join(attempt.set_id for attempt in attempts[:EVIDENCE_SETS])
    version.reason = (
        f"{version.failures} sets in a row failed because of it on {', '.join(hosts) or 'here'} "
        f"({sets}), the last one: {reason}"
    )[:1000]
    return version


def failed_attempts(session: Session, version: Version) -> Sequence[Attempt]:
    """Return the attempts that failed in a row because of a version, the last one first."""
    query = (
        select(Attempt)
        .where(Attempt.blame_version_id == version.id, Attempt.outcome == Outcome.FAILED)
        .order_by(Attempt.id.desc())
        .limit(version.failures)
    )
    return session.scalars(query).all()


def hosts_up(session: Session, now: datetime) -> set[str]:
    """Return the machines whose workers are up."""
    query = select(WorkerProcess.name).where(
        WorkerProcess.seen >= now - SILENT, WorkerProcess.stopped.is_(None)
    )
    return {host_of(name) for name in session.scalars(query)}


def host_of(worker: str) -> str:
    """Return the machine of a worker, whose name is its host and process number."""
    return worker.rpartition(":")[0] or worker
