"""CSV tables of results, in three layouts told apart by the names of their columns.

    set,player,score          a row a player of each set; optional: deals, margin, unit
    player1,score1,player2,score2[,player3,score3 ...]      a row a set; optional: set, deals, unit
    player1,player2,result    a row a set: 1-0, 0-1, 1/2-1/2, or the first player's 1, 0.5 or 0

`bot` and `name` are other words for player, `game` and `match` for set, `points` for score, `white`
and `black` for player1 and player2. Columns are parted by comma, semicolon or tab.
"""

import csv
import io
import math
import re
from collections.abc import Callable, Iterator
from itertools import count, takewhile

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.results import SetResult

SAME = {
    "bot": "player",
    "name": "player",
    "game": "set",
    "match": "set",
    "id": "set",
    "points": "score",
    "white": "player1",
    "black": "player2",
}
OUTCOMES = {
    "1-0": 1.0,
    "0-1": 0.0,
    "1/2-1/2": 0.5,
    "0.5-0.5": 0.5,
    "½-½": 0.5,
    "1/2": 0.5,
    "½": 0.5,
    "=": 0.5,
    "win": 1.0,
    "loss": 0.0,
    "draw": 0.5,
}
Line = tuple[int, dict[str, str]]
LAYOUTS = "set,player,score or player1,score1,player2,score2 or player1,player2,result"


def read_table(name: str, text: str) -> list[SetResult]:
    """Read the sets of a table; raises RatingError `BAD_CSV` with file and line."""
    lines = _lines(name, text)
    first = next(lines, None)
    if first is None:
        raise RatingError("FILE_EMPTY", f"{name} has no line of results below its first")
    columns = set(first[1])
    rows = [first, *lines]
    if {"player", "score", "set"} <= columns:
        return _long(name, rows)
    if {"player1", "player2", "score1", "score2"} <= columns:
        return [_wide(name, row) for row in rows]
    if {"player1", "player2", "result"} <= columns:
        return [_duel(name, row) for row in rows]
    raise RatingError("BAD_CSV", f"{name}: the first line must name the columns: {LAYOUTS}")


def names_sets(text: str) -> bool:
    """Tell whether a table has a column that names its sets."""
    head = text.lstrip().partition("\n")[0].strip()
    return "set" in {_column(cell.strip('" ')) for cell in head.split(_delimiter(text))}


def _delimiter(text: str) -> str:
    head = text.lstrip().partition("\n")[0]
    return max(",;\t", key=head.count)


def _lines(name: str, text: str) -> Iterator[Line]:
    delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns: list[str] = []
    try:
        for fields in reader:
            cells = [cell.strip() for cell in fields]
            if not any(cells):
                continue
            if not columns:
                columns = [_column(cell) for cell in cells]
                continue
            if len(cells) != len(columns):
                wanted = f"{len(columns)} columns, as in the first line"
                raise _wrong(name, reader.line_num, f"has {len(cells)} instead of {wanted}")
            yield reader.line_num, dict(zip(columns, cells, strict=True))
    except csv.Error as error:
        raise _wrong(name, reader.line_num, str(error)) from error


def _column(cell: str) -> str:
    word = re.sub(r"[\s_-]+", "", cell.lower())
    stem = word.rstrip("0123456789")
    return SAME.get(word) or SAME.get(stem, stem) + word[len(stem) :]


def _wrong(name: str, line: int, what: str) -> RatingError:
    return RatingError("BAD_CSV", f"{name}:{line}: {what}")


def _number(name: str, line: int, column: str, text: str) -> float:
    try:
        # A comma in a cell of a table parted by semicolons or tabs is a decimal comma.
        value = float(text.replace(",", ".") if text.count(",") == 1 else text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise _wrong(name, line, f"{column} must be a number, is {text!r}")
    return value


def _deals(name: str, row: Line) -> int:
    line, cells = row
    text = cells.get("deals") or "1"
    value = _number(name, line, "deals", text)
    if value != int(value) or value < 1:
        raise _wrong(name, line, f"deals must be a whole number of 1 or more, is {text!r}")
    return int(value)


def _made(name: str, line: int, make: Callable[[], SetResult]) -> SetResult:
    try:
        return make()
    except RatingError as error:
        if error.reason == "BAD_CSV":  # says file and line itself
            raise
        raise _wrong(name, line, str(error)) from error


def _long(name: str, rows: list[Line]) -> list[SetResult]:
    sets: dict[str, list[Line]] = {}
    for row in rows:
        sets.setdefault(row[1]["set"], []).append(row)
    return [_from_lines(name, key, lines) for key, lines in sets.items()]


def _from_lines(name: str, key: str, lines: list[Line]) -> SetResult:
    first, cells = lines[0]
    deals = {_deals(name, line) for line in lines}
    if len(deals) != 1:
        raise _wrong(name, first, f"set {key!r}: its lines give different numbers of deals")

    def numbers(column: str) -> tuple[float, ...]:
        return tuple(_number(name, line, column, row[column]) for line, row in lines)

    margins = numbers("margin") if cells.get("margin") else ()
    return _made(
        name,
        first,
        lambda: SetResult(
            id=f"{name}:{key}",
            players=tuple(row["player"] for _, row in lines),
            scores=numbers("score"),
            deals=deals.pop(),
            margins=margins,
            unit=cells.get("unit", "") and f"{name}:{cells['unit']}",
        ),
    )


def _identity(name: str, row: Line) -> tuple[str, str]:
    line, cells = row
    unit = cells.get("unit", "")
    return f"{name}:{cells.get('set') or line}", unit and f"{name}:{unit}"


def _wide(name: str, row: Line) -> SetResult:
    line, cells = row
    seats = [*takewhile(lambda n: cells.get(f"player{n}"), count(1))]
    scores = tuple(_number(name, line, f"score{n}", cells.get(f"score{n}", "")) for n in seats)
    key, unit = _identity(name, row)
    players = tuple(cells[f"player{n}"] for n in seats)
    deals = _deals(name, row)
    return _made(name, line, lambda: SetResult(key, players, scores, deals, unit=unit))


def _duel(name: str, row: Line) -> SetResult:
    line, cells = row
    text = cells["result"].lower().replace(" ", "")
    share = OUTCOMES.get(text)
    if share is None:
        share = _number(name, line, "result", text)
    if not 0.0 <= share <= 1.0:
        raise _wrong(name, line, f"result must be 1-0, 0-1, 1/2-1/2, 1, 0.5 or 0, is {text!r}")
    key, unit = _identity(name, row)
    players, deals = (cells["player1"], cells["player2"]), _deals(name, row)
    scores = (share, 1.0 - share)
    return _made(name, line, lambda: SetResult(key, players, scores, deals, unit=unit))
