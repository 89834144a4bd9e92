"""``kibitz login``: keep the token of a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def login(
    url: Annotated[str, typer.Argument(help="The server, as http://localhost:8000.")],
    token_file: Annotated[
        Path | None,
        typer.Option(help="Read the token from a file (a local server prints which); - is stdin."),
    ] = None,
) -> None:
    """Keep a server's token, so that submit and tournament may act for you.

    Without --token-file the token is asked for. It is kept in the configuration folder, readable by
    you only; the environment variable KIBITZ_TOKEN goes before it.
    """
    from kibitz.cli import tokens
    from kibitz.cli.failures import CommandError

    server = tokens.normal(url)
    token = _read(token_file)
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise CommandError("that is no token: one word of letters and digits", reason="BAD_TOKEN")
    whose = _whose(server, token)
    kept = tokens.save(server, token)
    print(f"Token for {server}{whose} kept in {kept}")


def _whose(url: str, token: str) -> str:
    """Return a word on whose token it is; a server that is away cannot say, and nothing is lost."""
    from kibitz.cli.failures import CommandError, say
    from kibitz.cli.server import AWAY, Server

    try:
        with Server(url, token=token, timeout=10) as server:
            return f" ({server.get('account')['name']})"
    except CommandError as error:
        if error.reason not in AWAY:
            raise
        say(f"{error}; the token is kept untried")
        return ""


def _read(token_file: Path | None) -> str:
    if token_file is None and sys.stdin.isatty():
        return str(typer.prompt("Token", hide_input=True)).strip()
    if token_file is None or str(token_file) == "-":
        return sys.stdin.readline().strip()
    return token_file.read_text("utf-8").strip()
