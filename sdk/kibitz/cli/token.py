"""``kibitz token``: further tokens of your account at a server."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli.arguments import Json, To

commands = typer.Typer(
    help="Make, list and revoke tokens of your account at a server.", no_args_is_help=True
)


@commands.command()
def create(
    name: Annotated[str, typer.Argument(help="To tell it from your others, as 'my second bot'.")],
    to: To = None,
    as_json: Json = False,
) -> None:
    """Make a further token and print it; the server keeps its hash only, so keep it well."""
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server

    with Server(to) as server:
        made = server.post("tokens", {"name": name})
    if as_json:
        dump(made)
    else:
        print(made["token"])


@commands.command(name="list")
def list_(to: To = None, as_json: Json = False) -> None:
    """List your tokens, by number and name."""
    from kibitz.cli.console import dump, show
    from kibitz.cli.server import Server

    with Server(to) as server:
        server.require_token()
        rows = server.items("tokens")
    if as_json:
        dump(rows)
        return
    show(
        (">number", "name", "created"),
        ((str(row["id"]), row["name"], row["created"][:10]) for row in rows),
    )


@commands.command()
def revoke(
    number: Annotated[int, typer.Argument(help="The number that `kibitz token list` shows.")],
    to: To = None,
    as_json: Json = False,
) -> None:
    """Make a token of yours worthless, at once and for good."""
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server

    with Server(to) as server:
        gone = server.delete(f"tokens/{number}")
    if as_json:
        dump(gone)
    else:
        print(f"Token {gone['id']} ({gone['name']}) opens nothing any more.")
