"""``kibitz play``: duplicate sets right here, in one process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.arguments import Game, Json, Options, Preset, complete_bot

if TYPE_CHECKING:
    from kibitz.local import Contest, PlayedSet, Result


def play(
    game: Game,
    bots: Annotated[
        list[str],
        typer.Argument(
            help="random, careful, search, a folder with kibitz.toml, a file, or module:Class. "
            "As many as the game has players; in whist one for each side.",
            autocompletion=complete_bot,
        ),
    ],
    sets: Annotated[int, typer.Option(help="How many duplicate sets.", min=1)] = 5,
    seed: Annotated[
        str | None, typer.Option(help="What cards and bots' chance depend on; random if not given.")
    ] = None,
    first_set: Annotated[int, typer.Option(help="Number of the first set, to go on.", min=0)] = 0,
    option: Options = None,
    preset: Preset = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Write the records here: JSON lines, one match a line, set by set."),
    ] = None,
    force: Annotated[bool, typer.Option(help="Overwrite the file of --record.")] = False,
    as_json: Json = False,
) -> None:
    """Play bots against each other in duplicate sets, and show who is better.

    In a set every deal is played in all seatings, so that luck falls on all alike. The table shows
    points per deal above the table's mean, with a 95 % interval. Exit code 1 if a bot failed.
    """
    import secrets

    from kibitz.cli.arguments import make_game
    from kibitz.cli.console import dump
    from kibitz.local import Contest, Result

    chosen = seed if seed is not None else str(secrets.randbelow(10**6))
    contest = Contest(make_game(game, preset, option), bots, chosen)
    _prepare(record, force, first_set)
    result = Result(contest.game, contest.players)
    finished = _run(contest, result, range(first_set, first_set + sets), record)
    if as_json:
        dump(_json(result, chosen, finished))
    else:
        _show(result, chosen)
    _report(result, as_json)
    if not finished:
        _how_to_go_on(result, chosen, first_set, sets)
        raise typer.Exit(130)
    if result.faults:
        raise typer.Exit(1)


def _run(contest: Contest, result: Result, numbers: range, record: Path | None) -> bool:
    """Play the sets into the result; return whether all were played, false after Ctrl-C."""
    import random

    from kibitz.cli.console import progress

    deals = contest.deals_per_set
    with progress("{task.percentage:>3.0f} %", "{task.fields[note]}") as bar:
        task = bar.add_task(contest.game.name, total=len(numbers) * deals, note="")
        try:
            for done, number in enumerate(numbers):
                bar.update(task, note=f"set {done + 1} of {len(numbers)}")
                # For bots that draw from the module in place of their own generator.
                random.seed(f"{contest.seed}:{number}")
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


def _show(result: Result, seed: str) -> None:
    from kibitz.cli.console import out, show

    if not result.sets:
        return
    rows = result.standings
    forfeits = any(row.forfeits for row in rows)
    show(
        ("bot", ">points/deal", ">95 %", ">mean score", ">sets won", *([">forfeits"] * forfeits)),
        (
            (
                row.player,
                f"{row.margin:+.3f}",
                "-" if row.error is None else f"±{row.error:.3f}",
                f"{row.score:.3f}",
                f"{row.won:.0%}",
                *([str(row.forfeits)] * forfeits),
            )
            for row in rows
        ),
    )
    options = " ".join(f"{key}={_plain(value)}" for key, value in result.game.options().items())
    first, last = result.sets[0].number, result.sets[-1].number
    which = f"set {first}" if first == last else f"sets {first} to {last}"
    out().print(
        f"{result.game.name}, {which}, {rows[0].deals} deals, seed {seed}\n{options}", markup=False
    )


def _plain(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _json(result: Result, seed: str, finished: bool) -> dict[str, Any]:
    return {
        "game": result.game.name,
        "options": result.game.options(),
        "seed": seed,
        "finished": finished,
        "first_set": result.sets[0].number if result.sets else None,
        "sets": len(result.sets),
        "standings": [row._asdict() for row in result.standings] if result.sets else [],
        "faults": [
            {
                "bot": result.players[fault.player],
                "set": fault.set,
                "match": fault.match,
                "deal": fault.deal,
                "seat": fault.seat,
                "reason": fault.error.reason,
                "message": str(fault.error),
                "where": fault.error.where,
                "traceback": fault.error.traceback,
            }
            for fault in result.faults
        ],
    }


def _report(result: Result, quiet: bool) -> None:
    """Say what went wrong: the whole story of each bot's first fault, a line for the rest."""
    from kibitz.cli.failures import say

    told: set[int] = set()
    for fault in result.faults:
        if fault.player in told:
            continue
        told.add(fault.player)
        number = sum(1 for other in result.faults if other.player == fault.player)
        if fault.error.traceback and not quiet:
            print(fault.error.traceback, end="", file=sys.stderr)
        where = f"{fault.error.where}: " if fault.error.where else ""
        say(
            f"{where}{fault.error} (set {fault.set}, match {fault.match}, deal {fault.deal}, "
            f"seat {fault.seat}; {number} deal{'s' * (number > 1)} forfeited by this bot)"
        )


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
