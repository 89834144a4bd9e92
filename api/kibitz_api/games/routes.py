"""The games: JSON and pages with the rules."""

import kibitz
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from kibitz_api.games.models import GameSummary
from kibitz_api.games.pages import rules_page
from kibitz_api.games.queries import GameName, summary
from kibitz_api.leaderboards.insights import position_namer
from kibitz_api.templating import render

api = APIRouter(prefix="/games", tags=["games"])
pages = APIRouter(prefix="/games")


@api.get("")
def list_games() -> list[GameSummary]:
    """The games, their options and presets."""
    return [summary(name) for name in kibitz.games()]


@api.get("/{game}")
def show_game(game: GameName) -> GameSummary:
    """One game, its options and presets."""
    return summary(game)


@pages.get("")
def games_page(request: Request) -> HTMLResponse:
    """Show all games."""
    return render(request, "games.html", games=[summary(name) for name in kibitz.games()])


@pages.get("/{game}")
def game_page(request: Request, game: GameName) -> HTMLResponse:
    """Show the rules and options of a game."""
    return render(
        request,
        "game.html",
        game=summary(game),
        rules=rules_page(game),
        position=position_namer(game),
    )
