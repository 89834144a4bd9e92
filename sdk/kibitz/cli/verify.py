"""``kibitz verify``: replay records and check every card, score and return."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.arguments import Json


def verify(
    files: Annotated[
        list[Path], typer.Argument(help="Records: one JSON object, or JSON lines of several.")
    ],
    as_json: Json = False,
) -> None:
    """Check records of matches; exit code 1 if any is wrong.

    Each is replayed by the rules: cards, turns, legal actions, scores, totals and returns.
    """
    from kibitz.cli.console import clean, dump

    findings = [finding for file in files for finding in check(file)]
    if as_json:
        dump(findings)
    else:
        for each in findings:
            told = f"ok ({each['message']})" if each["ok"] else f"WRONG: {each['message']}"
            print(clean(f"{each['record']}: {told}"))
    if not all(each["ok"] for each in findings):
        raise typer.Exit(1)


def check(file: Path) -> list[dict[str, object]]:
    """Return what is to be said of each record of a file."""
    from kibitz.cli.records import read
    from kibitz.errors import KibitzError

    findings: list[dict[str, object]] = []
    try:
        for name, text in read(file):
            findings.append(_check(name, text))
    except KibitzError as error:
        findings.append(_bad(str(file), error))
    return findings


def _check(name: str, text: str) -> dict[str, object]:
    from kibitz.errors import KibitzError
    from kibitz.record import Record

    try:
        record = Record.from_json(text)
        record.verify()
    except KibitzError as error:
        return _bad(name, error)
    deals = f"{len(record.deals)} deal{'s' if len(record.deals) != 1 else ''}"
    what = f"{record.game.name}, {deals}, {' - '.join(record.seats)}"
    return {"record": name, "ok": True, "reason": None, "message": what}


def _bad(name: str, error: Exception) -> dict[str, object]:
    reason = getattr(error, "reason", "BAD_RECORD")
    return {"record": name, "ok": False, "reason": reason, "message": str(error)}
