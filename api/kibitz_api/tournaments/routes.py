"""Tournaments: JSON and pages."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, status
from fastapi.responses import HTMLResponse
from kibitz_worker.store.models import SetState, TournamentKind, TournamentState
from kibitz_worker.store.nonces import contribute

from kibitz_api.bots.models import RecentMatch
from kibitz_api.bots.queries import own_versions
from kibitz_api.context import Asker, ReadSession, ServicesDep, TokenUser, WriteSession
from kibitz_api.creating import KeyHeader, made_once, new_key
from kibitz_api.games.queries import titles
from kibitz_api.matches import recent
from kibitz_api.matches.rematches import beside
from kibitz_api.paging import Page, Paging, PagingQuery
from kibitz_api.templating import render
from kibitz_api.tournaments import queries
from kibitz_api.tournaments.answers import full, standings_of
from kibitz_api.tournaments.brackets import bracket
from kibitz_api.tournaments.changes import Change, change, create, extend, preview
from kibitz_api.tournaments.models import (
    EntrantAnswer,
    ExtendRequest,
    NonceRequest,
    Preview,
    SecondLookAnswer,
    SetSummary,
    Standing,
    Tournament,
    TournamentRequest,
    TournamentSummary,
)
from kibitz_api.tournaments.second_looks import answers

api = APIRouter(prefix="/tournaments", tags=["tournaments"])
pages = APIRouter(prefix="/tournaments")

NAME = r"^[a-z0-9_-]+$"
TournamentId = Annotated[str, Path(pattern=r"^[a-z0-9]{1,16}$", description="Id of a tournament.")]
GameFilter = Annotated[
    str | None, Query(max_length=40, pattern=NAME, description="Only this game.")
]
KindFilter = Annotated[
    TournamentKind | None, Query(description="Only of this kind; all but rematches by default.")
]
StateFilter = Annotated[TournamentState | None, Query(description="Only in this state.")]


@api.get("")
def list_tournaments(
    session: ReadSession,
    paging: PagingQuery,
    game: GameFilter = None,
    state: StateFilter = None,
    kind: KindFilter = None,
) -> Page[TournamentSummary]:
    """Tournaments: running ones first, then the newest."""
    return queries.newest(session, paging, game=game, state=state, kind=kind)


@api.post("", status_code=status.HTTP_201_CREATED)
def create_tournament(
    services: ServicesDep,
    session: WriteSession,
    person: TokenUser,
    wanted: TournamentRequest,
    key: KeyHeader = None,
) -> Tournament:
    """Create a tournament; it begins at once, or with `start: false` when it is started."""
    made = made_once(
        session,
        person,
        key,
        wanted,
        lambda: create(session, person, wanted),
        lambda made: queries.find(session, made),
        path="tournaments",
    )
    return full(services, session, made)


@api.post("/preview")
def preview_tournament(
    session: ReadSession, person: TokenUser, wanted: TournamentRequest
) -> Preview:
    """What a tournament would come to, and whether it can be; nothing is created."""
    return preview(session, person, wanted)


@api.post("/{tournament_id}/extend")
def extend_tournament(
    services: ServicesDep,
    session: WriteSession,
    person: TokenUser,
    tournament_id: TournamentId,
    wanted: ExtendRequest,
    key: KeyHeader = None,
) -> Tournament:
    """Let a tournament that is not over play longer. Owner only."""
    extended = made_once(
        session,
        person,
        key,
        wanted,
        lambda: extend(session, person, tournament_id, wanted.by),
        lambda made: queries.find(session, made),
        path=f"tournaments/{tournament_id}/extend",
    )
    return full(services, session, extended)


@api.get("/{tournament_id}")
def show_tournament(
    services: ServicesDep, session: ReadSession, tournament_id: TournamentId
) -> Tournament:
    """A tournament: progress, entrants, standings, crosstable."""
    return full(services, session, queries.find(session, tournament_id))


@api.get("/{tournament_id}/standings")
def show_standings(session: ReadSession, tournament_id: TournamentId) -> list[Standing]:
    """The entrants, best first."""
    return standings_of(session, queries.find(session, tournament_id))


@api.get("/{tournament_id}/second-looks")
def list_second_looks(session: ReadSession, tournament_id: TournamentId) -> list[SecondLookAnswer]:
    """Test for each self-hosted bot whether it plays decks better when it meets them again."""
    return answers(session, queries.find(session, tournament_id))


@api.get("/{tournament_id}/sets")
def list_sets(
    session: ReadSession,
    tournament_id: TournamentId,
    paging: PagingQuery,
    state: Annotated[SetState | None, Query(description="Only in this state.")] = None,
) -> Page[SetSummary]:
    """The sets of a tournament, the latest finished first."""
    return queries.sets(session, queries.find(session, tournament_id), paging, state)


@api.get("/{tournament_id}/matches")
def list_matches(
    session: ReadSession, tournament_id: TournamentId, paging: PagingQuery, pair: recent.PairQuery
) -> Page[RecentMatch]:
    """The finished matches of a tournament, or those of one or two versions; the latest first."""
    tournament = queries.find(session, tournament_id)
    query = recent.of_tournament(recent.finished_matches(), tournament_id)
    return recent.newest(session, recent.of_pair(session, query, tournament, pair), paging)


@api.post("/{tournament_id}/nonces")
def add_nonce(
    session: WriteSession, person: TokenUser, tournament_id: TournamentId, wanted: NonceRequest
) -> list[EntrantAnswer]:
    """Add to the luck of one's bots in a tournament that has not begun; answers these bots."""
    entrants = contribute(session, person.name, tournament_id, wanted.nonce, wanted.entrant)
    return [queries.entrant_answer(entrant) for entrant in entrants]


