"""How local sets came out: a table for people, JSON for programs, and what went wrong."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.local import Result


def show(result: Result, seed: str, finished: bool) -> None:  # noqa: ARG001 (as dump)
    """Print the standings as a table."""
    from kibitz.cli.console import out
    from kibitz.cli.console import show as show_table

    if not result.sets:
        return
    rows = result.standings
    forfeits = any(row.forfeits for row in rows)
    show_table(
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
    if isinstance(value, bool):
        return str(value).lower()  # as --option takes it
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def dump(result: Result, seed: str, finished: bool) -> None:
    """Print the standings and the faults as JSON."""
    from kibitz.cli.console import dump as dump_json

    dump_json(_json(result, seed, finished))


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


def report(result: Result, quiet: bool) -> None:
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
