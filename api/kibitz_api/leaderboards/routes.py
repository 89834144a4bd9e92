"""Leaderboards: JSON and pages."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from kibitz_api.charts import Scale, scale
from kibitz_api.context import ReadSession
from kibitz_api.errors import NotFoundError
from kibitz_api.games.queries import GameName, titles
from kibitz_api.leaderboards import queries
from kibitz_api.leaderboards.crosstables import Crosstable, crosstable
from kibitz_api.leaderboards.insight_models import Insights
from kibitz_api.leaderboards.insights import insights, position_namer
from kibitz_api.leaderboards.matchups import Matchup, matchup
from kibitz_api.leaderboards.models import Leaderboard, LeaderboardRow
from kibitz_api.leaderboards.overall import Overall, overall
from kibitz_api.paging import PagingQuery
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
Show = Annotated[
    Literal["won", "margin", "los"],
    Query(description="What the cells of the crosstable show."),
]
One = Annotated[str, Query(max_length=120, description="Label of a version, `owner/bot/number`.")]
Two = Annotated[str, Query(max_length=120, description="Label of the other version.")]


@api.get("")
def list_leaderboards(session: ReadSession) -> list[Leaderboard]:
    """The leaderboards there are: the games that have finished rated sets, and their pools."""
    return [board.about for board in queries.boards(session)]


@api.get("/overall")
def show_overall(session: ReadSession) -> Overall:
    """The bots over all rated games, with the definition of that number."""
    return overall(queries.boards(session))


@api.get("/{game}")
def show_leaderboard(
    session: ReadSession, game: GameName, pool: Pool = None, newest: Newest = False
) -> list[LeaderboardRow]:
    """The bots of a game, best first; empty while no rated set is finished."""
    board = queries.board(session, game, pool)
    return queries.rows(session, board, newest) if board else []


def rated(session: Session, game: str, pool: str | None) -> queries.Board:
    """The newest ratings of a game. Raises NotFoundError while there are none."""
    board = queries.board(session, game, pool)
    if board is None:
        raise NotFoundError("leaderboard", game, where="path.game")
    return board


@api.get("/{game}/crosstable")
def show_crosstable(session: ReadSession, game: GameName, pool: Pool = None) -> Crosstable:
    """Everybody against everybody, the best 60, with likelihoods of superiority."""
    return crosstable(rated(session, game, pool))


@api.get("/{game}/insights")
def show_insights(session: ReadSession, game: GameName, pool: Pool = None) -> Insights:
    """What the same sets tell about roles, positions, luck, other orders and circles."""
    return insights(rated(session, game, pool))


@api.get("/{game}/matchup")
def show_matchup(
    session: ReadSession, game: GameName, a: One, b: Two, paging: PagingQuery, pool: Pool = None
) -> Matchup:
    """Two versions against each other, and the sets that both played."""
    return matchup(session, rated(session, game, pool), a, b, paging)


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
    return render(
        request, "leaderboards.html", boards=shown, unrated=unrated, overall=overall(boards)
    )


@pages.get("/{game}")
def leaderboard_page(
    request: Request,
    session: ReadSession,
    game: GameName,
    pool: Pool = None,
    newest: Newest = False,
    show: Show = "won",
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
        show=show,
        insights=insights(board) if board else None,
        position=position_namer(game),
        pools=queries.newest_snapshots(session, game),
        newest=newest,
    )


@pages.get("/{game}/matchup")
def matchup_page(
    request: Request,
    session: ReadSession,
    game: GameName,
    a: One,
    b: Two,
    paging: PagingQuery,
    pool: Pool = None,
) -> HTMLResponse:
    """Show two versions against each other."""
    board = rated(session, game, pool)
    return render(
        request,
        "matchup.html",
        game=game,
        title=titles()[game],
        about=board.about,
        pair=matchup(session, board, a, b, paging),
        page_size=paging.limit,
    )


def of(rows: list[LeaderboardRow]) -> Scale:
    """The common scale of all intervals of a board."""
    return scale([edge for row in rows for edge in (row.elo_low, row.elo_high)])
