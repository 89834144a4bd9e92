"""``kibitz tournament export``: results as tables, as JSON, or as the archive to be checked."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.arguments import To


class As(StrEnum):
    """What kind of file is written."""

    CSV = "csv"
    JSON = "json"
    ARCHIVE = "archive"


class Rows(StrEnum):
    """What a row of a table is about."""

    SEATS = "seats"
    SETS = "sets"
    STANDINGS = "standings"


SUFFIX = {As.CSV: "csv", As.JSON: "json", As.ARCHIVE: "zip"}


def export(
    tournament: Annotated[str, typer.Argument(help="The tournament's id.")],
    kind: Annotated[
        As, typer.Option("--as", help="Tables, everything as JSON, or the verifiable archive.")
    ] = As.ARCHIVE,
    rows: Annotated[
        Rows, typer.Option(help="CSV: a row a seat of a match, a player of a set, or a bot.")
    ] = Rows.SEATS,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            "--archive",
            help="The file to write; - prints CSV or JSON.  \\[default: kibitz-ID.zip or the like]",
        ),
    ] = None,
    force: Annotated[bool, typer.Option(help="Overwrite the file.")] = False,
    to: To = None,
) -> None:
    """Download the results of a tournament.

    CSV and JSON have what is finished so far, at any time. The archive holds the secret, decks,
    records and standings of a tournament that is over, and `kibitz verify --tournament FILE` checks
    it without any server.
    """
    from kibitz.cli.failures import CommandError
    from kibitz.cli.server import Server

    path = f"tournaments/{tournament}/{_address(kind, rows)}"
    with Server(to) as server:
        if file == Path("-"):
            if kind is As.ARCHIVE:
                raise CommandError("an archive goes to a file, not to -", reason="BAD_OPTION")
            server.copy(path, sys.stdout)
            return
        name = f"kibitz-{tournament}" + (f"-{rows}" if kind is As.CSV else "")
        out = file or Path(f"{name}.{SUFFIX[kind]}")
        if out.exists() and not force:
            raise CommandError(f"{out} exists; --force overwrites it", reason="FILE_EXISTS")
        server.download(path, out)
    check = f"; check it by: kibitz verify --tournament {out}" if kind is As.ARCHIVE else ""
    print(f"{out}: {out.stat().st_size} bytes{check}")


def _address(kind: As, rows: Rows) -> str:
    if kind is As.CSV:
        return f"results.csv?rows={rows}"
    return "results.json" if kind is As.JSON else "archive"
