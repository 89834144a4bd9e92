"""What the rules library knows of its games, in the words of the API."""

import json
from functools import cache
from pathlib import Path
from typing import Annotated

import kibitz
from fastapi import Depends
from fastapi import Path as PathParameter
from kibitz.options import allowed

from kibitz_api.errors import NotFoundError
from kibitz_api.games.models import GameOption, GameSummary, MeasuredLuck
from kibitz_api.games.texts import EFFECTS, SUMMARIES


@cache
def title(game: str) -> str:
    """The game's name for people; of a game that is no more, its id in better letters."""
    if game in kibitz.games():
        return kibitz.game(game).title
    return game.replace("_", " ").title()


def titles() -> dict[str, str]:
    """Every game by name, in the order of the rules table."""
    return {name: title(name) for name in kibitz.games()}


def known_game(
    game: Annotated[str, PathParameter(max_length=40, description="Name of a game.")],
) -> str:
    """Take the game in the path when there is one of this name. Raises NotFoundError."""
    if game not in kibitz.games():
        raise NotFoundError("game", game, where="path.game", known=kibitz.games())
    return game


GameName = Annotated[str, Depends(known_game)]


@cache
def summary(name: str) -> GameSummary:
    """All about one game. Raises kibitz.OptionError for a name that is no game."""
    game = kibitz.game(name)
    effects = EFFECTS.get(name, {})
    return GameSummary(
        name=name,
        title=title(name),
        seats=game.seats,
        places=game.places,
        sides=game.sides,
        players=game.players,
        matches_per_set=len(kibitz.seatings(game)),
        summary=SUMMARIES.get(name, ""),
        rules=f"/games/{name}",
        presets=presets(name),
        options=[
            GameOption(
                name=option,
                default=game.options()[option],
                values=str(values),
                effect=effects.get(option, ""),
            )
            for option, values in allowed(game).items()
        ],
        measured=measured("mixed").get(name),
        measured_alike=measured("alike").get(name),
    )


@cache
def measured(field: str) -> dict[str, MeasuredLuck]:
    """What `bench/luck.py` has found of each game in a field of bots: `mixed` or `alike`."""
    found = json.loads(Path(__file__).with_name("luck.json").read_text(encoding="utf-8"))
    return {name: MeasuredLuck.model_validate(fields[field]) for name, fields in found.items()}


def presets(name: str) -> dict[str, dict[str, object]]:
    """The game's named bundles of options."""
    return {preset: dict(options) for preset, options in kibitz.game(name).presets.items()}
