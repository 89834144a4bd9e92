"""Why a bot's process ended, told by what it wrote last."""

from __future__ import annotations

import re

KINDS = {
    "ModuleNotFoundError": "BAD_IMPORT",
    "ImportError": "BAD_IMPORT",
    "SyntaxError": "SYNTAX_ERROR",
    "IndentationError": "SYNTAX_ERROR",
    "TabError": "SYNTAX_ERROR",
}
LENGTH = 200

_FOLDERS = re.compile(r"(?<![\w.~])~?/(?:[^\s/'\",:]+/)*")


def why_ended(status: int, output: str) -> tuple[str, str]:
    """Return the reason and the words for everybody of an end with an exit status.

    The words are what the process wrote last, without the folders of this machine.
    """
    last = next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "")
    said = in_public(last.removeprefix("kibitz: "))
    for kind, reason in KINDS.items():
        at = re.search(rf"(?:^|: ){kind}: (.*)$", said)
        if at is not None:
            return reason, at[1]
    ended = f"its process ended with status {status}"
    return "BOT_ENDED", f"{ended}; it wrote last: {said}" if said and status else ended


def in_public(line: str) -> str:
    """Return a line that a bot wrote, printable, short and with files named without folders."""
    shown = "".join(char if char.isprintable() else "?" for char in line)
    bare = _FOLDERS.sub("", shown)
    return bare if len(bare) <= LENGTH else f"{bare[: LENGTH - 1]}…"
