"""``search``: imagine the cards one cannot see, play each choice to the end, take the best.

For every decision whole deals are imagined that fit what the seat has seen; in each of them every
choice is tried and the rest is played by rules of thumb. Choices that do badly are dropped as the
deals go on (successive halving), so the last deals are spent on those that are close.
"""

from __future__ import annotations

import os
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from kibitz.bot import Bot
from kibitz.bots.candidates import candidates
from kibitz.bots.careful import Careful
from kibitz.bots.playout import Playouts
from kibitz.errors import BotError, ImagineError
from kibitz.imagine import imagine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kibitz.actions import Action
    from kibitz.game import Game
    from kibitz.view import View

    Means: TypeAlias = dict[int, float]

PLAYOUTS = 60  # about 15 ms a decision
CALLS = 5  # a call decides more than a card, and there are few


class Search(Bot):
    """Tries every choice in imagined deals.

    Args:
        playouts: how many deals to play to the end for a card (for a call five times as many);
            default ``KIBITZ_SEARCH_PLAYOUTS``, else 60.
        milliseconds: stop after this time instead; default ``KIBITZ_SEARCH_MS``. Decisions then
            depend on the machine and cannot be repeated by a seed.

    Raises:
        BotError: the environment holds no positive number.
    """

    name = "search"

    def __init__(self, playouts: int | None = None, milliseconds: float | None = None) -> None:
        if playouts is None and milliseconds is None:
            milliseconds = _number("KIBITZ_SEARCH_MS")
            playouts = int(_number("KIBITZ_SEARCH_PLAYOUTS") or PLAYOUTS)
        self.playouts = playouts or PLAYOUTS
        self.seconds = None if milliseconds is None else milliseconds / 1000
        self._careful = Careful()
        self._known: dict[Game, Playouts] = {}

    def play(self, view: View) -> Action | int:
        """Return the choice that did best in the deals imagined."""
        choices = candidates(view)
        if len(choices) == 1:
            return choices[0]
        player = self._known.get(view.game)
        if player is None:
            player = self._known[view.game] = Playouts(view.game)
        kind = 1 if choices[0].is_card else CALLS
        try:
            return self._halve(view, choices, player, self._budget(kind))
        except ImagineError:
            return self._careful.play(view)

    def _budget(self, kind: int) -> Callable[[int], float]:
        """Return a function that tells which share of the budget is spent, after some playouts."""
        if self.seconds is None:
            return lambda done: done / (self.playouts * kind)
        seconds, start = self.seconds * kind, perf_counter()
        return lambda _: (perf_counter() - start) / seconds

    def _halve(
        self,
        view: View,
        choices: Sequence[int],
        player: Playouts,
        spent: Callable[[int], float],
    ) -> int:
        totals = dict.fromkeys(choices, 0.0)
        alive, playouts, dropped = list(choices), 0, 0
        rounds = max(1, (len(choices) - 1).bit_length())
        while True:
            world = imagine(view, self.rng)
            for choice in alive:
                deal = world.copy()
                deal.apply(choice)
                scores = player.finish(deal, self.rng)
                totals[choice] += scores[view.seat] - sum(scores) / len(scores)
            playouts += len(alive)
            share = spent(playouts)
            while dropped < rounds and share >= (dropped + 1) / rounds:
                dropped += 1
                alive.sort(key=lambda choice: -totals[choice])
                del alive[(len(alive) + 1) // 2 :]
            if len(alive) == 1 or share >= 1:
                return alive[0]


def _number(variable: str) -> float | None:
    text = os.environ.get(variable)
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise BotError(f"{variable}={text!r:.40} is no positive number", reason="BAD_BUDGET")
    return value
