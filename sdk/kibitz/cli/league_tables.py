"""What leagues look like on a terminal: their divisions, their seasons, and what one comes to."""

from __future__ import annotations

from typing import Any


def show_preview(told: Any, as_json: bool) -> None:
    """Print what a season of a league would come to."""
    from kibitz.amounts import amount, duration
    from kibitz.cli.console import dump
    from kibitz.cli.console import show as show_table

    if as_json:
        dump(told)
        return
    show_table(
        ("division", ">size", ">bots now", ">sets", ">deals", ">Elo ±"),
        (
            (
                each["name"],
                str(each["size"]),
                str(bots),
                str(each["sets"]),
                str(each["deals"]),
                "-" if each["elo_error"] is None else f"{each['elo_error']:.0f}",
            )
            for each, bots in zip(told["divisions"], told["bots"], strict=True)
        ),
    )
    counts = (("sets", "set"), ("matches", "match"), ("deals", "deal"))
    print(f"a season: {', '.join(amount(told[key], noun) for key, noun in counts)}")
    if told["seconds"] is not None:
        print(f"about {duration(told['seconds'])} on the workers that are up")
    if told["waiting"]:
        print(f"{amount(told['waiting'], 'bot')} would wait for a place")
    print(f"dates: {', '.join(map(moment, told['dates']))}")


def show_division(table: Any) -> None:
    """Print a division as it stands."""
    from kibitz.amounts import amount
    from kibitz.cli.console import clean
    from kibitz.cli.console import show as show_table

    done = f"{table['sets_done']} of {amount(table['sets_total'], 'set')}"
    title = f"{table['name']}  {done if table['tournament'] else table['reason'] or ''}".rstrip()
    if not table["bots"]:
        print(clean(f"{title}: nobody yet, {amount(table['size'], 'place')}"))
        return
    show_table(("> ", "", "bot", ">won", ">points/deal", ">sets"), _rows(table), title)


def show_season(season: Any) -> None:
    """Print the tables of a season."""
    from kibitz.cli.console import show as show_table

    for division in season["divisions"]:
        show_table(
            ("> ", "bot", ">won", ">points/deal", ">sets", "then"),
            (
                (
                    str(row["rank"] or "-"),
                    _played_as(row),
                    *_done(row),
                    row["moved"] or "",
                )
                for row in division["placings"]
            ),
            f"{division['name']}  {division['tournament'] or division['reason'] or ''}",
        )


def moment(text: str | None) -> str:
    """Return a moment as it is on the clocks here: ``Fri 2027-01-08 18:00 CET``."""
    from datetime import datetime

    if text is None:
        return "-"
    return datetime.fromisoformat(text).astimezone().strftime("%a %Y-%m-%d %H:%M %Z")


def _rows(table: Any) -> list[tuple[str, ...]]:
    return [
        (
            str(bot["place"]),
            {"up": "↑", "down": "↓"}.get(bot["zone"], ""),
            _played_as(bot) + (" (leaves)" if bot["leaves"] else ""),
            *_done(bot),
        )
        for bot in table["bots"]
    ]


def _done(row: Any) -> tuple[str, str, str]:
    share = "-" if row["share"] is None else f"{100 * row['share']:.1f} %"
    margin = "-" if row["margin"] is None else f"{row['margin']:+.2f}"
    return share, margin, str(row["sets"])


def _played_as(row: Any) -> str:
    return row["bot"] if row["version"] is None else f"{row['bot']}/{row['version']}"
