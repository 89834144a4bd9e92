"""One number over all games, with its definition."""

import math
from collections import defaultdict
from collections.abc import Sequence

from pydantic import BaseModel, Field

from kibitz_api.charts import Scale, scale
from kibitz_api.leaderboards.queries import Board

DEFINITION = (
    "The Elo of a bot that would win as often against {anchor}: if it met {anchor} once in each of "
    "the {games} games rated here, what share of the sets would it win? The expected share in a "
    "game follows from the bot's Elo there (its newest rated version, the game's main pool); a "
    "game that it does not play counts as lost. The mean share, turned back into Elo, is the "
    "overall rating. Its interval allows for the errors of all games."
)
NORMAL_95 = 1.959963984540054


class OverallRow(BaseModel):
    """A bot over all games; the interval holds 95 %."""

    rank: int = Field(description="By the lower end of the interval.")
    bot: str
    elo: float
    elo_low: float
    elo_high: float
    share: float = Field(description="Expected share of the sets against the anchor.")
    games: dict[str, float] = Field(description="Elo in each game that it is rated in.")
    snapshots: dict[str, int] = Field(description="The snapshot of each game.")
    provisional: bool = Field(description="Provisional in some of its games.")


class Overall(BaseModel):
    definition: str
    games: list[str]
    snapshots: dict[str, int] = Field(description="The snapshot of each game.")
    rows: list[OverallRow]

    @property
    def scale(self) -> Scale:
        """The common scale of all intervals."""
        return scale([edge for row in self.rows for edge in (row.elo_low, row.elo_high)])


class _Line(BaseModel):
    game: str
    snapshot: int
    version: int
    elo: float
    error: float
    provisional: bool


def overall(boards: Sequence[Board]) -> Overall:
    """The overall ratings of the bots in the main pools of all rated games, best first."""
    main = [board for board in boards if board.main and board.ratings.anchored]
    lines = _lines(main)
    anchor = main[0].ratings.anchor.rpartition("/")[0] if main else "careful"
    level = main[0].ratings.anchor_elo if main else 1500.0
    rows = [_row(bot, list(found.values()), len(main), level) for bot, found in lines.items()]
    rows.sort(key=lambda row: (-row.elo_low, row.bot))
    for rank, row in enumerate(rows, 1):
        row.rank = rank
    return Overall(
        definition=DEFINITION.format(anchor=anchor, games=len(main)),
        games=[board.snapshot.game for board in main],
        snapshots={board.snapshot.game: board.snapshot.id for board in main},
        rows=rows,
    )


def _lines(boards: Sequence[Board]) -> dict[str, dict[str, _Line]]:
    """For each bot and game the newest rated version's line."""
    found: dict[str, dict[str, _Line]] = defaultdict(dict)
    for board in boards:
        game = board.snapshot.game
        for number, row in enumerate(board.ratings.rows):
            version = board.versions.get(row.player)
            if version is None or row.pool != 0:
                continue
            before = found[version.bot.label].get(game)
            if before is None or version.number > before.version:
                found[version.bot.label][game] = _Line(
                    game=game,
                    snapshot=board.snapshot.id,
                    version=version.number,
                    elo=row.elo,
                    error=math.sqrt(max(0.0, board.ratings.covariance[number][number])),
                    provisional=row.provisional,
                )
    return {bot: games for bot, games in found.items() if games}


def _row(bot: str, lines: Sequence[_Line], games: int, level: float) -> OverallRow:
    """Mean share with its error by the delta method: games are independent."""
    share, variance = 0.0, 0.0
    for line in lines:
        expected = 1.0 / (1.0 + 10.0 ** ((level - line.elo) / 400.0))
        share += expected / games
        slope = expected * (1.0 - expected) * math.log(10.0) / 400.0
        variance += (slope * line.error / games) ** 2
    # On the Elo scale the interval stays within what is possible.
    error = math.sqrt(variance) / (share * (1.0 - share)) * 400.0 / math.log(10.0)
    elo = level - 400.0 * math.log10(1.0 / share - 1.0)
    return OverallRow(
        rank=0,
        bot=bot,
        elo=elo,
        elo_low=elo - NORMAL_95 * error,
        elo_high=elo + NORMAL_95 * error,
        share=share,
        games={line.game: line.elo for line in lines},
        snapshots={line.game: line.snapshot for line in lines},
        provisional=any(line.provisional for line in lines),
    )
