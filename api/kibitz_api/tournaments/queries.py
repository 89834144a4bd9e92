"""Tournaments out of the store."""

from collections.abc import Iterable, Sequence

from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Match,
    Pairing,
    SetState,
    Tournament,
    TournamentKind,
    TournamentState,
)
from sqlalchemy import Select, case, func, select
from sqlalchemy.orm import Session, selectinload

from kibitz_api.errors import NotFoundError
from kibitz_api.games.queries import title
from kibitz_api.paging import Page, Paging
from kibitz_api.tournaments.models import (
    EntrantAnswer,
    Progress,
    SetSummary,
    TournamentSummary,
)

Counts = dict[SetState, int]


def find(session: Session, tournament_id: str) -> Tournament:
    """The tournament with its entrants. Raises NotFoundError."""
    query = (
        select(Tournament)
        .where(Tournament.id == tournament_id)
        .options(selectinload(Tournament.entrants), selectinload(Tournament.owner))
    )
    tournament = session.scalar(query)
    if tournament is None:
        raise NotFoundError("tournament", tournament_id, where="path.tournament_id")
    return tournament


def set_counts(session: Session, tournaments: Iterable[Tournament]) -> dict[str, Counts]:
    """How many sets of each tournament are in which state.

    Of those that are over it was noted when they ended; only the others are counted.
    """
    counts: dict[str, Counts] = {}
    left = []
    for tournament in tournaments:
        if tournament.tally is None or tournament.state is not TournamentState.FINISHED:
            left.append(tournament.id)
        else:
            noted = {SetState(state): count for state, count in tournament.tally.items()}
            counts[tournament.id] = noted
    query = (
        select(DealSet.tournament_id, DealSet.state, func.count())
        .where(DealSet.tournament_id.in_(left))
        .group_by(DealSet.tournament_id, DealSet.state)
    )
    for key, state, count in session.execute(query):
        counts.setdefault(key, {})[state] = count
    return counts


def summaries(session: Session, tournaments: Sequence[Tournament]) -> list[TournamentSummary]:
    """Tournaments with their progress."""
    ids = [tournament.id for tournament in tournaments]
    counts = set_counts(session, tournaments)
    entrants = dict(
        session.execute(
            select(Entrant.tournament_id, func.count())
            .where(Entrant.tournament_id.in_(ids))
            .group_by(Entrant.tournament_id)
        ).all()
    )
    return [
        summary(tournament, counts.get(tournament.id, {}), entrants.get(tournament.id, 0))
        for tournament in tournaments
    ]


def summary(tournament: Tournament, counts: Counts, entrants: int) -> TournamentSummary:
    """Tell a tournament with its counts of sets by state."""
    return TournamentSummary(
        id=tournament.id,
        name=tournament.name,
        game=tournament.game,
        title=title(tournament.game),
        state=tournament.state.value,
        reason=tournament.reason,
        rated=tournament.rated,
        kind=tournament.kind.value,
        owner=tournament.owner.name,
        entrant_count=entrants,
        sets_done=counts.get(SetState.DONE, 0),
        sets_total=sum(counts.values()),
        sets_void=counts.get(SetState.VOID, 0),
        sets_playing=counts.get(SetState.LEASED, 0),
        created=tournament.created,
        started=tournament.started,
        finished=tournament.finished,
        url=f"/tournaments/{tournament.id}",
    )


def newest(
    session: Session,
    paging: Paging,
    *,
    game: str | None = None,
    state: TournamentState | None = None,
    kind: TournamentKind | None = None,
) -> Page[TournamentSummary]:
    """Tournaments, running ones first, then the newest; rematches only when they are asked for."""
    query: Select[Tournament] = select(Tournament).options(selectinload(Tournament.owner))
    if kind is None:
        query = query.where(Tournament.kind != TournamentKind.REMATCH)
    else:
        query = query.where(Tournament.kind == kind)
    if game is not None:
        query = query.where(Tournament.game == game)
    if state is not None:
        query = query.where(Tournament.state == state)
    total = session.scalar(select(func.count()).select_from(query.subquery())) or 0
    running = case((Tournament.state == TournamentState.RUNNING, 0), else_=1)
    query = query.order_by(running, Tournament.created.desc(), Tournament.id)
    found = session.scalars(query.limit(paging.limit).offset(paging.offset)).all()
    return Page.of(summaries(session, found), total, paging)


