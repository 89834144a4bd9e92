"""Matches and sets out of the store, and what of them is public yet."""

from collections.abc import Sequence

from kibitz_worker.store.models import (
    Attempt,
    DealSet,
    Entrant,
    Match,
    MatchState,
    SetState,
    Tournament,
    TournamentState,
    Version,
)
from sqlalchemy import or_, select
from sqlalchemy.orm import Session, joinedload, object_session, selectinload, undefer
from sqlalchemy.orm.interfaces import ORMOption

from kibitz_api.errors import ConflictError, NotFoundError
from kibitz_api.games.queries import title
from kibitz_api.matches.models import (
    AttemptAnswer,
    Forfeit,
    MatchAnswer,
    MatchSeat,
    MatchSummary,
    SetAnswer,
    SetPlayer,
)

TWINS = frozenset({"versus"})
"""The formats that deal the same cards to two tables."""


def find_match(session: Session, match_id: str, *, record: bool = False) -> Match:
    """A match with its set and the set's matches. Raises NotFoundError."""
    query = select(Match).where(Match.id == match_id).options(*_with_set())
    if record:
        query = query.options(undefer(Match.record))
    match = session.scalar(query)
    if match is None:
        raise NotFoundError("match", match_id, where="path.match_id")
    return match


def _with_set() -> tuple[ORMOption, ...]:
    deal_set = joinedload(Match.set, innerjoin=True)
    return (
        deal_set.selectinload(DealSet.matches),
        deal_set.joinedload(DealSet.pairing, innerjoin=True),
        deal_set.joinedload(DealSet.tournament, innerjoin=True),
    )


def find_set(session: Session, set_id: str) -> DealSet:
    """A set with its matches. Raises NotFoundError."""
    query = (
        select(DealSet)
        .where(DealSet.id == set_id)
        .options(
            selectinload(DealSet.matches),
            selectinload(DealSet.pairing),
            selectinload(DealSet.tournament),
        )
    )
    deal_set = session.scalar(query)
    if deal_set is None:
        raise NotFoundError("set", set_id, where="path.set_id")
    return deal_set


def players(session: Session, deal_set: DealSet) -> list[Version]:
    """The versions that meet in a set, by their place in the pairing."""
    numbers = deal_set.pairing.entrants
    query = select(Entrant).where(
        Entrant.tournament_id == deal_set.tournament_id, Entrant.number.in_(numbers)
    )
    found = {entrant.number: entrant.version for entrant in session.scalars(query)}
    return [found[number] for number in numbers]


def is_open(match: Match) -> bool:
    """Whether the cards may be shown: no seating of the same decks can be played any more."""
    if match.state is not MatchState.DONE:
        return False
    return all(_is_past(deal_set, match.half) for deal_set in _of_the_same_cards(match.set))


def _is_past(deal_set: DealSet, half: int) -> bool:
    """Whether a half of a set is played, or will never be."""
    if deal_set.state is SetState.VOID:
        return True
    if deal_set.state is SetState.WAITING and (
        deal_set.tournament.state is TournamentState.CANCELLED
    ):
        return True
    matches = [match for match in deal_set.matches if match.half == half]
    return bool(matches) and all(match.state is MatchState.DONE for match in matches)


def _of_the_same_cards(deal_set: DealSet) -> list[DealSet]:
    """A set, and where a format deals the same cards to two tables the other one too."""
    session = object_session(deal_set)
    if session is None or deal_set.tournament.format not in TWINS:
        return [deal_set]
    cards = deal_set.twin_id or deal_set.id
    query = select(DealSet).where(
        DealSet.tournament_id == deal_set.tournament_id,
        or_(DealSet.id == cards, DealSet.twin_id == cards),
    )
    return list(session.scalars(query.options(selectinload(DealSet.matches))))


def require_open(match: Match) -> None:
    """Raise ConflictError while a look at the cards would be a look at another table's."""
    if match.state is not MatchState.DONE:
        raise ConflictError(
            "MATCH_NOT_OVER",
            f"Match {match.id} is not over; its record appears when all seatings of its decks are.",
        )
    if not is_open(match):
        raise ConflictError(
            "DECKS_IN_PLAY",
            f"The decks of match {match.id} are still in play under another seating; "
            "its record appears when every seating is over.",
        )


def forfeits(match: Match) -> list[Forfeit]:
    """The forfeited deals of a match."""
    return [
        Forfeit(
            deal=forfeit["deal"],
            seat=forfeit["seat"],
            reason=str(forfeit["reason"]),
            limit_ms=forfeit.get("limit_ms"),
            used_ms=forfeit.get("used_ms"),
            lag_ms=forfeit.get("lag_ms"),
            said_ms=forfeit.get("said_ms"),
            latency_ms=forfeit.get("latency_ms"),
        )
        for forfeit in match.forfeits or ()
    ]


def summary(match: Match, versions: Sequence[Version]) -> MatchSummary:
    """Tell one seating; `versions` are the players of its set."""
    return MatchSummary(
        id=match.id,
        half=match.half,
        lane=match.lane,
        state=match.state.value,
        seats=[
            MatchSeat(
                seat=seat,
                bot=versions[player].bot.label,
                version=versions[player].number,
                version_id=versions[player].id,
                player=player,
            )
            for seat, player in enumerate(match.seating)
        ],
        returns=match.returns,
        totals=match.totals,
        forfeits=forfeits(match),
        finished=match.finished,
        open=is_open(match),
    )


def answer(session: Session, match: Match) -> MatchAnswer:
    """A match with the other seatings of its set."""
    versions = players(session, match.set)
    tournament: Tournament = match.set.tournament
    return MatchAnswer(
        **summary(match, versions).model_dump(),
        set=match.set_id,
        tournament=tournament.id,
        tournament_name=tournament.name,
        game=tournament.game,
        title=title(tournament.game),
        options=tournament.options,
        record_hash=match.record_hash,
        seatings=[summary(other, versions) for other in match.set.matches],
    )


def set_answer(session: Session, deal_set: DealSet) -> SetAnswer:
    """A set with its seatings side by side and the attempts it took."""
    versions = players(session, deal_set)
    tournament = deal_set.tournament
    attempts = session.scalars(
        select(Attempt).where(Attempt.set_id == deal_set.id).order_by(Attempt.number)
    )
    return SetAnswer(
        id=deal_set.id,
        number=deal_set.number,
        tournament=tournament.id,
        tournament_name=tournament.name,
        game=tournament.game,
        title=title(tournament.game),
        options=tournament.options,
        state=deal_set.state.value,
        reason=deal_set.reason,
        deals=deal_set.deals,
        finished=deal_set.finished,
        players=[_player(deal_set, n, version) for n, version in enumerate(versions)],
        matches=[summary(match, versions) for match in deal_set.matches],
        attempts=[_attempt(attempt) for attempt in attempts],
    )


def _player(deal_set: DealSet, place: int, version: Version) -> SetPlayer:
    margin = None
    if deal_set.margins and deal_set.deals:
        margin = deal_set.margins[place] / deal_set.deals
    return SetPlayer(
        player=place,
        bot=version.bot.label,
        version=version.number,
        version_id=version.id,
        score=deal_set.scores[place] if deal_set.scores else None,
        margin=margin,
    )


def _attempt(attempt: Attempt) -> AttemptAnswer:
    return AttemptAnswer(
        number=attempt.number,
        worker=attempt.worker,
        started=attempt.started,
        ended=attempt.ended,
        outcome=attempt.outcome.value,
        reason=attempt.reason,
    )
