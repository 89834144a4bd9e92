"""Who plays with whom in a deal."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.game import Game


def sides(
    game: Game, players: tuple[int, ...], declarer: int | None, partner: int | None = None
) -> tuple[int, ...]:
    """Return a number for each place; places of one number play together.

    Args:
        game: the game.
        players: the seat that plays for each place.
        declarer: the seat that plays for a contract against the others, if there is one.
        partner: the seat that plays with it, if there is one.
    """
    fixed = game.sides if game.sides < game.seats else 0
    return _sides(fixed, players, declarer, partner)


@lru_cache(maxsize=4096)
def _sides(
    fixed: int, players: tuple[int, ...], declarer: int | None, partner: int | None
) -> tuple[int, ...]:
    if fixed:
        return tuple(seat % fixed for seat in players)
    if declarer is None:
        return players
    return tuple(int(seat in (declarer, partner)) for seat in players)
