"""``kibitz connect``: play a bot of one's own machine at a referee."""

from __future__ import annotations

from typing import Annotated

import typer


def connect(
    bot: Annotated[
        str, typer.Argument(help="A folder with kibitz.toml, a file, module:Class, or random, ...")
    ],
    to: Annotated[str, typer.Option(help="The referee, as HOST:PORT or unix:/path.")],
    token: Annotated[
        str | None,
        typer.Option(
            help="Your token at the server; default that of `kibitz login` at the same host.",
            envvar="KIBITZ_TOKEN",
            show_envvar=True,
        ),
    ] = None,
) -> None:
    """Play a bot on this machine for a referee, until Ctrl-C.

    The bot stays here; the referee knows by the token that it is yours. A lost connection is taken
    up again.
    """
    import os

    from kibitz.bots.__main__ import main
    from kibitz.cli import tokens
    from kibitz.cli.failures import CommandError, say

    if not to.startswith("unix:") and not to.rpartition(":")[2].isdigit():
        raise CommandError(f"{to!r} is no HOST:PORT and no unix:/path", reason="BAD_ADDRESS")
    token = token or tokens.of_host(to)
    if not token:
        raise CommandError(
            "your token at this server is needed: run `kibitz login` with its address, "
            "or give --token or KIBITZ_TOKEN",
            reason="TOKEN_MISSING",
        )
    os.environ["KIBITZ_ADDRESS"] = to
    os.environ["KIBITZ_TOKEN"] = token
    raise typer.Exit(main([bot], lambda: say(f"{bot} plays for {to}; Ctrl-C ends it")))
