"""The bots that come with Kibitz, entered in the store as bots of the house."""

from __future__ import annotations

import hashlib
import importlib.util
from importlib.metadata import version
from pathlib import Path

import kibitz
from kibitz.game import Game
from kibitz.loading import SHIPPED
from sqlalchemy.orm import Session

from kibitz_worker.store.bots import add_house_bot
from kibitz_worker.store.models import Version

TWIN, TWIN_OF = "twin", "careful"
"""The same bot under a second name: if the two ever differ, the platform favours somebody."""
DICE, DICE_OF = "dice", "random"
"""Another one, a fifth where four sit at a table: so twins have tables with and without the other.
"""


def add_house_bots(session: Session) -> list[Version]:
    """Enter the shipped bots, and the twins; one whose code has changed gets a new version."""
    games = list(kibitz.games())
    large = [name for name in games if needs_dice(kibitz.game(name))]
    wanted = [(name, name, games) for name in SHIPPED]
    wanted += [(TWIN, TWIN_OF, games), *([(DICE, DICE_OF, large)] if large else [])]
    return [
        add_house_bot(session, name, spec, code_hash(name, spec), played)
        for name, spec, played in wanted
    ]


def needs_dice(game: Game) -> bool:
    """Whether one bot more is needed for tables at which only one of the twins sits."""
    return game.players > len(SHIPPED)


def code_hash(name: str, spec: str) -> str:
    """Return what tells versions of a shipped bot apart: the release and the bot's own module."""
    module = SHIPPED[spec].partition(":")[0]
    found = importlib.util.find_spec(module)
    source = Path(found.origin).read_bytes() if found and found.origin else b""
    return hashlib.sha256(
        version("kibitz").encode() + b"\0" + name.encode() + b"\0" + source
    ).hexdigest()
