"""``kibitz rate``: the ratings of kibitz-server, for files of results."""

from __future__ import annotations

import typer


def rate(context: typer.Context) -> None:
    """Rate players from CSV files, records or archives: a table, JSON or a picture.

    Needs the package kibitz-server. `kibitz rate --help` says what the files may hold.
    """
    import subprocess
    import sys
    from importlib.util import find_spec

    from kibitz.cli.failures import CommandError

    if find_spec("kibitz_worker") is None:
        raise CommandError(
            "the ratings come with the package kibitz-server: pip install kibitz-server",
            reason="SERVER_NOT_INSTALLED",
        )
    command = [sys.executable, "-m", "kibitz_worker.ratings", *context.args]
    raise typer.Exit(subprocess.run(command, check=False).returncode)
