"""Telling of a tournament on a server, once or until it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.standings import show_standings

if TYPE_CHECKING:
    from kibitz.cli.server import Server

Follow = Annotated[
    bool, typer.Option("--follow", help="Show the progress until it is over, and its standings.")
]


def tell(server: Server, made: Any, follow: bool, as_json: bool) -> None:
    """Print which tournament it is and where it is shown; with `follow` stay until its end."""
    from kibitz.cli.console import dump

    if not as_json:
        print(f"Tournament {made['id']} ({made['state']}): {page(server.url, made)}")
        print(f"Decks come from a secret with SHA-256 {made['commitment']}")
    if follow:
        follow_to_end(server, made, as_json)
    elif as_json:
        dump(made)


def follow_to_end(server: Server, tournament: Any, as_json: bool) -> None:
    """Show the progress of a tournament until it is over, then its standings.

    Raises:
        CommandError: it was cancelled, or the server is out of reach.
    """
    from kibitz.cli.console import dump
    from kibitz.cli.failures import CommandError, say
    from kibitz.cli.following import follow

    try:
        found = follow(server, tournament["id"])
    except KeyboardInterrupt:
        say(f"the tournament goes on at the server: {page(server.url, tournament)}")
        raise
    if as_json:
        dump(found)
    else:
        show_standings(found["standings"])
    if found["state"] == "cancelled":
        why = found.get("reason") or "no reason given"
        raise CommandError(f"the tournament was cancelled: {why}", reason="CANCELLED")


def page(server: str, tournament: Any) -> str:
    """Return the address of a tournament's page."""
    url = str(tournament.get("url") or f"/tournaments/{tournament['id']}")
    return url if "://" in url else server + url
