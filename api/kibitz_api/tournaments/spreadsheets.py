"""Lines of CSV that are safe to open in a spreadsheet, whatever bots are called."""

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - meant


def csv_line(cells: Sequence[object]) -> str:
    """Return cells as a line of CSV (RFC 4180), texts that would be formulas after a ``'``.

    Spreadsheets take a text that begins with one of `FORMULA` for a formula and would run it
    (OWASP, "CSV Injection"). Numbers are written as they are, whole ones without a fraction.
    """
    text = io.StringIO()
    csv.writer(text).writerow([_cell(cell) for cell in cells])
    return text.getvalue()


def csv_lines(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterable[str]:
    """Yield the line of the headings and the lines of the rows."""
    yield csv_line(heads)
    for row in rows:
        yield csv_line(row)


def _cell(cell: object) -> object:
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA):
        return f"'{cell}"
    return cell
