"""The duplicate set: which player sits where, so that luck falls on all alike.

Rotating the players keeps the order round the table, and who plays after whom matters. So a set
has both orders of three players, and all six of four; within an order all rotations play the same
decks.
"""

from itertools import permutations
from typing import NamedTuple

from kibitz.errors import OptionError
from kibitz.game import Game


class Seating(NamedTuple):
    """One match of a set. ``order[seat]`` is the index of the player (or side) at a seat.

    Matches of one ``half`` play the same decks; ``lane`` counts the seatings within it.
    """

    half: int
    lane: int
    order: tuple[int, ...]


def seatings(game: Game, players: int | None = None) -> tuple[Seating, ...]:
    """Return the matches of one duplicate set: 2, 6 or 24 for 2, 3 or 4 independent players.

    ``players`` can be the number of seats of a game of sides: each seat then has a player of its
    own, and players 0 and 2 are partners against 1 and 3.

    Raises:
        OptionError: the game's matches have no fixed number of deals with fresh decks.
    """
    if not game.duplicable:
        raise OptionError(
            f"{game.name} with these options cannot be duplicated: sets need a fixed number of"
            " deals, each with a fresh deck",
            reason="NOT_DUPLICABLE",
        )
    if players == game.seats != game.players:
        turns = (tuple((seat + turn) % players for seat in range(players)) for turn in (0, 1))
        return tuple(Seating(0, turn, order) for turn, order in enumerate(turns))
    players = game.players
    rounds = [(0, *others) for others in permutations(range(1, players))]
    return tuple(
        Seating(half, lane, tuple(order[(seat + lane) % players] for seat in range(game.seats)))
        for half, order in enumerate(rounds)
        for lane in range(players)
    )


def halves(game: Game) -> int:
    """Return how many different decks each deal number of a set needs: one for each order."""
    return 1 + max(seating.half for seating in seatings(game))
