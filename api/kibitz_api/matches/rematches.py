"""A match played again with another version in one seat, beside the match as it was."""

from kibitz_worker.store.models import Match, Tournament, TournamentKind, User
from kibitz_worker.work.rematches import create_rematch
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from kibitz_api.context import Person
from kibitz_api.errors import NotFoundError
from kibitz_api.matches import queries
from kibitz_api.matches.models import MatchSummary
from kibitz_api.tournaments.entering import own_version
from kibitz_api.tournaments.models import Label

LATEST = 20


class RematchRequest(BaseModel):
    """Who takes which seat."""

    model_config = ConfigDict(extra="forbid")

    seat: int = Field(ge=0, le=15, description="The seat that is taken over, from 0.")
    bot: Label = Field(
        description="Your version: `heart@3`, `ana/heart/3`, or `heart`, the newest."
    )


class RematchDeal(BaseModel):
    """A deal as it ended then and now, in points by seat; null while it is not over."""

    number: int
    then: list[float]
    now: list[float] | None


class RematchAnswer(BaseModel):
    """A rematch beside the match that it plays again; it counts nowhere."""

    tournament: str
    state: str = Field(description="State of the rematch: running, finished, ...")
    seat: int
    bot: str = Field(description="Label of the version that took the seat over.")
    then: MatchSummary
    now: MatchSummary | None = Field(description="Null before its first card.")
    deals: list[RematchDeal]
    difference: float | None = Field(
        description="Points of the seat now less then, over all deals; null before the end."
    )


class RematchLine(BaseModel):
    """A rematch in a list."""

    tournament: str
    state: str
    seat: int
    bot: str


def again(session: Session, person: Person, match_id: str, wanted: RematchRequest) -> Tournament:
    """Play a match again. Raises what `create_rematch` raises, ForbiddenError, NotFoundError."""
    match = queries.find_match(session, match_id)
    queries.require_open(match)
    version = own_version(session, person, wanted.bot, house=True)
    owner = session.get_one(User, person.id)
    return create_rematch(session, owner, match, wanted.seat, version)


def beside(session: Session, tournament: Tournament) -> RematchAnswer:
    """The rematch of a tournament beside its match. Raises NotFoundError for other tournaments."""
    if tournament.replays is None or tournament.replayed_seat is None:
        raise NotFoundError("rematch", tournament.id, where="path.tournament_id")
    then = queries.find_match(session, tournament.replays)
    key = session.scalar(select(Match.id).where(Match.tournament_id == tournament.id))
    now = queries.find_match(session, key) if key else None
    seat = tournament.replayed_seat
    before, after = _scores(session, then), _scores(session, now) if now else []
    over = now is not None and now.totals is not None
    return RematchAnswer(
        tournament=tournament.id,
        state=tournament.state.value,
        seat=seat,
        bot=tournament.entrants[then.seating[seat]].version.label,
        then=queries.summary(then, queries.players(session, then.set)),
        now=queries.summary(now, queries.players(session, now.set)) if now else None,
        deals=[
            RematchDeal(number=n, then=scores, now=after[n] if n < len(after) else None)
            for n, scores in enumerate(before)
        ],
        difference=sum(row[seat] for row in after) - sum(row[seat] for row in before)
        if over
        else None,
    )


def _scores(session: Session, match: Match) -> list[list[float]]:
    options = [undefer(Match.ledger)]
    whole = session.get_one(Match, match.id, options=options, populate_existing=True)
    return [list(entry["scores"]) for entry in whole.ledger or ()]


def rematches_of(session: Session, match_id: str) -> list[RematchLine]:
    """The latest rematches of a match."""
    query = (
        select(Tournament)
        .where(Tournament.replays == match_id, Tournament.kind == TournamentKind.REMATCH)
        .order_by(Tournament.created.desc())
        .limit(LATEST)
    )
    match = session.get_one(Match, match_id)
    return [
        RematchLine(
            tournament=each.id,
            state=each.state.value,
            seat=each.replayed_seat or 0,
            bot=each.entrants[match.seating[each.replayed_seat or 0]].version.label,
        )
        for each in session.scalars(query)
    ]
