"""Files of records: one JSON object, or JSON lines with a record a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from kibitz.cli.failures import CommandError


def read(file: Path) -> Iterator[tuple[str, str]]:
    """Yield each record of a file: how to call it, and its JSON text.

    Raises:
        CommandError: the file cannot be read or is empty.
    """
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise CommandError(f"cannot be read: {error.strerror}", reason="FILE_UNREADABLE") from error
    except UnicodeDecodeError as error:
        raise CommandError("is no UTF-8 text", reason="FILE_UNREADABLE") from error
    if not text.strip():
        raise CommandError("is empty", reason="FILE_EMPTY")
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) == 1 or not _is_object(lines[0][1]):
        yield str(file), text
        return
    for number, line in lines:
        yield f"{file}:{number}", line


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
