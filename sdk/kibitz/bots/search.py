"""``search``: imagine the cards one cannot see, play each choice to the end, take the best.

For every decision whole deals are imagined that fit what the seat has seen; in each of them every
choice is tried and the rest is played by rules of thumb. Choices that do badly are dropped as the
deals go on (successive halving), so the last deals are spent on those that are close.
"""

from __future__ import annotations

import os
from time import perf_counter
from typing import TYPE_CHECKING

from kibitz.bot import Bot
from kibitz.bots.candidates import candidates
from kibitz.bots.careful import Careful
from kibitz.bots.playout import Playouts
from kibitz.errors import BotError, ImagineError
from kibitz.imagine import imagine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from kibitz.actions import Action
    from kibitz.game import Game
    from kibitz.view import View


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
        thumb = _among(choices, self._careful.play(view))
        trial = Trial(view, choices, player, self.rng)
        try:
            if not _certain(view):
                return trial.halve(thumb, self._budget(kind))
            trial.once(choices)
            return trial.best(choices, thumb)
        except ImagineError:
            return thumb

    def _budget(self, kind: int) -> Callable[[int], float]:
        """Return a function that tells which share of the budget is spent, after some playouts."""
        if self.seconds is None:
            return lambda done: done / (self.playouts * kind)
        seconds, start = self.seconds * kind, perf_counter()
        return lambda _: (perf_counter() - start) / seconds


class Trial:
    """Choices tried in one imagined deal after the other; ``found`` holds what each came to."""

    def __init__(
        self, view: View, choices: Sequence[Action], player: Playouts, rng: Random
    ) -> None:
        self.view, self.choices, self.player, self.rng = view, choices, player, rng
        self.found: dict[int, list[float]] = {choice: [] for choice in choices}
        self.playouts = 0

    def once(self, choices: Sequence[Action]) -> None:
        """Try some choices in one more deal."""
        world, seat = imagine(self.view, self.rng), self.view.seat
        for choice in choices:
            deal = world.copy()
            deal.apply(choice)
            scores = self.player.finish(deal, self.rng)
            self.found[choice].append(scores[seat] - sum(scores) / len(scores))
        self.playouts += len(choices)

    def best(self, choices: Sequence[Action], thumb: Action) -> Action:
        """Return the choice that did best; the rules of thumb win ties."""
        return max(choices, key=lambda choice: (sum(self.found[choice]), choice == thumb))

    def halve(self, thumb: Action, spent: Callable[[int], float]) -> Action:
        """Drop the worse half again and again while the budget lasts; return what is left.

        What the rules of thumb say stays to the end, and is left only for what is surely better.
        """
        alive, dropped = list(self.choices), 0
        rounds = max(1, (len(alive) - 1).bit_length())
        while True:
            self.once(alive)
            share = spent(self.playouts)
            while dropped < rounds and share >= (dropped + 1) / rounds:
                dropped += 1
                alive.sort(key=lambda choice: (-sum(self.found[choice]), choice != thumb))
                rest = alive[(len(alive) + 1) // 2 :]
                alive = [choice for choice in alive if choice == thumb or choice not in rest]
            if len(alive) == 1 or share >= 1:
                best = self.best(alive, thumb)
                return best if surely_better(self.found[best], self.found[thumb]) else thumb


def _certain(view: View) -> bool:
    """Whether the seat can work out where every card is: then one deal tells all."""
    fold = view.fold
    unknown = [
        held - shown.bit_count()
        for place, (held, shown) in enumerate(zip(fold.held, fold.shown, strict=True))
        if place != view.seat and held > shown.bit_count()
    ]
    return not fold.stock and len(unknown) <= 1 and sum(unknown) == fold.unseen.bit_count()


def _among(choices: Sequence[Action], wanted: int) -> Action:
    """Return a choice, or the one that stands for it: the next lower card of its suit."""
    if wanted in choices:
        return choices[choices.index(wanted)]
    below = [choice for choice in choices if choice < wanted]
    return below[-1] if below else choices[0]


def surely_better(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether a choice did better than another in the same deals by more than chance gives.

    The mean difference must be above its own standard error: a few deals are no reason to leave the
    rules of thumb.
    """
    differences = [a - b for a, b in zip(one, other, strict=True)]
    count, total = len(differences), sum(differences)
    if total <= 0:
        return False
    squares = sum((each - total / count) ** 2 for each in differences)
    return count > 1 and total * total > squares * count / (count - 1)


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
