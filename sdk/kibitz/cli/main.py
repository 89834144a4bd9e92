"""All commands under one name."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from kibitz.cli import (
    connect,
    creating,
    games,
    leaderboard,
    league,
    login,
    new,
    play,
    rate,
    rematch,
    replay,
    submit,
    token,
    tournament,
    verify,
)

cli = typer.Typer(
    name="kibitz",
    help="Write bots for trick-taking card games, play them here, enter them in tournaments.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from kibitz.build import BUILD

        print(f"kibitz {version('kibitz')} ({BUILD})")
        raise typer.Exit


@cli.callback()
def main(
    shown: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
    debug: Annotated[  # (taken out of the arguments before they come here)
        bool, typer.Option("--debug", help="Show the traceback of an error.")
    ] = False,
) -> None:
    """Write bots for trick-taking card games, play them here, enter them in tournaments."""


cli.command("new")(new.new)
cli.command("play")(play.play)
cli.command("games")(games.games)
cli.command("verify")(verify.verify)
cli.command("replay")(replay.replay)
cli.command("rate")(rate.rate)
cli.command("login")(login.login)
cli.command("submit")(submit.submit)
cli.command("connect")(connect.connect)
cli.command("exhibition")(creating.exhibition)
cli.command("rematch")(rematch.rematch)
cli.command("leaderboard")(leaderboard.leaderboard)
cli.add_typer(tournament.commands, name="tournament")
cli.add_typer(league.commands, name="league")
cli.add_typer(token.commands, name="token")
