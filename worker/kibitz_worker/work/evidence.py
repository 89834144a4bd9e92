"""Whether a machine spoils results: time losses and failed attempts, compared with the others.

A slow or broken machine makes bots lose on time whoever they are. For each machine a two-by-two
table (this one, all others; spoilt, fine) is tested by Fisher's exact test, one-sided: the chance
that so many or more of the spoilt sets fall to it, were all machines alike (R. A. Fisher,
Statistical Methods for Research Workers, section 21.02).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from math import exp, lgamma

from sqlalchemy import String, cast, func, or_, select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import Attempt, DealSet, Match, Meta, Outcome, SetState
from kibitz_worker.work.blame import host_of

LATE = frozenset({"TIMEOUT", "STALL"})
"""Reasons of forfeits and penalties that a slow machine may be the cause of."""

FAILED = (Outcome.FAILED, Outcome.LOST)

CHANCE = 1e-4
"""So unlikely must a machine's share be, times the number of machines, before it is named."""

LEAST = 5
"""Fewer spoilt sets than that are no evidence."""

LAST = 50_000
"""Attempts that are looked at, the last ones of `WINDOW`."""

WINDOW = timedelta(days=1)
KEY = "machines"


@dataclass(frozen=True)
class Machine:
    """What the workers of a machine did: attempts that were finished or failed.

    `late` are finished sets with a loss on time, `failed` attempts without a result. `p` is the
    chance of so many among those of all machines, `suspect` whether that is too small to be luck.
    """

    name: str
    sets: int
    late: int
    failed: int
    p: float
    suspect: bool


def machines(session: Session, now: datetime) -> list[Machine]:
    """Compare the machines whose workers played of late, suspects first."""
    last = session.scalar(select(func.max(Attempt.id))) or 0
    rows = session.execute(
        select(Attempt.worker, Attempt.outcome, Attempt.set_id).where(
            Attempt.id > last - LAST,
            Attempt.started >= now - WINDOW,
            Attempt.outcome.in_((Outcome.DONE, *FAILED)),
        )
    ).all()
    lost = _late_sets(session, now - WINDOW)
    seen, late, failed = Counter[str](), Counter[str](), Counter[str]()
    for worker, outcome, set_id in rows:
        host = host_of(worker)
        seen[host] += 1
        failed[host] += outcome in FAILED
        late[host] += outcome is Outcome.DONE and set_id in lost
    return judged(seen, late, failed)


def judged(
    seen: Mapping[str, int], late: Mapping[str, int], failed: Mapping[str, int]
) -> list[Machine]:
    """Return the machines by their attempts, sets lost on time and failed attempts."""
    spoilt = {host: late.get(host, 0) + failed.get(host, 0) for host in seen}
    found = []
    for host, sets in seen.items():
        p = share_by_luck(host, seen, spoilt)
        suspect = spoilt[host] >= LEAST and p * len(seen) < CHANCE
        found.append(Machine(host, sets, late.get(host, 0), failed.get(host, 0), p, suspect))
    return sorted(found, key=lambda one: (not one.suspect, one.p, one.name))


def note_machines(session: Session, now: datetime) -> list[Machine]:
    """Compare the machines and keep that for the health page; return them."""
    found = machines(session, now)
    session.merge(Meta(key=KEY, value=json.dumps([asdict(one) for one in found])))
    return found


def noted_machines(session: Session) -> list[Machine]:
    """Return what was last noted."""
    kept = session.get(Meta, KEY)
    return [Machine(**one) for one in json.loads(kept.value)] if kept else []


def _late_sets(session: Session, since: datetime) -> set[str]:
    """Return the finished sets in which somebody lost on time."""
    penalized = func.length(cast(Match.penalties, String)) > len("[]")
    query = (
        select(Match.set_id, Match.forfeits, Match.penalties)
        .join(DealSet, DealSet.id == Match.set_id)
        .where(
            DealSet.state == SetState.DONE,
            Match.finished >= since,
            or_(Match.forfeits.is_not(None), penalized),
        )
        .order_by(Match.finished.desc())
        .limit(LAST)
    )
    return {
        set_id
        for set_id, forfeits, penalties in session.execute(query)
        if any(one.get("reason") in LATE for one in [*(forfeits or ()), *(penalties or ())])
    }


def share_by_luck(host: str, seen: Mapping[str, int], spoilt: Mapping[str, int]) -> float:
    """Return Fisher's chance that a machine has so many of the spoilt sets or more."""
    total, bad = sum(seen.values()), sum(spoilt.values())
    mine, hits = seen[host], spoilt[host]
    if mine == total or not hits:
        return 1.0
    most = min(mine, bad)
    ways = _log_comb(total, bad)
    tail = (
        exp(_log_comb(mine, k) + _log_comb(total - mine, bad - k) - ways)
        for k in range(max(hits, bad - (total - mine)), most + 1)
    )
    return min(1.0, sum(tail))


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def alarms(found: list[Machine]) -> list[str]:
    """Name the machines whose results should be looked at, in words."""
    return [
        f"{one.name} spoils results: of its {one.sets} sets {one.late} were lost on time and "
        f"{one.failed} failed, far more than elsewhere (chance by luck {one.p:.0e}). Stop its "
        f"worker and annul what it played: kibitz-server annul --worker {one.name} --since DATE"
        for one in found
        if one.suspect
    ]
