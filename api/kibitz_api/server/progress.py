"""How the demo's leagues are shown in the terminal: bars on one, lines into a file."""

import sys
import time
from collections.abc import Sequence

from kibitz.amounts import amount
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from kibitz_api.server.leagues import League

LINE_S = 5.0


class Display:
    """Shows leagues as they go; everything said meanwhile goes through `say`."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("sets  {task.fields[leader]}"),
            console=self._console,
            disable=not sys.stdout.isatty(),
        )
        self._tasks: dict[str, TaskID] = {}
        self._lines: dict[str, tuple[int, float]] = {}

    def say(self, message: str) -> None:
        """Print a line above the bars."""
        self._console.print(message, markup=False)

    def show(self, leagues: Sequence[League]) -> None:
        """Bring bars or lines up to date."""
        for league in leagues:
            if league.total:
                self._bar(league) if sys.stdout.isatty() else self._line(league)

    def close(self) -> None:
        """Leave the bars as they stand."""
        self._bars.stop()

    def _bar(self, league: League) -> None:
        self._bars.start()
        if league.id not in self._tasks:
            self._tasks[league.id] = self._bars.add_task(league.title, leader="")
        self._bars.update(
            self._tasks[league.id],
            completed=league.done + league.void,
            total=league.total,
            leader=leader(league),
        )

    def _line(self, league: League) -> None:
        said, when = self._lines.get(league.id, (-1, 0.0))
        over = league.done + league.void
        due = time.monotonic() - when > LINE_S or over == league.total
        if over != said and due:
            self._lines[league.id] = (over, time.monotonic())
            self.say(f"{league.title}: {over} of {sets(league.total)}  {leader(league)}".rstrip())


def sets(count: int) -> str:
    """Count sets in words."""
    return amount(count, "set")


def leader(league: League) -> str:
    """Name who leads."""
    best = league.standings[0] if league.standings and league.done else None
    if best is None:
        return ""
    elo = f" ({best['elo']:.0f})" if best["elo"] is not None else ""
    return f"{best['bot']}{elo} leads"


def table(league: League) -> str:
    """Give the final standings of a league as text."""
    lines = [f"{league.title}, {sets(league.done)}:"]
    for row in league.standings:
        interval = ""
        if row["elo"] is not None:
            interval = f"{row['elo']:6.0f}  {row['elo_low']:.0f} to {row['elo_high']:.0f}"
        lines.append(f"  {row['rank']:>2}  {row['bot']:<20} {interval}")
    return "\n".join(lines)
