"""The home page: what is going on, and who is best."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from kibitz_api.bots.queries import count
from kibitz_api.charts import scale
from kibitz_api.context import ReadSession
from kibitz_api.leaderboards import queries as leaderboards
from kibitz_api.matches import recent
from kibitz_api.paging import Paging
from kibitz_api.templating import render
from kibitz_api.tournaments import queries as tournaments

pages = APIRouter()

TOP = 5


@pages.get("/")
def home_page(request: Request, session: ReadSession) -> HTMLResponse:
    """Show what is going on, and who is best."""
    return render(
        request,
        "home.html",
        tournaments=tournaments.newest(session, Paging(6, 0)),
        matches=recent.page_of(session, recent.finished_matches(), Paging(8, 0)),
        boards=top_boards(session),
        bots=count(session),
    )


def top_boards(session: Session) -> list[dict[str, object]]:
    """The best of the main pool of every rated game, with the scale of their intervals."""
    found: list[dict[str, object]] = []
    for board in leaderboards.boards(session):
        if board.main:
            rows = leaderboards.rows(session, board)[:TOP]
            edges = [edge for row in rows for edge in (row.elo_low, row.elo_high)]
            found.append({"about": board.about, "rows": rows, "scale": scale(edges)})
    return found
