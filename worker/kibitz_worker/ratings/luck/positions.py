"""Does it pay to deal, or to sit in a certain place? Bias of positions, free of who played."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.luck.boards import Board
from kibitz_worker.ratings.student import quantile


@dataclass(frozen=True, slots=True)
class Position:
    """Mean margin a deal of a position: 0 is the dealer, 1 whoever sits after it, and so on.

    The bounds hold 95 %; boards are the independent units.
    """

    position: int
    margin: float
    low: float
    high: float
    boards: int


def position_bias(boards: Sequence[Board]) -> tuple[Position, ...]:
    """Each position's advantage; every player was in every seat of a board, so bots cancel out.

    Raises RatingError `TOO_FEW_BOARDS` for fewer than two.
    """
    if len(boards) < 2:
        raise RatingError("TOO_FEW_BOARDS", "two deals in whole sets are needed")
    seats = np.array([np.roll(np.mean(board.margins, axis=0), -board.dealer) for board in boards])
    means = seats.mean(axis=0)
    halves = quantile(len(boards) - 1) * seats.std(axis=0, ddof=1) / np.sqrt(len(boards))
    return tuple(
        Position(n, mean, mean - half, mean + half, len(boards))
        for n, (mean, half) in enumerate(zip(means.tolist(), halves.tolist(), strict=True))
    )
