"""Self-hosted bots that stay away longer than a tournament waits for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Pairing,
    SetState,
    Tournament,
    TournamentState,
)
from kibitz_worker.work.filling import absent
from kibitz_worker.work.holder import Holder
from kibitz_worker.work.leases import lease_sets, settle
from kibitz_worker.work.plan import PlannedMatch, SetPlan, plan_set
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.verify import Reported, check

ABSENT = "ABSENT"
AT_ONCE = 20
"""Sets settled in one transaction; others wait for the next look, and nobody waits long."""


def settle_absences(session: Session, now: datetime) -> int:
    """Settle sets of bots that stayed away too long, as their tournament says; return how many."""
    impatient = select(Tournament).where(
        Tournament.state == TournamentState.RUNNING, Tournament.absence != "wait"
    )
    return sum(_settle(session, now, tournament) for tournament in session.scalars(impatient))


def _settle(session: Session, now: datetime, tournament: Tournament) -> int:
    entrants = session.scalars(
        select(Entrant).where(Entrant.tournament_id == tournament.id).order_by(Entrant.number)
    ).all()
    patience = timedelta(seconds=tournament.wait_seconds)
    away = {
        entrant.number
        for entrant in absent(list(entrants), now)
        if now - _waited_since(tournament, entrant) > patience
    }
    if not away:
        return 0
    waiting = (
        select(DealSet, Pairing.entrants)
        .join(Pairing, Pairing.id == DealSet.pairing_id)
        .where(
            DealSet.tournament_id == tournament.id,
            DealSet.state == SetState.WAITING,
            DealSet.job.is_(None),
            or_(DealSet.due.is_(None), DealSet.due <= now),
        )
        .order_by(DealSet.number)
    )
    rows = session.execute(waiting).all()
    hit = [(one, numbers) for one, numbers in rows if away.intersection(numbers)][:AT_ONCE]
    for deal_set, numbers in hit:
        missing = [place for place, number in enumerate(numbers) if number in away]
        names = [entrants[numbers[place]].version.label for place in missing]
        why = f"{ABSENT}: {', '.join(names)} did not come in {tournament.wait_seconds} s"
        if tournament.absence == "forfeit" and len(missing) == 1:
            forfeit_set(session, now, deal_set, missing[0])
        else:
            settle(deal_set, SetState.VOID, now, why[:500])
    return len(hit)


def _waited_since(tournament: Tournament, entrant: Entrant) -> datetime:
    began = tournament.started or tournament.created
    return max(began, entrant.version.seen or began)


def forfeit_set(session: Session, now: datetime, deal_set: DealSet, player: int) -> None:
    """Store the results of a set in which one player forfeits every deal, unplayed."""
    holder = Holder("keeper", None, 60.0)
    if not lease_sets(session, now, holder, {deal_set.id: deal_set.attempts + 1}):
        return
    plan = plan_set(session, deal_set)
    for match in plan.matches:
        store_match(session, now, holder, check(plan, forfeited(plan, match, player)))
    finish_set(session, now, holder, deal_set.id)
    deal_set.reason = f"{ABSENT}: {plan.names[player]} forfeited it"
    session.flush()


def forfeited(plan: SetPlan, match: PlannedMatch, player: int) -> Reported:
    """Return the result of a match all of whose deals a player forfeits before the first card."""
    seat = match.seating.index(player)
    playing = plan.game.new_match([plan.names[each] for each in match.seating])
    playing.forfeit_match(seat, ABSENT, _decks(match))
    forfeits = tuple(
        {"deal": number, "seat": seat, "reason": ABSENT, "detail": "it was not connected"}
        for number in range(len(match.decks))
    )
    returns = tuple(playing.returns or ())
    return Reported(match.id, playing.record().to_json(), returns, forfeits)


def _decks(match: PlannedMatch) -> Sequence[tuple[list[str], str | None]]:
    return [(luck["deck"], luck["cut"]) for luck in match.decks]
