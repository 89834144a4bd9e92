"""Kibitz: trick-taking card games for bots.

``kibitz.game`` gives a game, ``game.new_deal`` a deal to play, ``deal.view`` what a seat may know.
A bot is a class with a ``play`` method (:class:`Bot`); :func:`run` connects it to a table.
"""

from kibitz.actions import Action, Actions
from kibitz.bot import Bot, run
from kibitz.cards import Pack
from kibitz.deal import Deal
from kibitz.errors import (
    ActionError,
    BotError,
    CardError,
    DeckError,
    IllegalActionError,
    ImagineError,
    KibitzError,
    MatchError,
    OptionError,
    RecordError,
)
from kibitz.events import Event, What
from kibitz.game import Game
from kibitz.games import add_game, game, games
from kibitz.imagine import imagine
from kibitz.match import Match
from kibitz.record import Record
from kibitz.remark import Play
from kibitz.sets import Seating, seatings
from kibitz.shuffle import cut, deck_from_key, shuffle
from kibitz.view import View

__version__ = "0.1.0"

__all__ = [
    "Action",
    "ActionError",
    "Actions",
    "Bot",
    "BotError",
    "CardError",
    "Deal",
    "DeckError",
    "Event",
    "Game",
    "IllegalActionError",
    "ImagineError",
    "KibitzError",
    "Match",
    "MatchError",
    "OptionError",
    "Pack",
    "Play",
    "Record",
    "RecordError",
    "Seating",
    "View",
    "What",
    "add_game",
    "cut",
    "deck_from_key",
    "game",
    "games",
    "imagine",
    "run",
    "seatings",
    "shuffle",
]
