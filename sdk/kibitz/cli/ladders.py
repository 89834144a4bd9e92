"""``kibitz tournament join`` and ``leave``: coming into a running ladder, and going."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli.arguments import Json, To

Ladder = Annotated[str, typer.Argument(help="The id of the ladder.", metavar="ID")]
OwnBot = Annotated[
    str, typer.Argument(help="Your bot: heart (the newest version), heart@3 or ana/heart/3.")
]


def join(tournament: Ladder, bot: OwnBot, to: To = None, as_json: Json = False) -> None:
    """Let your bot into a ladder, also while it is played: it has played least and so is next."""
    _change(tournament, bot, "join", to, as_json)


def leave(tournament: Ladder, bot: OwnBot, to: To = None, as_json: Json = False) -> None:
    """Take your bot out of a ladder; its results stay, and sets under way are finished."""
    _change(tournament, bot, "leave", to, as_json)


def _change(tournament: str, bot: str, what: str, to: str | None, as_json: bool) -> None:
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server

    with Server(to) as server:
        found = server.post(f"tournaments/{tournament}/{what}", {"bot": bot})
    if as_json:
        dump(found)
        return
    said = {"join": "plays in", "leave": "has left"}[what]
    print(f"{found['bot']}/{found['version']} {said} {tournament}.")
