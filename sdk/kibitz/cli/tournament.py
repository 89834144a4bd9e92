"""``kibitz tournament``: start tournaments on a server and follow them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from kibitz.cli.arguments import Json, To
from kibitz.cli.creating import add_nonce, create
from kibitz.cli.exporting import export
from kibitz.cli.ladders import join, leave
from kibitz.cli.standings import show_standings
from kibitz.cli.telling import Follow, follow_to_end, page, tell

commands = typer.Typer(help="Start tournaments on a server and follow them.", no_args_is_help=True)
commands.command()(create)
commands.command()(export)
commands.command()(join)
commands.command()(leave)


class Kind(StrEnum):
    """What a tournament is for."""

    TOURNAMENT = "tournament"
    EXHIBITION = "exhibition"
    REMATCH = "rematch"


Id = Annotated[str, typer.Argument(help="The tournament's id.")]


@commands.command(name="nonce")
def nonce_(
    tournament: Id,
    nonce: Annotated[
        str | None,
        typer.Argument(help="Up to 64 letters, digits, _ . -  \\[default: 32 random digits]"),
    ] = None,
    bot: Annotated[str | None, typer.Option(help="Only for this bot of yours.")] = None,
    to: To = None,
    as_json: Json = False,
) -> None:
    """Add a nonce to the luck of your bots in a tournament that has not started.

    Decks come from the server's secret, whose hash is known by then, and from the nonces: what
    nobody could know beforehand, nobody can have arranged.
    """
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server

    with Server(to) as server:
        found = add_nonce(server, tournament, nonce, bot)
    if as_json:
        dump(found)
        return
    for each in found:
        print(f"{each['bot']}/{each['version']}  {each['nonce']}")
    if not found:
        print("You have no bot in this tournament.")


@commands.command()
def start(tournament: Id, follow: Follow = False, to: To = None, as_json: Json = False) -> None:
    """Start a tournament of yours that was created with --wait, or go on after a pause."""
    from kibitz.cli.server import Server

    with Server(to) as server:
        tell(server, server.post(f"tournaments/{tournament}/start", {}), follow, as_json)


@commands.command()
def pause(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """Begin no more sets of your tournament; those under way are finished."""
    _change(tournament, "pause", to, as_json)


@commands.command()
def resume(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """Go on with your tournament after a pause."""
    _change(tournament, "resume", to, as_json)


@commands.command()
def cancel(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """End your tournament early, for good; finished sets keep counting."""
    _change(tournament, "cancel", to, as_json)


@commands.command()
def extend(
    tournament: Id,
    by: Annotated[
        int,
        typer.Argument(help="Sets a table, rounds of a Swiss, sets for each of a ladder.", min=1),
    ],
    to: To = None,
    as_json: Json = False,
) -> None:
    """Let your tournament play longer."""
    _change(tournament, "extend", to, as_json, by=by)


def _change(tournament: str, what: str, to: str | None, as_json: bool, **values: object) -> None:
    from kibitz.cli.server import Server

    with Server(to) as server:
        send = server.create if what == "extend" else server.post
        changed = send(f"tournaments/{tournament}/{what}", values)
        tell(server, changed, False, as_json)


@commands.command(name="watch")
@commands.command(name="follow", hidden=True)
def follow_(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """Show the progress of a tournament until it is over, then its standings."""
    from kibitz.cli.server import Server

    with Server(to) as server:
        follow_to_end(server, server.get(f"tournaments/{tournament}"), as_json)


@commands.command(name="list")
def list_(
    kind: Annotated[
        Kind | None,
        typer.Option(help="Only these.  \\[default: all but rematches]"),
    ] = None,
    to: To = None,
    as_json: Json = False,
) -> None:
    """List the server's tournaments, running ones first."""
    from kibitz.cli.console import dump, show
    from kibitz.cli.server import Server

    with Server(to) as server:
        query = {"kind": str(kind)} if kind else {}
        rows = server.items("tournaments", query)
    if as_json:
        dump(rows)
        return
    show(
        ("id", "name", "game", "state", ">sets"),
        ((row["id"], row["name"], row["game"], _state(row), _progress(row)) for row in rows),
    )


def _state(row: Any) -> str:
    kind = row.get("kind", "tournament")
    return str(row["state"]) if kind == "tournament" else f"{row['state']}, {kind}"


def _progress(row: Any) -> str:
    return f"{row.get('sets_done', 0)}/{row.get('sets_total', 0)}"


@commands.command()
def show(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """Show how far a tournament is."""
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server
    from kibitz.cli.tournament_lines import show_rounds, show_waits

    with Server(to) as server:
        found = server.get(f"tournaments/{tournament}")
        if as_json:
            dump(found)
            return
        options = " ".join(f"{key}={value}" for key, value in (found.get("options") or {}).items())
        print(f"{found['id']}  {found['name']}")
        print(f"{found['game']}  {options}")
        print(f"{_state(found)}, {_progress(found)} sets  {found.get('reason') or ''}".rstrip())
        show_waits(found)
        show_rounds(found)
        print(page(server.url, found))


@commands.command()
def standings(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """Show the standings of a tournament, with 95 % intervals."""
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server

    with Server(to) as server:
        rows = server.items(f"tournaments/{tournament}/standings")
    if as_json:
        dump(rows)
        return
    show_standings(rows)


@commands.command()
def annul(
    set_id: Annotated[str, typer.Argument(metavar="SET", help="The id of a finished set.")],
    reason: Annotated[str, typer.Option(help="Why; shown beside the set.")],
    to: To = None,
    as_json: Json = False,
) -> None:
    """Strike a finished set of your tournament out; ratings are fitted again without it.

    While the tournament goes on, a new set with new cards is played in its place.
    """
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server

    with Server(to) as server:
        found = server.post(f"sets/{set_id}/annul", {"reason": reason})
    if as_json:
        dump(found)
        return
    instead = f"; {found['replaced_by']} is played instead" if found["replaced_by"] else ""
    print(f"Annulled set {found['set']}{instead}.")
