"""``kibitz leaderboard``: who is best at a game."""

from __future__ import annotations

from kibitz.cli.arguments import Game, Json, To


def leaderboard(game: Game, to: To = None, as_json: Json = False) -> None:
    """Show the ratings of a game, with their 95 % intervals."""
    from kibitz.cli.console import dump, interval, show
    from kibitz.cli.server import Server

    with Server(to) as server:
        rows = server.items(f"leaderboards/{game}")
    if as_json:
        dump(rows)
        return
    show(
        ("> ", "bot", ">Elo", ">points/deal", ">sets"),
        (
            (
                str(row["rank"]),
                f"{row['bot']}/{row['version']}",
                interval(row["elo"], row.get("elo_low"), row.get("elo_high")),
                interval(row["margin"], row.get("margin_low"), row.get("margin_high"), 2),
                str(row["sets"]),
            )
            for row in rows
        ),
        title=game,
    )
