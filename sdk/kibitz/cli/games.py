"""``kibitz games``: what can be played, and with which options."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kibitz.cli.arguments import Json, complete_game


def games(
    game: Annotated[
        str | None,
        typer.Argument(help="Only this game.", autocompletion=complete_game),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the games, their options with values, and their presets."""
    import kibitz
    from kibitz.cli.console import dump

    names = [game] if game else list(kibitz.games())
    known = [describe(name) for name in names]
    if as_json:
        dump(known[0] if game else known)
        return
    for each in known:
        _print(each)


def describe(name: str) -> dict[str, Any]:
    """Return what a game is, in plain values for JSON."""
    import kibitz
    from kibitz.options import allowed

    game = kibitz.game(name)
    defaults = game.options()
    return {
        "name": name,
        "title": game.title,
        "seats": game.seats,
        "players": game.players,
        "sides": game.sides,
        "cards": len(game.deck),
        "options": [
            {
                "name": key,
                "default": defaults[key],
                "values": str(allowed),
            }
            for key, allowed in allowed(game).items()
        ],
        "presets": {key: dict(options) for key, options in game.presets.items()},
    }


def _print(game: dict[str, Any]) -> None:
    from kibitz.cli.console import show

    sides = " on two sides" if game["sides"] < game["seats"] else ""
    seats = game["seats"] // game["players"]
    each = f", each in {seats} seats" if seats > 1 else ""
    heading = (
        f"{game['name']}  {game['title']}: {game['seats']} seats{sides}, "
        f"{game['cards']} cards; {game['players']} bots play a match{each}"
    )
    show(
        ("option", "default", "values"),
        ((each["name"], _value(each["default"]), each["values"]) for each in game["options"]),
        title=heading,
    )
    if game["presets"]:
        show(
            ("preset", "options"),
            (
                (key, " ".join(f"{name}={_value(value)}" for name, value in options.items()))
                for key, options in game["presets"].items()
            ),
        )


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)
