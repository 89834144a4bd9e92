"""Whether a side wants the next trick, game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.games.three_handed_whist import round_of

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


def tricks_wanted(game: Game, number: int, contract: str) -> bool:
    """Whether it is good to take tricks in a deal; in a misere nobody wants one."""
    if game.name == "three_handed_whist":
        return round_of(number) < 4
    return contract not in {"misere", "ouverte"}
