"""What a snapshot tells beside its ratings."""

from collections.abc import Callable, Iterable
from typing import Any

import kibitz

from kibitz_api.leaderboards.insight_models import Insights, PartLine
from kibitz_api.leaderboards.queries import Board

NOTHING: dict[str, Any] = {
    "luck": None,
    "bankroll": [],
    "run_off": [],
    "cycles": None,
    "plackett_luce": None,
    "twins": [],
}
"""Snapshots of older versions of Kibitz tell nothing."""


def insights(board: Board) -> Insights:
    """The insights of a board, read from its snapshot."""
    told = board.snapshot.payload.get("insights", {})
    parts = told.get("parts", [])
    return Insights(
        snapshot=board.snapshot.id,
        game=board.snapshot.game,
        pool=board.snapshot.pool,
        roles=_lines(board, parts, "role"),
        positions=_lines(board, parts, "position"),
        **{key: told.get(key, value) for key, value in NOTHING.items()},
    )


def _lines(board: Board, parts: Iterable[dict[str, Any]], kind: str) -> list[PartLine]:
    lines = []
    for part in parts:
        if part["kind"] != kind:
            continue
        bot, _, number = part["player"].rpartition("/")
        told = {key: value for key, value in part.items() if key != "kind"}
        lines.append(PartLine(bot=bot, version=int(number) if number else None, **told))
    ranks = {row.player: (row.pool, row.rank) for row in board.ratings.rows}
    return sorted(lines, key=lambda line: (ranks.get(line.player, (-1, 0)), line.name))


def position_words(name: str, players: int, seats: int) -> str:
    """A position as people say it."""
    if players < seats:
        return ("the dealer's side", "the other side")[int(name)]
    if name == "0":
        return "dealer"
    place = int(name)
    if players == 2:
        return "the other"
    if players == 3:
        return ("", "after the dealer", "before the dealer")[place]
    return ("", "first after the dealer", "second after the dealer", "before the dealer")[place]


def position_namer(game: str) -> Callable[[str], str]:
    """Return what says a game's positions in words."""
    rules = kibitz.game(game)
    return lambda name: position_words(name, rules.players, rules.seats)
