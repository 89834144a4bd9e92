"""Files of records: one JSON object, or JSON lines with a record a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from kibitz.cli.failures import CommandError
from kibitz.reading import LARGEST

GZIP = b"\x1f\x8b"


def read(file: Path) -> Iterator[tuple[str, str]]:
    """Yield each record of a file: how to call it, and its JSON text.

    A line is read when it is asked for, so a file of lines may be of any size.

    Raises:
        CommandError: the file cannot be read, is empty, or a record in it is too large or no text.
    """
    try:
        with file.open("rb") as source:
            yield from _records(str(file), source)
    except (OSError, ValueError) as error:
        detail = getattr(error, "strerror", None) or str(error)
        raise CommandError(f"cannot be read: {detail}", reason="FILE_UNREADABLE") from error


def _records(name: str, source: BinaryIO) -> Iterator[tuple[str, str]]:
    lines = _lines(source)
    number, first = next(lines, (0, b""))
    if not first:
        raise CommandError("is empty", reason="FILE_EMPTY")
    if first.startswith(GZIP):
        raise CommandError("is compressed; unpack it with gunzip first", reason="FILE_COMPRESSED")
    if not _is_object(first):  # a record over several lines, or none at all
        rest = source.read(LARGEST + 1)
        yield name, _text(first + rest)
        return
    another = next(lines, None)
    yield (name if another is None else f"{name}:{number}"), _text(first)
    while another is not None:
        number, line = another
        yield f"{name}:{number}", _text(line)
        another = next(lines, None)


def _lines(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers; one that is too long comes cut."""
    number = 0
    while line := source.readline(LARGEST + 1):
        number += 1
        if line.strip():
            yield number, line


def _text(line: bytes) -> str:
    if len(line) > LARGEST:
        raise CommandError(f"has more than the {LARGEST} bytes of a record", reason="TOO_LARGE")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise CommandError("is no UTF-8 text", reason="FILE_UNREADABLE") from error


def _is_object(line: bytes) -> bool:
    try:
        return len(line) <= LARGEST and isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
