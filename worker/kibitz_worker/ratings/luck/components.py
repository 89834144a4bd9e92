"""Variance components of a deal's score, by the design of the duplicate set.

Score of bot b in seat s of deal d: level of b + L(d, s) + rest. A board holds every player in every
seat, so its means over players show L, its means over seats the players, and how those differ from
board to board the rest: the analysis of variance of a two-way layout (H. Scheffé, The Analysis of
Variance, 1959, chapters 4 and 7) with expected mean squares solved for the components. Subtracting
a table's mean takes 1 / k of each variance away, which is put back. Estimates below 0 are shown as
0.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.luck.boards import Board
from kibitz_worker.ratings.results import Floats

NORMAL_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Components:
    """Variances of one deal's score, in points squared, and what follows from them.

    `cards`: deal x seat, the luck that duplicate play takes away (who deals included). `rest`: what
    remains of luck when everybody gets the same cards. `bot`: how much levels differ between bots;
    `bot_by_bot`: how much a bot's level depends on whom it meets (None where only one table of bots
    played).
    """

    players: int
    boards: int
    cards: float
    rest: float
    bot: float
    bot_by_bot: float | None

    @property
    def luck(self) -> float:
        """Share of luck in a single deal's score: 1 where all bots are alike."""
        luck = self.cards + self.rest
        total = luck + self.bot + (self.bot_by_bot or 0.0)
        return luck / total if total > 0 else 1.0

    @property
    def rho(self) -> float:
        """Correlation of two players' luck in the same seat of the same deal."""
        luck = self.cards + self.rest
        return self.cards / luck if luck > 0 else 0.0

    @property
    def factor(self) -> float:
        """How many times as many deals it takes without duplicate play: 1 / (1 - rho)."""
        return 1.0 / (1.0 - self.rho) if self.rho < 1.0 else math.inf

    def deals_needed(self, difference: float, *, duplicate: bool = True) -> float:
        """Deals each of two bots must play until 95 % intervals of that half width are reached.

        `difference` is that of their levels in points a deal. The variance of the difference of
        means over n deals each is 2 rest / n with duplicate play, else 2 (cards + rest) / n.
        """
        if difference == 0.0:
            return math.inf
        variance = self.rest if duplicate else self.rest + self.cards
        return max(1.0, 2.0 * variance * (NORMAL_95 / difference) ** 2)


def find_components(boards: Sequence[Board]) -> Components:
    """Estimate the components from boards of one game.

    Raises RatingError `TOO_FEW_BOARDS` unless some table of bots has two boards, `BAD_BOARD` if
    the boards have different numbers of players.
    """
    tables = defaultdict(list)
    # In an order of their own, so that the last digits don't tell in which order sets were played.
    for board in sorted(boards, key=lambda one: (one.players, one.margins)):
        tables[board.players].append(board.margins)
    if not any(len(rows) > 1 for rows in tables.values()):
        raise RatingError("TOO_FEW_BOARDS", "two deals of the same bots in whole sets are needed")
    size = len(boards[0].players)
    if any(len(players) != size for players in tables):
        raise RatingError("BAD_BOARD", "all boards must have the same number of players")
    several = {players: np.array(rows) for players, rows in tables.items() if len(rows) > 1}
    spread = sum(_squares(margins.mean(axis=2)) for margins in several.values())
    freedom = sum((len(margins) - 1) * (size - 1) for margins in several.values())
    rest = size * spread / freedom
    seats = np.concatenate([margins.mean(axis=1) for margins in several.values()])
    swing = _squares(seats) / ((len(seats) - 1) * (size - 1))
    bot, bot_by_bot = _bots(several, rest)
    return Components(
        players=size,
        boards=len(seats),
        cards=max(0.0, swing - rest / size),
        rest=rest,
        bot=bot,
        bot_by_bot=bot_by_bot,
    )


def _squares(means: Floats) -> float:
    """Sum of squared deviations from the columns' means."""
    return float(((means - means.mean(axis=0)) ** 2).sum())


def _bots(tables: dict[tuple[str, ...], Floats], rest: float) -> tuple[float, float | None]:
    """Variance between bots' levels, and of what tables add to them.

    Levels are fitted to the tables' means by weighted least squares; both variances are what is
    left of the mean squares after the part that the rest alone would give.
    """
    names = sorted({name for players in tables for name in players})
    number = {name: n for n, name in enumerate(names)}
    size = len(next(iter(tables)))
    centre = np.eye(size) - 1.0 / size
    rows, values, weights = [], [], []
    for players, margins in tables.items():
        design = np.zeros((size, len(names)))
        design[range(size), [number[name] for name in players]] = 1.0
        rows.append(centre @ design)
        values.append(margins.mean(axis=(0, 2)))
        weights.append(np.full(size, float(len(margins))))
    x, y, w = np.concatenate(rows), np.concatenate(values), np.concatenate(weights)
    inverse = np.linalg.pinv(x.T @ (w[:, None] * x), hermitian=True)
    level = inverse @ (x.T @ (w * y))
    noise = rest / size * float(np.trace(inverse)) / max(1, len(names) - 1)
    between = float(((level - level.mean()) ** 2).sum()) / max(1, len(names) - 1)
    freedom = len(tables) * (size - 1) - int(np.linalg.matrix_rank(x))
    if freedom < 1:
        return max(0.0, between - noise), None
    surplus = float((w * (y - x @ level) ** 2).sum()) / freedom - rest / size
    harmonic = len(w) / float((1.0 / w).sum())
    return max(0.0, between - noise), max(0.0, surplus / harmonic)