@api.post("/{tournament_id}/{action}")
def change_tournament(
    services: ServicesDep,
    session: WriteSession,
    person: TokenUser,
    tournament_id: TournamentId,
    action: Change,
) -> Tournament:
    """Start a tournament, pause it (no new sets), resume it, or cancel it for good. Owner only."""
    return full(services, session, change(session, person, tournament_id, action))


@pages.get("")
def tournaments_page(
    request: Request,
    session: ReadSession,
    paging: PagingQuery,
    game: GameFilter = None,
    state: StateFilter = None,
    kind: KindFilter = None,
) -> HTMLResponse:
    """Show tournaments, running ones first."""
    return render(
        request,
        "tournaments.html",
        page=queries.newest(session, paging, game=game, state=state, kind=kind),
        page_size=paging.limit,
        games=titles(),
        game=game,
        state=state.value if state else None,
        kind=kind.value if kind else None,
    )


@pages.get("/{tournament_id}")
def tournament_page(
    request: Request,
    services: ServicesDep,
    session: ReadSession,
    person: Asker,
    tournament_id: TournamentId,
) -> HTMLResponse:
    """Show a tournament: progress, standings, crosstable, latest matches."""
    row = queries.find(session, tournament_id)
    tournament = full(services, session, row)
    query = recent.of_tournament(recent.finished_matches(), tournament_id)
    return render(
        request,
        "tournament.html",
        tournament=tournament,
        bracket=bracket(tournament),
        rematch=beside(session, row) if row.replays else None,
        own=own_versions(session, row.game, person) if row.format == "ladder" else [],
        matches=recent.newest(session, query, Paging(12, 0)),
        once=new_key(),
        voided=queries.sets(session, row, Paging(20, 0), SetState.VOID),
    )


@pages.get("/{tournament_id}/matches")
def tournament_matches_page(
    request: Request,
    session: ReadSession,
    tournament_id: TournamentId,
    paging: PagingQuery,
    pair: recent.PairQuery,
) -> HTMLResponse:
    """Show the finished matches of a tournament, all or those of two versions."""
    tournament = queries.find(session, tournament_id)
    query = recent.of_tournament(recent.finished_matches(), tournament_id)
    return render(
        request,
        "tournament_matches.html",
        tournament=tournament,
        page=recent.newest(session, recent.of_pair(session, query, tournament, pair), paging),
        page_size=paging.limit,
        pair=pair,
    )
