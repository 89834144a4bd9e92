"""Bots: JSON and pages."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse
from kibitz_worker.store.models import Bot
from sqlalchemy.orm import Session

from kibitz_api.bots import queries
from kibitz_api.bots.history import History, history
from kibitz_api.bots.models import BotAnswer, BotSummary
from kibitz_api.context import Asker, ReadSession
from kibitz_api.games.queries import titles
from kibitz_api.leaderboards.queries import boards
from kibitz_api.leagues.memberships import leagues_of
from kibitz_api.matches import recent
from kibitz_api.paging import Page, PagingQuery
from kibitz_api.plots import Place, Plot, history_plot
from kibitz_api.templating import render

api = APIRouter(prefix="/bots", tags=["bots"])
pages = APIRouter(prefix="/bots")

NAME = r"^[a-z0-9_-]+$"
Name = Annotated[str, Path(max_length=40, pattern=NAME, description="Name or number.")]
Owner = Annotated[str, Path(max_length=40, pattern=NAME, description="Its owner.")]
OwnerFilter = Annotated[
    str | None, Query(max_length=40, pattern=NAME, description="Only of this owner.")
]
GameFilter = Annotated[
    str | None, Query(max_length=40, pattern=NAME, description="Only those that play it.")
]

RECENT = 20


@api.get("")
def list_bots(
    session: ReadSession, paging: PagingQuery, owner: OwnerFilter = None, game: GameFilter = None
) -> Page[BotSummary]:
    """All bots by label, house bots first."""
    return queries.all_bots(session, paging, owner=owner, game=game)


@api.get("/{name}")
def show_house_bot(session: ReadSession, name: Name) -> BotAnswer:
    """A bot of the house by name, or any bot by number."""
    return answer(session, queries.find(session, name))


@api.get("/{owner}/{name}/history")
def show_history(session: ReadSession, owner: Owner, name: Name) -> list[History]:
    """How a bot's ratings came about: a point for each version and completed round.

    The owner of the house's bots is `house`.
    """
    return history(session, queries.find(session, f"{owner}/{name}"))


@api.get("/{owner}/{name}")
def show_bot(session: ReadSession, owner: Owner, name: Name) -> BotAnswer:
    """A bot: versions, ratings, results against others, latest matches."""
    return answer(session, queries.find(session, f"{owner}/{name}"))


def answer(session: Session, bot: Bot) -> BotAnswer:
    """All about a bot."""
    newest = boards(session)
    return BotAnswer(
        **queries.summary(bot).model_dump(),
        leagues=leagues_of(session, bot.id),
        all_versions=[queries.version_summary(version) for version in reversed(bot.versions)],
        ratings=queries.ratings(bot, newest),
        head_to_head=queries.head_to_head(bot, newest),
        recent=recent.of_bot(session, bot.id, RECENT),
    )


@pages.get("")
def bots_page(
    request: Request,
    session: ReadSession,
    paging: PagingQuery,
    owner: OwnerFilter = None,
    game: GameFilter = None,
) -> HTMLResponse:
    """Show all bots."""
    page = queries.all_bots(session, paging, owner=owner, game=game)
    return render(
        request,
        "bots.html",
        page=page,
        page_size=paging.limit,
        owner=owner,
        game=game,
        games=titles(),
    )


@pages.get("/{name}")
def house_bot_page(
    request: Request, session: ReadSession, person: Asker, name: Name
) -> HTMLResponse:
    """Show a bot of the house, or any bot by number."""
    return page_of(request, session, person is not None, queries.find(session, name))


@pages.get("/{owner}/{name}")
def bot_page(
    request: Request, session: ReadSession, person: Asker, owner: Owner, name: Name
) -> HTMLResponse:
    """Show a bot."""
    return page_of(request, session, person is not None, queries.find(session, f"{owner}/{name}"))


def page_of(request: Request, session: Session, known: bool, bot: Bot) -> HTMLResponse:
    """Render a bot's page; `known` says that somebody is logged in."""
    mine = known and request.state.viewer.id == bot.owner_id
    told = [(each, drawn(each)) for each in history(session, bot)]
    return render(request, "bot.html", bot=answer(session, bot), mine=mine, histories=told)


def drawn(told: History) -> Plot:
    """A history as a chart: a line a version, over the completed rounds."""
    lines: dict[int, list[Place]] = {}
    for x, point in enumerate(told.points):
        name = f"version {point.version}: {point.elo:.0f} after {point.tournament_name}"
        place = Place(x, point.elo, point.elo_low, point.elo_high, name)
        lines.setdefault(point.version, []).append(place)
    below = [f"{point.created:%Y-%m-%d}" for point in told.points]
    return history_plot([(f"v{number}", line) for number, line in lines.items()], below)
