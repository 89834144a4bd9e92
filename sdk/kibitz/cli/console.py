"""Printing results: tables on a terminal, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


def out() -> Console:
    """Return the console of stdout; no wider than its terminal, and plain when it is none."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def progress(*columns: str) -> Progress:
    """Return a progress bar on stderr; it shows nothing when that is no terminal.

    Args:
        columns: texts in rich's format to the right of the bar, as ``{task.fields[sets]}``.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *map(TextColumn, columns),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def dump(value: object) -> None:
    """Print a value as JSON, indented on a terminal."""
    indent = 2 if sys.stdout.isatty() else None
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    if not all(char.isprintable() or char == "\n" for char in text):
        text = json.dumps(value, indent=indent)  # what could steer a terminal is written as \\u....
    print(text)


def show(headings: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
    """Print a table; headings that begin with ``>`` are of numbers and set to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title=Text(title) if title else None, title_justify="left")
    for heading in headings:
        right = heading.startswith(">")
        table.add_column(heading.lstrip(">"), justify="right" if right else "left", no_wrap=right)
    for row in rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
    out().print(table)


def interval(value: float | None, low: float | None, high: float | None, digits: int = 0) -> str:
    """Return ``1523 ±12`` (half the width), ``1500`` for what is fixed, ``-`` for nothing."""
    if value is None:
        return "-"
    text = f"{value:.{digits}f}"
    return (
        text
        if low is None or high is None or low == high
        else f"{text} ±{(high - low) / 2:.{digits}f}"
    )


def clean(text: str) -> str:
    """Return a text that comes from anywhere so that nothing in it can steer the terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)
