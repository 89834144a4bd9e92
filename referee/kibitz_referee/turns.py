"""Turns messages: everything that waits for one bot, packed."""

from __future__ import annotations

from itertools import chain

from kibitz.v1 import bot_pb2 as wire

from kibitz_referee.chair import Chair
from kibitz_referee.clock import FOREVER
from kibitz_referee.player import Player

MAX_NEWS = 1024
"""The most news of one message."""


def collect(
    player: Player, rejects: list[wire.Reject], cap: int, credit: float = 0.0
) -> wire.PlayResponse | None:
    """Hand over what waits for a bot; return the message, or ``None`` if nothing does.

    Decisions in it are open from now on. The bot's stopwatch must have been run to ``credit``
    seconds before the present.
    """
    if not (player.waiting or player.farewells or rejects):
        return None
    response = wire.PlayResponse()
    turns = response.turns
    if rejects:
        turns.rejects.extend(rejects)
    if player.farewells:
        turns.news.extend(player.farewells[:MAX_NEWS])
        del player.farewells[:MAX_NEWS]
    if player.waiting:
        asked = _next_chairs(player, turns, cap)
        if asked:
            player.open(asked, credit)
            _pack(asked, turns)
    return response


def _next_chairs(player: Player, turns: wire.Turns, cap: int) -> list[Chair]:
    """Tell the news of the chairs that wait; return those that are to decide."""
    asked: list[Chair] = []
    waiting, news = player.waiting, turns.news
    room = MAX_NEWS - len(news)
    while waiting and len(asked) < cap and room > 0:
        chair = waiting.popleft()
        chair.waiting = False
        table = chair.table
        if chair.told != table.number and chair.held:
            latest = chair.news(rules=bool(player.said.rules))
            news.extend(latest)
            room -= len(latest)
        if table.turn == chair.seat and chair.held:
            asked.append(chair)
    return asked


def _pack(asked: list[Chair], turns: wire.Turns) -> None:
    # Whole columns at once: a decision costs a few microseconds in all.
    tables = [chair.table for chair in asked]
    legal = [table.legal for table in tables]
    banks = [chair.clock.bank for chair in asked]
    fresh = []
    for chair, table in zip(asked, tables, strict=True):
        events = table.deal.wire(chair.seat, chair.cursor)
        chair.cursor += len(events)
        fresh.append(events)
    turns.slots.extend([chair.slot for chair in asked])
    turns.decisions.extend([chair.open for chair in asked])
    turns.event_counts.extend([len(events) for events in fresh])
    turns.events.extend(chain.from_iterable(fresh))
    turns.legal_counts.extend([len(actions) for actions in legal])
    turns.legal.extend(chain.from_iterable(legal))
    turns.time_left_ms.extend([int(bank * 1000) if bank < FOREVER else 0 for bank in banks])
