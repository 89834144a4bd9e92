"""Duplicate sets played right here, in one process: no server, no clock."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.bot import Bot, FunctionBot
from kibitz.contest import AnyBot, Contest, Fault, OnDeal, PlayedSet
from kibitz.games import game as game_named
from kibitz.manifest import FILE, Manifest, ManifestError
from kibitz.margins import Standing, standings

if TYPE_CHECKING:
    from kibitz.game import Game

__all__ = ["AnyBot", "Contest", "Fault", "PlayedSet", "Result", "demonstrate", "play_sets"]


@dataclass
class Result:
    """What some sets came to."""

    game: Game
    players: tuple[str, ...]
    sets: list[PlayedSet] = field(default_factory=list)

    @property
    def standings(self) -> list[Standing]:
        """How each player did, the best first."""
        return standings(self.players, [each.scores for each in self.sets])

    @property
    def faults(self) -> list[Fault]:
        """All deals lost by a fault."""
        return [fault for each in self.sets for fault in each.faults]


def play_sets(
    game: Game | str,
    bots: Sequence[AnyBot],
    *,
    sets: int = 1,
    seed: int | str = 0,
    first: int = 0,
    on_deal: OnDeal = lambda: None,
) -> Result:
    """Play some duplicate sets and return what they came to.

    Args:
        game: a game, or its name.
        bots: ``game.players`` bots, bot classes, functions, or texts as ``kibitz play`` takes them.
        sets: how many sets.
        seed: what decks and bots' generators depend on.
        first: number of the first set.
        on_deal: called after each deal.

    Raises:
        OptionError: the game cannot be duplicated, or it has another number of players.
        BotError: a bot cannot be loaded.
    """
    contest = Contest(game, bots, seed)
    result = Result(contest.game, contest.players)
    for number in range(first, first + sets):
        result.sets.append(contest.play(number, on_deal))
    return result


def demonstrate(bot: Bot) -> None:
    """Play a bot against ``careful`` and say how it did, in a few lines."""
    games = bot.games or _games_beside(bot)
    game = game_named(games[0] if games else "german_whist")
    print(f"{bot.name} plays a duplicate set of {game.name} against careful ...")
    result = play_sets(game, [bot, *["careful"] * (game.players - 1)])
    for row in result.standings:
        print(f"  {row.player:20} {row.margin:+8.3f} points a deal above the table's mean")
    for fault in result.faults[:1]:
        print(fault.error.traceback or f"{fault.error.where}: {fault.error}")
    if result.faults:
        print(f"{len(result.faults)} deals were forfeited by faults as the one above.")
    print(f"More: kibitz play {game.name} BOT BOT --sets 20 (kibitz play --help)")


def _games_beside(bot: Bot) -> tuple[str, ...]:
    """Return the games of the ``kibitz.toml`` beside the bot's own file, if there is one."""
    made_of = bot.function if isinstance(bot, FunctionBot) else type(bot)
    file = getattr(sys.modules.get(made_of.__module__), "__file__", None)
    if file is None or not Path(file).with_name(FILE).is_file():
        return ()
    try:
        return Manifest.read(Path(file).resolve().parent).games
    except ManifestError as error:  # authors run bot files directly: a line, not a traceback
        raise SystemExit(f"kibitz: {error} [{error.reason}]") from None
