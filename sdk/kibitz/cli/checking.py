"""How the check of a tournament's archive is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.archive import Report


def check_archive(file: Path, commitment: str | None) -> Report:
    """Check an archive, with a progress bar on a terminal."""
    from kibitz.archive import verify
    from kibitz.cli.console import progress

    with progress("{task.completed:.0f}/{task.total:.0f} {task.fields[what]}") as bar:
        task = bar.add_task(file.name, total=None, what="", completed=0)

        def show(what: str, done: int, of: int) -> None:
            bar.update(task, completed=done, total=of, what=what)

        return verify(file, commitment=commitment, on_progress=show)


def show_report(report: Report) -> None:
    """Print what a check came to."""
    from kibitz.amounts import amount
    from kibitz.cli.console import clean

    for finding in report.findings:
        print(clean(f"{finding.where}: WRONG ({finding.reason}): {finding.message}"))
    if not report.ok:
        print(
            clean(f"{report.archive}: {amount(len(report.findings), 'finding')}; it does not hold")
        )
        return
    void = f", {report.void} void" if report.void else ""
    print(clean(f"{report.archive}: ok, {report.name} ({report.tournament}), {report.game}"))
    print(f"  commitment  {report.commitment}")
    print(f"  nonces      of {report.nonces} of {report.entrants} entrants")
    print(f"  decks       of {amount(report.sets, 'set')}{void}, drawn again from the secret")
    played = f"{amount(report.matches, 'match')}, {amount(report.deals, 'deal')}"
    print(f"  records     of {played}, replayed")
    print("  scores      of matches and sets, and the standings, added up again")
    print("Not part of it: ratings (`kibitz rate` fits them to the same file) and thinking times.")
