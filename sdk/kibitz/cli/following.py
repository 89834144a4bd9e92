"""Following a tournament at a server until it is over."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.cli.server import Server

OVER = ("finished", "cancelled")
ASK_S = 1.0
"""Between two questions to the server."""
PATIENCE_S = 60.0
"""How long a server may be silent, as one is that starts again."""


def follow(server: Server, tournament: str) -> Any:
    """Show how far a tournament is until it is over; return what the server tells of it then.

    On a terminal there is a progress bar, else a line for each change; both on stderr.

    Raises:
        CommandError: the server knows no such tournament, or does not answer for a minute.
    """
    from kibitz.cli.console import progress

    with progress("{task.completed:.0f}/{task.total:.0f} sets", "{task.fields[state]}") as bar:
        found = server.get(f"tournaments/{tournament}")
        task = bar.add_task(str(found["name"]), total=found["sets_total"], state="")
        last = ""
        while True:
            state = "" if found["state"] == "running" else str(found["state"])
            over = found["sets_done"] + found["sets_void"]
            bar.update(task, completed=over, total=found["sets_total"], state=state)
            line = in_words(found)
            if bar.disable and line != last:
                print(line, file=sys.stderr, flush=True)
            last = line
            if found["state"] in OVER:
                return found
            time.sleep(ASK_S)
            found = patiently(lambda: server.get(f"tournaments/{tournament}"))


def in_words(found: Any) -> str:
    """Return on one line how far a tournament is."""
    from kibitz.amounts import amount
    from kibitz.cli.console import clean

    void = f", {found['sets_void']} void" if found["sets_void"] else ""
    why = f": {found['reason']}" if found.get("reason") else ""
    sets = f"{found['sets_done']} of {amount(found['sets_total'], 'set')}{void}"
    return clean(f"{found['name']}: {sets}, {found['state']}{why}")


def patiently(ask: Callable[[], Any], patience: float = PATIENCE_S) -> Any:
    """Ask a server, again and again while it is out of reach."""
    from kibitz.cli.failures import CommandError
    from kibitz.cli.server import AWAY

    until = time.monotonic() + patience
    while True:
        try:
            return ask()
        except CommandError as error:
            passing = error.reason in AWAY
            if not passing or time.monotonic() > until:
                raise
            time.sleep(ASK_S)
