"""Results come in: stored once, never changed, and the set is closed with its last match."""

from __future__ import annotations

from datetime import datetime, timedelta

from kibitz.totals import by_player
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ReportError
from kibitz_worker.store.models import DealSet, Match, MatchState, Outcome, SetState
from kibitz_worker.work.attempts import running_attempt
from kibitz_worker.work.holder import Holder
from kibitz_worker.work.leases import settle
from kibitz_worker.work.plan import versions_of
from kibitz_worker.work.verify import Checked, play_of


def store_match(session: Session, now: datetime, holder: Holder, checked: Checked) -> bool:
    """Store the result of a match; False when the same result was there already.

    Two results are the same when the same was played, whatever time it took. Raises ReportError:
    RESULT_DIFFERS when the match has another result (which stays), LEASE_LOST when the reporter
    does not hold the set any more.
    """
    set_id = session.scalar(select(Match.set_id).where(Match.id == checked.match_id))
    if set_id is None:
        raise ReportError(f"there is no match {checked.match_id!r}", reason="MATCH_UNKNOWN")
    # The set first, as everywhere: whoever takes it back waits, and none waits for another.
    deal_set = session.get_one(DealSet, set_id, with_for_update=True)
    match = session.get_one(Match, checked.match_id, populate_existing=True)
    if match.state is MatchState.DONE:
        if play_of(match.record or "{}") != play_of(checked.record):
            raise ReportError(
                f"match {match.id} has another result already, which stays",
                reason="RESULT_DIFFERS",
            )
        return False
    if deal_set.state is not SetState.LEASED or deal_set.lease_token != holder.token:
        raise ReportError(
            f"set {deal_set.id} is not held by this worker any more", reason="LEASE_LOST"
        )
    attempt = running_attempt(session, deal_set)
    match.state = MatchState.DONE
    match.returns = list(checked.returns)
    match.totals = list(checked.totals)
    match.margins = list(checked.margins)
    match.deals = checked.deals
    match.forfeits = list(checked.forfeits) or None
    match.penalties = list(checked.penalties)
    match.ledger = list(checked.ledger)
    match.record = checked.record
    match.record_hash = checked.record_hash
    match.attempt_id = attempt.id if attempt else None
    match.finished = now
    session.flush()
    return True


def finish_set(
    session: Session, now: datetime, holder: Holder, set_id: str, took: float | None = None
) -> bool:
    """Close a set all of whose matches have results; False when some are missing or it is closed.

    With `took`, the seconds it was under way, the attempt counts from the first card on.
    Raises ReportError (LEASE_LOST) when somebody else holds the set.
    """
    deal_set = session.get_one(DealSet, set_id, with_for_update=True)
    if deal_set.state is SetState.DONE:
        return False
    if deal_set.lease_token != holder.token:
        raise ReportError(f"set {set_id} is not held by this worker any more", reason="LEASE_LOST")
    matches = list(
        session.scalars(select(Match).where(Match.set_id == set_id).order_by(Match.number))
    )
    if not matches or any(match.state is not MatchState.DONE for match in matches):
        return False
    attempt = running_attempt(session, deal_set)
    if attempt is not None:
        attempt.outcome = Outcome.DONE
        attempt.ended = now
        if took is not None:
            attempt.started = max(attempt.started, now - timedelta(seconds=took))
    seatings = [match.seating for match in matches]
    deal_set.scores = by_player(seatings, [match.returns or [] for match in matches])
    deal_set.margins = by_player(seatings, [match.margins or [] for match in matches])
    deal_set.deals = sum(match.deals for match in matches)
    settle(deal_set, SetState.DONE, now)
    for entrant in versions_of(session, deal_set):
        entrant.version.failures = 0
    return True
