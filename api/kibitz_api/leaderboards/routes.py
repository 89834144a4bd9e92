"""Leaderboards: JSON and pages."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from kibitz_api.charts import Scale, scale
from kibitz_api.context import ReadSession
from kibitz_api.games.queries import GameName, titles
from kibitz_api.leaderboards import queries
from kibitz_api.leaderboards.crosstables import crosstable
from kibitz_api.leaderboards.models import Leaderboard, LeaderboardRow
from kibitz_api.templating import render

api = APIRouter(prefix="/leaderboards", tags=["leaderboards"])
pages = APIRouter(prefix="/leaderboards")

Pool = Annotated[
    str | None,
    Query(
        max_length=64, pattern=r"^[a-z0-9]+$", description="Rating pool; the main one if left out."
    ),
]
Newest = Annotated[bool, Query(description="Only the newest admitted version of each bot.")]


@api.get("")
def list_leaderboards(session: ReadSession) -> list[Leaderboard]:
    """The leaderboards there are: the games that have finished rated sets, and their pools."""
    return [board.about for board in queries.boards(session)]


@api.get("/{game}")
def show_leaderboard(
    session: ReadSession, game: GameName, pool: Pool = None, newest: Newest = False
) -> list[LeaderboardRow]:
    """The bots of a game, best first; empty while no rated set is finished."""
    board = queries.board(session, game, pool)
    return queries.rows(session, board, newest) if board else []


@pages.get("")
def leaderboards_page(request: Request, session: ReadSession) -> HTMLResponse:
    """Show the best of every pool."""
    boards = queries.boards(session)
    shown = [
        {"about": board.about, "rows": (found := queries.rows(session, board)), "scale": of(found)}
        for board in boards
    ]
    rated = {board.snapshot.game for board in boards}
    unrated = {name: title for name, title in titles().items() if name not in rated}
    return render(request, "leaderboards.html", boards=shown, unrated=unrated)


@pages.get("/{game}")
def leaderboard_page(
    request: Request,
    session: ReadSession,
    game: GameName,
    pool: Pool = None,
    newest: Newest = False,
) -> HTMLResponse:
    """Show the leaderboard of a game with its crosstable."""
    board = queries.board(session, game, pool)
    found = queries.rows(session, board, newest) if board else []
    return render(
        request,
        "leaderboard.html",
        game=game,
        title=titles()[game],
        about=board.about if board else None,
        rows=found,
        scale=of(found),
        table=crosstable(board) if board else None,
        pools=queries.newest_snapshots(session, game),
        newest=newest,
    )


def of(rows: list[LeaderboardRow]) -> Scale:
    """The common scale of all intervals of a board."""
    return scale([edge for row in rows for edge in (row.elo_low, row.elo_high)])
