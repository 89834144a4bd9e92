"""Turns messages: everything that waits for one bot, packed."""

from __future__ import annotations

from kibitz.v1 import bot_pb2 as wire

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
    turns.rejects.extend(rejects)
    turns.news.extend(player.farewells[:MAX_NEWS])
    del player.farewells[:MAX_NEWS]
    if player.waiting:
        _pack(player, turns, cap, credit / max(1, player.watch.open))
    return response


def _pack(player: Player, turns: wire.Turns, cap: int, ahead: float) -> None:
    slots: list[int] = []
    decisions: list[int] = []
    event_counts: list[int] = []
    events: list[int] = []
    legal_counts: list[int] = []
    legal: list[int] = []
    time_left: list[int] = []
    waiting, chairs, news = player.waiting, player.chairs, turns.news
    while waiting and len(slots) < cap and len(news) < MAX_NEWS:
        chair = waiting.popleft()
        chair.waiting = False
        if chair.slot not in chairs:
            continue
        table = chair.table
        if not chair.started or chair.told != table.number:
            news.extend(chair.news(rules=bool(player.said.rules)))
        if table.turn != chair.seat:
            continue
        fresh, choices = chair.fresh(), table.legal
        slots.append(chair.slot)
        decisions.append(table.decision)
        event_counts.append(len(fresh))
        events += fresh
        legal_counts.append(len(choices))
        legal += choices
        time_left.append(chair.clock.left_ms)
        player.open(chair, ahead)
    turns.slots.extend(slots)
    turns.decisions.extend(decisions)
    turns.event_counts.extend(event_counts)
    turns.events.extend(events)
    turns.legal_counts.extend(legal_counts)
    turns.legal.extend(legal)
    turns.time_left_ms.extend(time_left)
