"""Turns messages: everything that waits for one bot, packed."""

from __future__ import annotations

from kibitz.actions import Action
from kibitz.v1 import bot_pb2 as wire

from kibitz_referee.chair import Chair
from kibitz_referee.clock import FOREVER
from kibitz_referee.packing import add_legal
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
        if not chair.held:
            continue
        table = chair.table
        if chair.told != table.number:
            latest = chair.news(rules=bool(player.said.rules))
            news.extend(latest)
            room -= len(latest)
        if table.turn == chair.seat:
            asked.append(chair)
    return asked


def _pack(asked: list[Chair], turns: wire.Turns) -> None:
    # One round of all chairs, and whole columns at once: a decision costs a few microseconds.
    events: list[int] = []
    legal: list[Action] = []
    columns = []
    for chair in asked:
        table = chair.table
        cursor, allowed = chair.cursor, table.legal
        fresh = table.deal.wire(chair.seat, cursor)
        told = len(fresh)
        chair.cursor = cursor + told
        events += fresh
        legal += allowed
        columns.append((chair.slot, chair.open, told, len(allowed), chair.clock.bank))
    slots, decisions, counts, legal_counts, banks = zip(*columns, strict=True)
    turns.slots.extend(slots)
    turns.decisions.extend(decisions)
    turns.event_counts.extend(counts)
    turns.events.extend(events)
    turns.legal_counts.extend(legal_counts)
    add_legal(turns, legal)
    turns.time_left_ms.extend([int(bank * 1000) if bank < FOREVER else 0 for bank in banks])
