"""Everybody against everybody, in the order of the ratings."""

from kibitz_worker.ratings.crosstable import Cell
from pydantic import BaseModel, Field, computed_field

from kibitz_api.charts import shade
from kibitz_api.leaderboards.queries import Board

PLAYERS_MAX = 60


class CrosstablePlayer(BaseModel):
    label: str = Field(description="Label of the version, `owner/bot/number`.")
    bot: str
    version: int
    short: str = Field(description="A few letters for the head of a column.")


class CrosstableCell(BaseModel):
    """How the player of the row did against the player of the column."""

    sets: int
    deals: int
    share: float = Field(description="Sets won plus half the drawn ones, divided by the sets.")
    margin: float = Field(description="Row's score minus column's, per deal.")
    p_value: float | None = Field(description="Two-sided, for 'no difference in margin'.")
    significant: bool = Field(description="The margin differs from 0 at the level of 5 %.")
    los: float | None = Field(
        description="Likelihood that the row's Elo is the higher one, from both errors and what "
        "they have in common; null: not comparable."
    )

    @computed_field
    def shade(self) -> str:
        """Style classes of the dashboard's cell."""
        return shade(self.share, self.significant)


class Crosstable(BaseModel):
    snapshot: int
    players: list[CrosstablePlayer]
    cells: list[list[CrosstableCell | None]] = Field(
        description="cells[row][column]; null where the two never met."
    )


def crosstable(board: Board) -> Crosstable:
    """The crosstable of a snapshot: rows and columns best first, at most the best 60."""
    ordered = sorted(board.ratings.rows, key=lambda row: (row.pool, row.rank))
    labels = [row.player for row in ordered if row.player in board.versions][:PLAYERS_MAX]
    met = {
        (label, cell.opponent): cell
        for label in labels
        for cell in board.ratings.crosstable.of(label)
    }
    cells = [
        [_cell(board, met.get((player, opponent))) for opponent in labels] for player in labels
    ]
    players = [_player(board, label) for label in labels]
    return Crosstable(snapshot=board.snapshot.id, players=players, cells=cells)


def _cell(board: Board, cell: Cell | None) -> CrosstableCell | None:
    if cell is None:
        return None
    return CrosstableCell(
        sets=cell.sets,
        deals=cell.deals,
        share=cell.share,
        margin=cell.margin,
        p_value=cell.p_value,
        significant=cell.significant,
        los=board.ratings.los(cell.player, cell.opponent),
    )


def _player(board: Board, label: str) -> CrosstablePlayer:
    version = board.versions[label]
    name = version.bot.name
    short = name if len(name) <= 7 else f"{name[:6]}…"
    several = sum(v.bot_id == version.bot_id for v in board.versions.values()) > 1
    return CrosstablePlayer(
        label=label,
        bot=version.bot.label,
        version=version.number,
        short=f"{short} {version.number}" if several else short,
    )