def progress(session: Session, tournament: Tournament, counts: Counts) -> Progress:
    """How far a tournament has come; `counts` are its sets by state."""
    deals = session.scalar(
        select(func.sum(DealSet.deals)).where(
            DealSet.tournament_id == tournament.id, DealSet.state == SetState.DONE
        )
    )
    total = sum(counts.values())
    over = sum(counts.get(s, 0) for s in (SetState.DONE, SetState.VOID, SetState.ANNULLED))
    return Progress(
        done=counts.get(SetState.DONE, 0),
        total=total,
        void=counts.get(SetState.VOID, 0),
        playing=counts.get(SetState.LEASED, 0),
        waiting=counts.get(SetState.WAITING, 0),
        deals=deals or 0,
        share=over / total if total else 0.0,
    )


def entrants(tournament: Tournament) -> list[EntrantAnswer]:
    """Tell who plays in a tournament; its entrants must be loaded."""
    return [entrant_answer(entrant) for entrant in tournament.entrants]


def entrant_answer(entrant: Entrant) -> EntrantAnswer:
    """Tell an entrant."""
    return EntrantAnswer(
        number=entrant.number,
        bot=entrant.version.bot.label,
        version=entrant.version.number,
        version_id=entrant.version.id,
        state=entrant.version.state.value,
        content_hash=entrant.version.content_hash,
        nonce=entrant.nonce,
        left=entrant.left,
    )


def labels(tournament: Tournament) -> dict[int, str]:
    """Label of the version of every entrant, by the entrant's number."""
    return {entrant.number: entrant.version.label for entrant in tournament.entrants}


def sets(
    session: Session, tournament: Tournament, paging: Paging, state: SetState | None = None
) -> Page[SetSummary]:
    """The sets of a tournament: finished ones first, the latest on top, then by number."""
    chosen = select(DealSet.id).where(DealSet.tournament_id == tournament.id)
    if state is not None:
        chosen = chosen.where(DealSet.state == state)
    order = (DealSet.finished.is_(None), DealSet.finished.desc(), DealSet.number)
    # Thousands are sorted, and few are shown: only these are read whole.
    shown = chosen.order_by(*order).limit(paging.limit).offset(paging.offset).subquery()
    query = (
        select(DealSet, Pairing.entrants)
        .join(shown, shown.c.id == DealSet.id)
        .join(Pairing, DealSet.pairing_id == Pairing.id)
    )
    found = session.execute(query.order_by(*order)).all()
    count = chosen.with_only_columns(func.count())
    matches = match_ids(session, [deal_set.id for deal_set, _ in found]) if found else {}
    names = labels(tournament)
    items = [
        set_summary(deal_set, [names[n] for n in players], matches.get(deal_set.id, []))
        for deal_set, players in found
    ]
    if not found and not paging.offset:
        return Page.of(items, 0, paging)
    return Page.of(items, session.scalar(count) or 0, paging)


def match_ids(session: Session, sets: Sequence[str]) -> dict[str, list[str]]:
    """List the matches of some sets."""
    query = select(Match.set_id, Match.id).where(Match.set_id.in_(sets)).order_by(Match.number)
    found: dict[str, list[str]] = {}
    for set_id, match_id in session.execute(query):
        found.setdefault(set_id, []).append(match_id)
    return found


def set_summary(deal_set: DealSet, players: list[str], matches: list[str]) -> SetSummary:
    """Tell a set."""
    return SetSummary(
        id=deal_set.id,
        number=deal_set.number,
        state=deal_set.state.value,
        reason=deal_set.reason,
        players=players,
        scores=deal_set.scores,
        margins=deal_set.margins,
        deals=deal_set.deals,
        attempts=deal_set.attempts,
        finished=deal_set.finished,
        matches=matches,
    )
