"""A chair: the seat of a table as the bot sees it that sits there, and what it has been told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kibitz.v1 import bot_pb2 as wire
from kibitz.v1 import table_pb2

from kibitz_referee.table import Table
from kibitz_referee.tape import Tape
from kibitz_referee.terms import ClockTerms

if TYPE_CHECKING:
    from kibitz_referee.live import LiveMatch
    from kibitz_referee.player import Player

NEVER = -1


class Chair:
    """A seat held by a player.

    Attributes:
        slot: the number by which the bot knows the seat; it lasts as long as the seat is held.
        open: the decision that was handed over and is not answered; ``NEVER`` if there is none.
        opened: the reading of the player's stopwatch at that moment.
        answered: the last decision that the bot took itself.
        told: the number of the deal that the bot was told of last; ``NEVER`` if of none.
        cursor: how many events of that deal it was told.
        held: whether the player still sits there.
        away: how many seconds its player had been away in all when it sat down.
        tape: where the messages about the seat are kept; ``None`` if nobody asked for them.
    """

    __slots__ = (
        "answered",
        "away",
        "clock",
        "cursor",
        "held",
        "live",
        "open",
        "opened",
        "player",
        "ready",
        "seat",
        "slot",
        "started",
        "table",
        "tape",
        "told",
        "waiting",
    )

    def __init__(self, live: LiveMatch, table: Table, seat: int, player: Player, slot: int) -> None:
        self.live, self.table, self.seat, self.player, self.slot = live, table, seat, player, slot
        self.clock = table.clocks[seat]
        self.open = self.answered = NEVER
        self.opened = 0.0
        self.away = player.away
        self.ready = self.started = self.waiting = False
        self.told = NEVER
        self.cursor = 0
        self.held = True
        self.tape: Tape | None = None

    def forget(self) -> None:
        """Tell everything anew, from the start of the table."""
        self.started = False
        self.told = NEVER
        self.cursor = 0

    def news(self, *, rules: bool) -> list[wire.News]:
        """Return what happened apart from events since the bot was told.

        ``rules`` says that the bot knows the actions of games.
        """
        news = []
        if not self.started:
            self.started = True
            news.append(wire.News(slot=self.slot, table_start=self._table_start(rules=rules)))
        table = self.table
        if self.told == table.number or not table.deal_begun:
            return news
        if self.told != NEVER:
            news.append(wire.News(slot=self.slot, deal_end=self._deal_end(self.told)))
            self.told = NEVER
        if not table.over:
            self.told = table.number
            self.cursor = 0
            news.append(wire.News(slot=self.slot, deal_start=self._deal_start()))
        return news

    def retold(self) -> wire.Turns:
        """Return all that the seat was told of its deal, as it would be told anew; tell nothing."""
        table = self.table
        start = self._table_start(rules=True)
        turns = wire.Turns(news=[wire.News(slot=self.slot, table_start=start)])
        if self.told != table.number or table.over:
            return turns
        turns.news.add(slot=self.slot, deal_start=self._deal_start())
        if table.turn == self.seat:
            events = table.deal.wire(self.seat, 0)[: self.cursor]
            turns.slots.append(self.slot)
            turns.decisions.append(table.decision)
            turns.event_counts.append(len(events))
            turns.events.extend(events)
            turns.legal_counts.append(len(table.legal))
            turns.legal.extend(table.legal)
            turns.time_left_ms.append(self.clock.left_ms)
        return turns

    def table_end(self, reason: str) -> list[wire.News]:
        """Return the last news; ``reason`` is empty if the match was finished."""
        news = []
        if self.told != NEVER and self.told < self.table.number:
            news.append(wire.News(slot=self.slot, deal_end=self._deal_end(self.told)))
        returns = self.table.match.returns if not reason else None
        end = wire.TableEnd(returns=returns or (), reason=reason)
        news.append(wire.News(slot=self.slot, table_end=end))
        return news

    def _table_start(self, *, rules: bool) -> wire.TableStart:
        table = self.table
        game = table.match.game
        return wire.TableStart(
            table=table.id,
            game=game.name,
            options_json=json.dumps(game.options()),
            seat=self.seat,
            seats=table.match.seats,
            actions=() if rules else game.actions.names,
            clock=clock_message(table.clock),
            deals=self.live.deals,
        )

    def _deal_start(self) -> wire.DealStart:
        match, deal = self.table.match, self.table.deal
        return wire.DealStart(
            number=match.number,
            dealer=deal.dealer,
            totals=match.totals,
            points=deal.points if any(deal.points) else (),
        )

    def _deal_end(self, number: int) -> wire.DealEnd:
        played = self.table.finished(number)
        end = wire.DealEnd(
            number=number,
            scores=played.scores,
            events=played.deal.wire(self.seat, self.cursor),
        )
        if played.forfeit is not None:
            end.forfeit.CopyFrom(self._forfeit(number))
        return end

    def _forfeit(self, number: int) -> table_pb2.Forfeit:
        failure = next(one.failure for one in self.table.forfeits if one.deal == number)
        own = failure.seat == self.seat
        return table_pb2.Forfeit(
            deal=number,
            seat=failure.seat,
            reason=failure.reason,
            detail=failure.detail if own else "",
            **(failure.milliseconds() if own else {}),
        )


def clock_message(clock: ClockTerms) -> table_pb2.Clock:
    """Return a clock as the protocol has it."""
    return table_pb2.Clock(
        bank_ms=round(clock.bank * 1000),
        increment_ms=round(clock.increment * 1000),
        cap_ms=round(clock.cap * 1000),
        ready_ms=round(clock.ready * 1000),
        tolerance_ms=round(clock.tolerance * 1000),
        untimed=clock.untimed,
    )
