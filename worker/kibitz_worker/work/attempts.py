"""What happens to a set when an attempt at it ends without a result.

A failure of the platform is never a result: the attempt keeps the reason, the set goes back and is
tried again later, and after too many failures it is void, with the reason. Play given back on
purpose (a worker that stops) costs no attempt.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import uniform

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import (
    Attempt,
    DealSet,
    Leased,
    Outcome,
    SetState,
)
from kibitz_worker.store.texts import storable
from kibitz_worker.work.blame import blame
from kibitz_worker.work.leases import let_go, settle

LONGEST_WAIT = 600.0
LOG_LIMIT = 8_000


@dataclass(frozen=True)
class Retry:
    """How often and how soon a set is tried again."""

    max_attempts: int
    backoff_seconds: float
    quarantine_after: int

    def wait(self, failed: int) -> timedelta:
        """Return the pause after so many failures: doubling, spread by up to a quarter."""
        seconds = min(LONGEST_WAIT, self.backoff_seconds * 2.0 ** max(0, failed - 1))
        return timedelta(seconds=seconds * uniform(0.75, 1.25))  # noqa: S311 - no secret


@dataclass(frozen=True)
class Failure:
    """Why an attempt failed: an UPPER_SNAKE reason, what happened, and whose version it was."""

    reason: str
    detail: str = ""
    blame_version_id: int | None = None
    log: str = ""

    @property
    def text(self) -> str:
        """The reason and the detail on one line."""
        return storable(f"{self.reason}: {self.detail}")[:500] if self.detail else self.reason


def fail_set(
    session: Session,
    now: datetime,
    deal_set: DealSet,
    failure: Failure,
    retry: Retry,
    *,
    outcome: Outcome = Outcome.FAILED,
) -> None:
    """End the running attempt at a set as failed (or lost) and put the set back or make it void."""
    attempt = running_attempt(session, deal_set)
    if attempt is not None:
        attempt.outcome = outcome
        attempt.ended = now
        attempt.reason = failure.text
        attempt.blame_version_id = failure.blame_version_id
        attempt.log = storable(failure.log[-LOG_LIMIT:]) or None
        session.flush()
    if failure.blame_version_id is not None:
        put_away = blame(
            session, now, failure.blame_version_id, failure.text, retry.quarantine_after
        )
        if put_away is not None:
            put_away.log = storable(failure.log[-LOG_LIMIT:]) or put_away.log
    give_back(now, deal_set, failure.text, retry, failures(session, deal_set.id))


def give_back(now: datetime, unit: Leased, reason: str, retry: Retry, failed: int) -> bool:
    """Put a unit back that has failed so often; True when it is void, having failed too often."""
    if failed >= retry.max_attempts:
        times = f"{failed} attempts failed, the last one: {reason}"
        settle(unit, SetState.VOID, now, times[:500])
        return True
    let_go(unit, due=now + retry.wait(failed), reason=reason)
    return False


def failures(session: Session, set_id: str) -> int:
    """Return how many attempts at a set have failed or were lost with their worker."""
    query = select(func.count()).where(
        Attempt.set_id == set_id, Attempt.outcome.in_((Outcome.FAILED, Outcome.LOST))
    )
    return session.scalar(query) or 0


def release_set(session: Session, now: datetime, deal_set: DealSet, reason: str) -> None:
    """Give a set back unfinished, on purpose: due at once, and no attempt is used up."""
    attempt = running_attempt(session, deal_set)
    if attempt is not None:
        attempt.outcome = Outcome.RELEASED
        attempt.ended = now
        attempt.reason = reason
    let_go(deal_set, due=None, reason=None)


def running_attempt(session: Session, deal_set: DealSet) -> Attempt | None:
    """Return the attempt that holds the set now."""
    query = select(Attempt).where(
        Attempt.set_id == deal_set.id,
        Attempt.number == deal_set.attempts,
        Attempt.outcome == Outcome.RUNNING,
    )
    return session.scalar(query)
