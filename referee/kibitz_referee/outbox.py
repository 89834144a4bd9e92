"""What goes out to one bot: when it is sent, and in how few messages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeAlias

import grpc
from kibitz.v1 import bot_pb2 as wire

from kibitz_referee import tape
from kibitz_referee.player import Player
from kibitz_referee.post import Driven, rest
from kibitz_referee.turns import collect

if TYPE_CHECKING:
    from kibitz_referee.hall import Hall

Context: TypeAlias = "grpc.aio.ServicerContext[wire.PlayRequest | None, wire.PlayResponse]"

MAX_REJECTS = 2_000
"""So many rejects may wait for a bot that does not read."""

HOLD_S = 0.004
"""How long turns are held back from a bot that is at work, to go out in one batch."""


class Outbox:
    """Sends what waits for a bot, once it has a writer.

    A bot that is still at work on earlier turns is left alone for a moment, so that what comes up
    meanwhile goes out as one batch; the clocks of turns that are held back don't run.

    Attributes:
        writer: runs :meth:`write`.
        paused: whether notices wait for one that comes later.
    """

    def __init__(self, hall: Hall, player: Player, context: Context) -> None:
        self._hall, self._player, self._context = hall, player, context
        self._loop = asyncio.get_running_loop()
        self._heartbeat: wire.PlayResponse | None = None
        self._rejects: list[wire.Reject] = []
        self._goodbye: wire.Goodbye | None = None
        self.writer: Driven | None = None
        self._due = True
        self._held_since: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.paused = False

    def notice(self) -> None:
        """Note that something waits for the bot: send it, or hold it for a moment."""
        if self.paused or self._due:
            return
        if not self._player.watch.open:
            self.send_now()
        elif self._held_since is None:
            self._held_since = self._hall.now()
            if self._timer is None:
                self._timer = self._loop.call_later(HOLD_S, self._release)

    def send_now(self) -> None:
        """Have everything that waits for the bot sent."""
        self._due = True
        self._hall.post.add(self)

    def send(self) -> None:
        """Send what is due, or have it follow the message that is being sent."""
        if self.writer is not None:
            self.writer.resume()

    @property
    def complete(self) -> bool:
        """Whether all that the bot could be told waits already, so that nothing can join it."""
        return len(self._player.waiting) >= len(self._player.chairs)

    def heartbeat(self, heartbeat: wire.Heartbeat) -> None:
        """Answer a heartbeat; to a bot that does not read, only the last one."""
        self._heartbeat = wire.PlayResponse(heartbeat=wire.Heartbeat(number=heartbeat.number))
        spread = self._player.latency.spread
        if spread.count:
            self._heartbeat.heartbeat.latency_p50_us = spread.percentile(50)
            self._heartbeat.heartbeat.latency_p99_us = spread.percentile(99)
        self._hall.post.add(self)

    def reject(self, reject: wire.Reject) -> bool:
        """Tell the bot that an answer was not taken; return whether it still reads that."""
        self._rejects.append(reject)
        self.send_now()
        return len(self._rejects) <= MAX_REJECTS

    def say_goodbye(self, reason: str, message: str) -> None:
        """Send what waits and a goodbye; nothing is sent after it."""
        self._goodbye = wire.Goodbye(reason=reason, message=message)
        self.send_now()

    async def write(self) -> None:
        """Send what is due, until a goodbye has been sent.

        Raises:
            grpc.RpcError, grpc.aio.InternalError, asyncio.InvalidStateError: the bot is gone.
        """
        write = self._context.write
        while True:
            message = self.next()
            if message is not None:
                await write(message)
            elif self._goodbye is not None:
                await write(wire.PlayResponse(goodbye=self._goodbye))
                return
            else:
                await rest()

    def close(self) -> None:
        """Stop."""
        self.writer = None
        if self._timer is not None:
            self._timer.cancel()

    def _release(self) -> None:
        self._timer = None
        if self._held_since is None:
            return
        left = self._held_since + HOLD_S - self._hall.now()
        if left > HOLD_S / 8:
            self._timer = self._loop.call_later(left, self._release)
        else:
            self.send_now()

    def next(self) -> wire.PlayResponse | None:
        """Return what is due, if anything is; the clocks of its turns start."""
        beat, self._heartbeat = self._heartbeat, None
        if beat is not None:
            return beat
        hall, player = self._hall, self._player
        if not self._due or player.session is None or player.session.out is not self:
            return None
        self._due, self._held_since = False, None
        lag = hall.lag.credit(now := hall.now())
        player.watch.run(now - lag)
        message = collect(player, self._rejects, hall.limits.max_turns, lag)
        self._rejects.clear()
        if message is not None:
            hall.counts.messages += 1
            if player.taped:
                tape.heard(player, message)
            if player.waiting or player.farewells:
                self.notice()  # more than one message holds
        return message
