"""Standings of a tournament on a terminal, with what its format counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Column = tuple[str, Callable[[Any], str]]


def show_standings(rows: list[Any]) -> None:
    """Print the standings; rows are those of the server's ``/tournaments/ID/standings``."""
    from kibitz.cli.console import show

    columns: list[Column] = [
        ("> ", lambda row: str(row.get("rank", ""))),
        ("bot", lambda row: f"{row['bot']}/{row['version']}"),
        *_of_the_format(rows),
        (">Elo", lambda row: _interval(row, "elo")),
    ]
    if not any(each["course"] for each in _told(rows)):  # where rounds need the room
        columns += [
            (">points/deal", lambda row: _interval(row, "margin", 2)),
            (">sets", lambda row: str(row.get("sets", ""))),
        ]
    show([name for name, _ in columns], ([cell(row) for _, cell in columns] for row in rows))


def _interval(row: Any, what: str, digits: int = 0) -> str:
    from kibitz.cli.console import interval

    return interval(row.get(what), row.get(f"{what}_low"), row.get(f"{what}_high"), digits)


def _told(rows: list[Any]) -> list[Any]:
    return [row["placing"] for row in rows if row.get("placing")]


def _of_the_format(rows: list[Any]) -> list[Column]:
    """Return the columns that the format of these standings has beside the usual ones."""
    told = _told(rows)
    found: list[Column] = []
    if any(each["role"] for each in told):
        found.append(("as", lambda row: str(row["placing"]["role"])))
    if any(each["points"] is not None for each in told):
        found += [_number(key) for key in ("points", "buchholz")]
        found.append((">byes", lambda row: str(row["placing"]["byes"])))
    elif any(each["course"] for each in told):
        found.append((">out in", lambda row: str(row["placing"]["fell"] or "-")))
    if any(each["course"] for each in told):
        found.append(("rounds", _course))
    return found


def _number(key: str) -> Column:
    return f">{key}", lambda row: f"{row['placing'][key]:g}"


SIGNS = {"won": "+", "drawn": "=", "lost": "-", "part": "~", "bye": "o", "void": "x", "open": "."}


def _course(row: Any) -> str:
    """Return a sign and the opponents' ranks for each round, as ``+3 =1 o``."""
    stops = row["placing"]["course"]
    few = all(len(stop["ranks"]) <= 3 for stop in stops)
    return " ".join(
        SIGNS.get(stop["result"], "?") + (",".join(map(str, stop["ranks"])) if few else "")
        for stop in stops
    )
