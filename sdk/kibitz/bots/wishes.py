"""Whether a side wants the next trick, game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.game import Game

GOOD = 8  # a ten: strengths run from 0 (a two) to 12 (an ace)


def prize_wanted(game: Game, trump: int | None, prize: int) -> bool:
    """Whether the winner of a trick that draws cards is better off than its loser.

    The winner gets the card turned up, the loser an unseen one, which is worth seven or eight on
    average: so a ten is good enough, and any trump. Where every trick counts, all are wanted.
    """
    suit = game.cards.suit[prize]
    return (
        getattr(game, "count", "") == "all"
        or suit == trump
        or suit >= len(game.cards.suits)  # a Joker
        or game.cards.strength[prize] >= GOOD
    )
