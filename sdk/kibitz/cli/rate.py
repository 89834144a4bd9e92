"""``kibitz rate``: the ratings of kibitz-server, for files of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from kibitz.cli.arguments import Json

# The server's package takes the same arguments when it is asked directly.
Files: TypeAlias = Annotated[
    list[Path],
    typer.Argument(help="CSV tables, records of matches, .zip or .gz of them; - is the input."),
]
Anchor: TypeAlias = Annotated[str, typer.Option(help="The player whose elo is fixed.")]
AnchorElo: TypeAlias = Annotated[float, typer.Option(help="Its elo.")]
ShowCrosstable: TypeAlias = Annotated[
    bool, typer.Option("--crosstable", help="Show everybody against everybody too.")
]
ShowLuck: TypeAlias = Annotated[
    bool, typer.Option("--luck", help="Show how much is luck (needs records of whole sets).")
]
Svg: TypeAlias = Annotated[
    Path | None, typer.Option(help="Write a picture of the ratings and intervals here.")
]


def rate(
    files: Files,
    *,
    anchor: Anchor = "careful",
    anchor_elo: AnchorElo = 1500.0,
    crosstable: ShowCrosstable = False,
    luck: ShowLuck = False,
    svg: Svg = None,
    as_json: Json = False,
) -> None:
    """Rate players from files of results; needs the package kibitz-server, but no server.

    A CSV's first line names its columns: `set,player,score` (a line a player of each set; deals,
    margin and unit if you have them), `player1,score1,player2,score2` (a line a set, any number of
    players), or `player1,player2,result` (1-0, 0-1, 1/2-1/2). Who has the higher score of a set
    beats the other. Records are those of `kibitz play --record` and of a server.

    Elo is fitted to all results at once, their order does not matter. Intervals hold 95 % and take
    each set (or unit of sets) as one independent observation.
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
    words = [f"--anchor={anchor}", f"--anchor-elo={anchor_elo}"]
    flags = {"--crosstable": crosstable, "--luck": luck, "--json": as_json}
    words += [flag for flag, wanted in flags.items() if wanted]
    words += [] if svg is None else [f"--svg={svg}"]
    command = [sys.executable, "-m", "kibitz_worker.ratings", *words, "--", *map(str, files)]
    raise typer.Exit(subprocess.run(command, check=False).returncode)
