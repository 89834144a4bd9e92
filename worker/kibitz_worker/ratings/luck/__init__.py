"""How much of a deal's score is luck, and how much of the luck duplicate play takes away.

boards, left_out = boards_of(matches)      # decks that every player met in every seat
luck = find_components(boards)
luck.rho, luck.factor                      # shared by the seat's cards; games saved
luck.deals_needed(0.1)                     # to tell two bots apart that differ by 0.1 a deal
"""

from kibitz_worker.ratings.luck.boards import Board, boards_of
from kibitz_worker.ratings.luck.components import Components, find_components
from kibitz_worker.ratings.luck.positions import Position, position_bias

__all__ = [
    "Board",
    "Components",
    "Position",
    "boards_of",
    "find_components",
    "position_bias",
]
