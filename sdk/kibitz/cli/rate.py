"""``kibitz rate``: the ratings of kibitz-server, for files of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn, TypeAlias

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
    Path | None,
    typer.Option(help="Write a picture of the ratings and intervals (or of the test) here."),
]
Test: TypeAlias = Annotated[
    tuple[str, str] | None,
    typer.Option(
        "--test",
        metavar="A B",
        help="Test whether A is better than B instead: on complete sets in their order, up to the"
        " first that is missing.",
    ),
]
Elo0: TypeAlias = Annotated[float, typer.Option(help="Test: no better than this, in Elo.")]
Elo1: TypeAlias = Annotated[float, typer.Option(help="Test: better by this at least.")]
Normalized: TypeAlias = Annotated[
    bool, typer.Option("--normalized", help="Test: the Elo is normalized by the games' scatter.")
]
Margin0: TypeAlias = Annotated[
    float, typer.Option(help="Test of margins: no better than this, in points a deal.")
]
Margin1: TypeAlias = Annotated[
    float | None,
    typer.Option(help="Test margins instead of Elo (any number of seats): better by this."),
]
Alpha: TypeAlias = Annotated[float, typer.Option(help="Test: chance of a wrong yes.")]
Beta: TypeAlias = Annotated[float, typer.Option(help="Test: chance of a wrong no.")]
Limit: TypeAlias = Annotated[
    int, typer.Option(help="Test: undecided after so many sets; 0: never.")
]


def rate(
    files: Files,
    *,
    anchor: Anchor = "careful",
    anchor_elo: AnchorElo = 1500.0,
    crosstable: ShowCrosstable = False,
    luck: ShowLuck = False,
    svg: Svg = None,
    test: Test = None,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 20.0,
    normalized: Normalized = False,
    margin0: Margin0 = 0.0,
    margin1: Margin1 = None,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    limit: Limit = 0,
    as_json: Json = False,
) -> None:
    """Rate players from files of results; needs the package kibitz-server, but no server.

    A CSV's first line names its columns: `set,player,score` (a line a player of each set; deals,
    margin and unit if you have them), `player1,score1,player2,score2` (a line a set, any number of
    players), or `player1,player2,result` (1-0, 0-1, 1/2-1/2). Who has the higher score of a set
    beats the other. Records are those of `kibitz play --record` and of a server.

    Elo is fitted to all results at once, their order does not matter. Intervals hold 95 % and take
    each set (or unit of sets) as one independent observation.

    With --test, sets count in the order of the numbers in their names (else of the lines); two
    matches of a recorded set, or two lines of one unit, are a game pair.
    """
    words = [f"--anchor={anchor}", f"--anchor-elo={anchor_elo}"]
    flags = {"--crosstable": crosstable, "--luck": luck, "--json": as_json}
    words += [flag for flag, wanted in flags.items() if wanted]
    words += [] if svg is None else [f"--svg={svg}"]
    if test is not None:
        tested = {"elo0": elo0, "elo1": elo1, "margin0": margin0, "margin1": margin1}
        tested |= {"alpha": alpha, "beta": beta, "limit": limit}
        words += [f"--{name}={value}" for name, value in tested.items() if value is not None]
        words += ["--normalized"] if normalized else []
        words += ["--test", *test]
    _pass_on([*words, "--", *map(str, files)])


def _pass_on(words: list[str]) -> NoReturn:
    """Let the server's package do it, and end as it ends."""
    import subprocess
    import sys
    from importlib.util import find_spec

    from kibitz.cli.failures import CommandError

    if find_spec("kibitz_worker") is None:
        raise CommandError(
            "the ratings come with the package kibitz-server: pip install kibitz-server",
            reason="SERVER_NOT_INSTALLED",
        )
    command = [sys.executable, "-m", "kibitz_worker.ratings", *words]
    raise typer.Exit(subprocess.run(command, check=False).returncode)
