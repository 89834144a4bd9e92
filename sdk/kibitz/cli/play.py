"""``kibitz play``: duplicate sets right here, in one process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from kibitz.cli.arguments import Game, Json, Options, Preset, complete_bot

if TYPE_CHECKING:
    from kibitz.local import Contest, PlayedSet, Result


Bots: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        help="random, careful, search, a folder with kibitz.toml, a file, or module:Class. "
        "As many as the game has players; in whist one for each side.",
        autocompletion=complete_bot,
    ),
]
Sets: TypeAlias = Annotated[int, typer.Option(help="How many duplicate sets.", min=1)]
Seed: TypeAlias = Annotated[
    str | None, typer.Option(help="What cards and bots' chance depend on; random if not given.")
]
First: TypeAlias = Annotated[int, typer.Option(help="Number of the first set, to go on.", min=0)]
File: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="Write the records here: JSON lines, one match a line, set by set."),
]
Force: TypeAlias = Annotated[bool, typer.Option(help="Overwrite the file of --record.")]


def play(
    game: Game,
    bots: Bots,
    sets: Sets = 5,
    seed: Seed = None,
    first_set: First = 0,
    option: Options = None,
    preset: Preset = None,
    record: File = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Play bots against each other in duplicate sets, and show who is better.

    In a set every deal is played in all seatings, so that luck falls on all alike. The table shows
    points per deal above the table's mean, with a 95 % interval. Exit code 1 if a bot failed.
    """
    import secrets

    from kibitz.cli.arguments import make_game
    from kibitz.cli.results import dump, report, show
    from kibitz.local import Contest, Result

    chosen = seed if seed is not None else str(secrets.randbelow(10**6))
    contest = Contest(make_game(game, preset, option), bots, chosen)
    _prepare(record, force, first_set)
    result = Result(contest.game, contest.players)
    finished = _run(contest, result, range(first_set, first_set + sets), record)
    (dump if as_json else show)(result, chosen, finished)
    report(result, as_json)
    if not finished:
        _how_to_go_on(result, chosen, first_set, sets)
    raise typer.Exit(int(bool(result.faults)) if finished else 130)


def _run(contest: Contest, result: Result, numbers: range, record: Path | None) -> bool:
    """Play the sets into the result; return whether all were played, false after Ctrl-C."""
    from kibitz.cli.console import progress

    deals = contest.deals_per_set
    with progress("{task.percentage:>3.0f} %", "{task.fields[note]}") as bar:
        task = bar.add_task(contest.game.name, total=len(numbers) * deals, note="")
        try:
            for done, number in enumerate(numbers):
                bar.update(task, note=f"set {done + 1} of {len(numbers)}")
                played = contest.play(number, lambda: bar.advance(task))
                result.sets.append(played)
                if record is not None:
                    _write(record, played)
        except KeyboardInterrupt:
            return False
    return True


def _prepare(record: Path | None, force: bool, first: int) -> None:
    """See that the records can be written before anything is played."""
    from kibitz.cli.failures import CommandError

    if record is None:
        return
    if record.exists() and not force and not first:
        raise CommandError(
            f"{record} exists; --force overwrites it, --first-set N goes on with it",
            reason="RECORD_EXISTS",
        )
    with record.open("a" if first else "w", encoding="utf-8"):
        pass


def _write(file: Path, played: PlayedSet) -> None:
    with file.open("a", encoding="utf-8") as stream:
        stream.writelines(f"{record.to_json()}\n" for record in played.records)


def _how_to_go_on(result: Result, seed: str, first: int, sets: int) -> None:
    """Print the command that plays the sets which Ctrl-C left out."""
    import shlex

    from kibitz.cli.failures import say

    done = len(result.sets)
    words, skip = ["kibitz"], False
    for word in sys.argv[1:]:
        name, equals, _ = word.partition("=")
        if skip or name in {"--sets", "--seed", "--first-set"}:
            skip = not skip and not equals
            continue
        words.append(word)
    words += ["--seed", seed, "--sets", str(sets - done), "--first-set", str(first + done)]
    say(f"stopped after {done} of {sets} sets; go on with\n  {shlex.join(words)}")
