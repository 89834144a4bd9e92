"""The deals of a match beside their par; played by the reference bot when first asked for."""

from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, Match
from kibitz_worker.work.par import REFERENCE, par_of
from kibitz_worker.work.plan import rules_of
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session, undefer

from kibitz_api.matches.queries import require_open


class DealAnswer(BaseModel):
    """A deal's scores by seat, and what the reference bot scores there against itself."""

    number: int
    dealer: int
    scores: list[float]
    par: list[float] | None = Field(description="By seat; null where it cannot be told.")
    roles: list[str] | None = Field(description="Each seat's part, where there are parts.")
    forfeit: int | None = Field(description="The seat that forfeited the deal.")


class DealsAnswer(BaseModel):
    """The deals of a match; what counts is the difference to par more than the score."""

    match: str
    reference: str = Field(description="The bot that par is of.")
    deals: list[DealAnswer]


def deals_of(session: Session, store: Store, match: Match) -> DealsAnswer:
    """The deals of a match whose cards may be shown. Raises ConflictError while they may not."""
    require_open(match)
    whole = session.get_one(
        Match,
        match.id,
        options=[undefer(Match.ledger), undefer(Match.decks)],
        populate_existing=True,
    )
    ledger = whole.ledger or []
    par = _par(session, store, whole) if ledger else []
    deals = [
        DealAnswer(
            number=number,
            dealer=entry["dealer"],
            scores=entry["scores"],
            par=par[number] if number < len(par) else None,
            roles=entry.get("roles"),
            forfeit=entry.get("forfeit"),
        )
        for number, entry in enumerate(ledger)
    ]
    return DealsAnswer(match=match.id, reference=REFERENCE, deals=deals)


def _par(session: Session, store: Store, match: Match) -> list[list[float]]:
    """The par of a match's decks: kept with the set, since all lanes of a half share them."""
    options = [undefer(DealSet.par)]
    kept = session.get_one(DealSet, match.set_id, options=options, populate_existing=True)
    half = str(match.half)
    if kept.par and half in kept.par:
        return list(kept.par[half])
    found = par_of(rules_of(kept.tournament), match.decks, f"{match.set_id}:{half}")
    with store.write() as writing:
        again = writing.get_one(DealSet, match.set_id, options=options)
        again.par = {**(again.par or {}), half: found}
    return found
