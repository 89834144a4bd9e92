"""Who may play in partnership games."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.game import Game

from kibitz_worker.errors import InvalidError
from kibitz_worker.store.models import BotKind, Version


def check_partners(game: Game, versions: Sequence[Version], *, rated: bool) -> None:
    """Refuse bots that would see both hands of their side where the result is rated.

    A bot sits in both seats of its side. Started here, it is a process a seat; on its owner's
    machine nobody can tell whether the two seats know of each other.

    Raises InvalidError (PARTNERS_SELF_HOSTED).
    """
    if not rated or game.sides == game.seats:
        return
    for version in versions:
        if version.bot.kind is BotKind.SELF_HOSTED:
            raise InvalidError(
                f"{version.label} runs on its owner's machine, where it sees the hands of both "
                f"partners of {game.name}; submit it, or make the tournament unrated",
                reason="PARTNERS_SELF_HOSTED",
            )
