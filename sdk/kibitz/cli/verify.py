"""``kibitz verify``: replay records, or a whole tournament, and check every card and score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.arguments import Json


def verify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Records: one JSON object, or JSON lines of several."),
    ] = None,
    tournament: Annotated[
        Path | None,
        typer.Option(help="The archive of a tournament (`kibitz tournament export`)."),
    ] = None,
    commitment: Annotated[
        str | None,
        typer.Option(help="The SHA-256 that was published before play, if you have noted it."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check records of matches, or a whole tournament; exit code 1 if anything is wrong.

    Records are replayed by the rules: cards, turns, legal actions, scores, totals and returns.
    Of a tournament also the decks are drawn again from its secret and the nonces, the secret is
    held against its hash, and scores of sets and standings are added up; no server is asked.
    """
    from kibitz.cli.failures import CommandError

    if tournament is not None and not files:
        _verify_tournament(tournament, commitment, as_json)
    elif files and tournament is None and commitment is None:
        _verify_records(files, as_json)
    else:
        raise CommandError(
            "name records, or an archive with --tournament (and --commitment with it)",
            reason="NOTHING_TO_CHECK",
        )


def _verify_tournament(file: Path, commitment: str | None, as_json: bool) -> None:
    from kibitz.cli.checking import check_archive, show_report
    from kibitz.cli.console import dump

    report = check_archive(file, commitment)
    if as_json:
        dump(report.to_json())
    else:
        show_report(report)
    if not report.ok:
        raise typer.Exit(1)


def _verify_records(files: list[Path], as_json: bool) -> None:
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
