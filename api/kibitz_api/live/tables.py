"""A table being played as everybody sees it, worked out from the public events of its deal."""

import json
from functools import lru_cache
from typing import Any

from kibitz import Game
from kibitz.events import EVENTS
from kibitz.fold import Fold
from kibitz.games import game_from_options
from pydantic import BaseModel, Field

from kibitz_api.games.queries import title

NOBODY = -1
"""The seat that a spectator looks from: none, so that nothing of a hand is its own."""


class LiveSeat(BaseModel):
    name: str = Field(description="Bot and version: `careful/1`, `ana/heart/3`.")
    bot: str = Field(description="Label of the bot; page /bots/{bot}.")


class LiveTrick(BaseModel):
    won: int | None = Field(description="Place that took it; null while it is being played.")
    cards: list[tuple[int, str]] = Field(description="(place, card), the card led first.")


class LiveTable(BaseModel):
    """The deal under way: nothing in it is hidden from any player at the table."""

    match: str
    set: str
    tournament: str
    game: str
    title: str
    seats: list[LiveSeat]
    deal: int
    dealer: int
    totals: list[float]
    turn: int | None = Field(description="Seat that decides; null when the match is over.")
    over: bool
    calls: list[tuple[int, str]] = Field(description="(place, code) of all that was announced.")
    tricks: list[LiveTrick] = Field(description="All tricks so far, the last perhaps unfinished.")
    taken: list[int] = Field(description="Tricks by place.")
    held: list[int] = Field(description="How many cards each place holds.")
    open: list[list[str]] = Field(description="By place: cards that everybody knows it to hold.")
    trump: str | None
    declarer: int | None
    contract: str | None
    stock: int
    turned: str | None = Field(description="The face-up card of the stock.")


@lru_cache(maxsize=64)
def _game(name: str, options: str) -> Game:
    return game_from_options(name, json.loads(options))


@lru_cache(maxsize=256)
def live_table(state: str) -> LiveTable:
    """Tell the state of a table as a worker relays it.

    Kept for a moment, as all viewers of the process want the same.
    """
    data = json.loads(state)
    game = _game(data["game"], json.dumps(data["options"], sort_keys=True))
    fold = Fold(game, NOBODY)
    fold.advance([EVENTS[code] for code in data["events"]])
    names = game.actions.names
    return LiveTable(
        **{key: data[key] for key in ("match", "set", "tournament", "game", "deal", "dealer")},
        **{key: data[key] for key in ("totals", "turn", "over")},
        title=title(game.name),
        seats=[LiveSeat(name=name, bot=name.rpartition("/")[0]) for name in data["seats"]],
        calls=[(place, names[action] if action >= 0 else "?") for place, action in fold.calls],
        tricks=_tricks(fold, names),
        taken=fold.taken,
        held=fold.held,
        open=[[card.code for card in game.actions.cards(mask)] for mask in fold.shown],
        trump=_trump(fold, game),
        declarer=fold.declarer,
        contract=None if fold.contract is None else names[fold.contract],
        stock=fold.stock,
        turned=names[fold.turned[-1]] if fold.turned else None,
    )


def _tricks(fold: Fold, names: Any) -> list[LiveTrick]:
    over = [(won, cards) for won, cards in fold.tricks]
    under_way = [(None, fold.trick)] if fold.trick else []
    return [
        LiveTrick(won=won, cards=[(place, names[card]) for place, card in cards])
        for won, cards in [*over, *under_way]
    ]


def _trump(fold: Fold, game: Game) -> str | None:
    return None if fold.trump is None else game.cards.suits[fold.trump]
