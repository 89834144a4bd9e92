"""A session: one connection of one bot, from its welcome to its end."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

import grpc
import structlog
from kibitz.v1 import bot_pb2 as wire

from kibitz_referee.chair import Chair
from kibitz_referee.errors import RefusedError
from kibitz_referee.player import Player
from kibitz_referee.terms import CRASH, DETAIL_LENGTH, ILLEGAL_ACTION, RESIGN
from kibitz_referee.turns import collect

if TYPE_CHECKING:
    from kibitz_referee.hall import Hall

Context: TypeAlias = "grpc.aio.ServicerContext[wire.PlayRequest | None, wire.PlayResponse]"

HOLD_S = 0.004
"""How long turns are held back from a bot that is at work, to go out in one batch."""

PATIENCE = 500.0
"""How much useless talk a bot may have at once: a point each reject or message without use."""

PATIENCE_PER_S = 50.0
"""How fast that patience comes back."""

_OWN_FAILURES = frozenset({CRASH, ILLEGAL_ACTION, RESIGN})

log = structlog.get_logger("kibitz.referee")


_GONE = (
    grpc.RpcError,
    grpc.aio.InternalError,  # what a write to a bot that was killed raises
    asyncio.CancelledError,
    asyncio.InvalidStateError,
)


class Session:
    """One connection of a bot.

    Attributes:
        heard: when the bot was last heard.
        ended: done when the session is over, with the refusal if there is one.
        left: whether the bot said goodbye.
    """

    def __init__(self, hall: Hall, player: Player, context: Context) -> None:
        self.id = secrets.token_hex(6)
        self.hall, self.player, self.context = hall, player, context
        self.heard = hall.now()
        self.ended: asyncio.Future[RefusedError | None] = asyncio.get_running_loop().create_future()
        self.left = False
        self._awake = asyncio.Event()
        self._rejects: list[wire.Reject] = []
        self._control: list[wire.PlayResponse] = []
        self._patience = PATIENCE
        self._goodbye: wire.Goodbye | None = None
        self._reading = False
        self._held_since: float | None = None
        self._release_at: asyncio.TimerHandle | None = None

    def wake(self) -> None:
        """Have what waits for the bot sent, soon."""
        self._awake.set()

    def notice(self) -> None:
        """Have a chair that began to wait told to the bot.

        A bot that is still at work is left alone for a moment, so that what comes up meanwhile goes
        out as one batch; the clocks of turns that are held back don't run.
        """
        if self._reading:
            return  # more may follow from the same message
        if not self.player.watch.open:
            self._awake.set()
        elif self._held_since is None:
            self._held_since = self.hall.now()
            if self._release_at is None:
                self._arm(HOLD_S)

    def _arm(self, delay: float) -> None:
        self._release_at = asyncio.get_running_loop().call_later(delay, self._release)

    def _release(self) -> None:
        self._release_at = None
        if self._held_since is not None:
            left = self._held_since + HOLD_S - self.hall.now()
            if left > 0.0005:
                self._arm(left)
            else:
                self._awake.set()

    def end(self, reason: str, message: str) -> None:
        """End the session from this side, at once."""
        self._end(RefusedError(grpc.StatusCode.UNAVAILABLE, reason, message))

    def say_goodbye(self, reason: str, message: str) -> None:
        """End the session from this side when all that waits has been sent."""
        self._goodbye = wire.Goodbye(reason=reason, message=message)
        self._awake.set()

    async def run(self) -> None:
        """Talk until the session is over.

        Raises:
            RefusedError: the bot is to be told that it was refused.
        """
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
        try:
            refused = await self.ended
        finally:
            if self._release_at is not None:
                self._release_at.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if refused is not None:
            raise refused

    def _end(self, refused: RefusedError | None) -> None:
        if not self.ended.done():
            self.ended.set_result(refused)

    # What the bot says.

    async def _read(self) -> None:
        refused = None
        try:
            while True:
                message = await self.context.read()
                if message is not None and not isinstance(message, wire.PlayRequest):
                    break  # the end of the stream
                self._receive(message)
        except RefusedError as error:
            refused = error
        except _GONE:
            pass
        except Exception:
            log.exception("session broke", session=self.id, bot=self.player.label)
            refused = RefusedError(grpc.StatusCode.INTERNAL, "INTERNAL", "the referee failed")
        self._end(refused)

    def _receive(self, message: wire.PlayRequest | None) -> None:
        now = self.hall.now()
        if message is None:
            raise _invalid("MALFORMED_MESSAGE", "the message is no kibitz.v1.PlayRequest")
        self._patience = min(PATIENCE, self._patience + (now - self.heard) * PATIENCE_PER_S)
        self.heard = now
        what = message.WhichOneof("message")
        if what == "actions":
            self._actions(message.actions, now)
        elif what == "heartbeat":
            self._strike()
            self._control.append(wire.PlayResponse(heartbeat=message.heartbeat))
            self._awake.set()
        elif what == "ready":
            self._ready(message.ready.slots)
        elif what == "failure":
            self._failure(message.failure, now)
        elif what == "resend":
            self._resend(message.resend.slots)
        elif what == "goodbye":
            self.left = True
            self._end(None)
        elif what == "hello":
            raise _invalid("SECOND_HELLO", "hello is the first message and only the first")
        else:
            self._strike()  # a message of a later version of the protocol

    def _actions(self, message: wire.Actions, now: float) -> None:
        slots, decisions, actions = message.slots, message.decisions, message.actions
        if not len(slots) == len(decisions) == len(actions):
            text = "slots, decisions and actions of Actions must have the same length"
            raise _invalid("MALFORMED_ACTIONS", text)
        hall, player = self.hall, self.player
        lag = hall.lag.credit(now)
        reading = player.watch.run(now - lag)
        chairs = player.chairs
        taken = 0
        self._reading = True
        for slot, decision, action in zip(slots, decisions, actions, strict=True):
            chair = chairs.get(slot)
            if chair is None or chair.open != decision:
                self._reject(slot, decision, *_why_not(chair, decision))
                continue
            used = reading - chair.opened
            refused = chair.live.answer(chair, action, used if used > 0.0 else 0.0, lag)
            if refused:
                self._reject(slot, decision, refused, _TEXTS[refused])
            else:
                taken += 1
        self._reading = False
        if player.waiting:
            self.notice()
        if not taken:
            self._strike()

    def _ready(self, slots: Iterable[int]) -> None:
        for chair in self._chairs(slots):
            if chair.ready:
                self._strike()
            elif not chair.live.closed:
                chair.live.ready(chair)

    def _failure(self, failure: wire.Failure, now: float) -> None:
        lag = self.hall.lag.credit(now)
        reading = self.player.watch.run(now - lag)
        for chair in self._chairs([failure.slot]):
            reason = failure.reason if failure.reason in _OWN_FAILURES else CRASH
            chair.live.give_up(chair, reason, failure.detail[-DETAIL_LENGTH:], reading, lag)

    def _resend(self, slots: Iterable[int]) -> None:
        self._strike(10.0)
        wanted = list(slots) or list(self.player.chairs)
        self.player.tell_again(self._chairs(wanted))

    def _chairs(self, slots: Iterable[int]) -> list[Chair]:
        found = []
        for slot in slots:
            chair = self.player.chairs.get(slot)
            if chair is None:
                self._reject(slot, 0, "UNKNOWN_SLOT", _TEXTS["UNKNOWN_SLOT"])
            else:
                found.append(chair)
        return found

    def _reject(self, slot: int, decision: int, reason: str, text: str) -> None:
        self._strike()
        reject = wire.Reject(slot=slot, decision=decision, reason=reason, message=text)
        self._rejects.append(reject)
        self._awake.set()

    def _strike(self, cost: float = 1.0) -> None:
        self._patience -= cost
        if self._patience < 0.0:
            text = "too many messages without use; answer each turn once"
            raise RefusedError(grpc.StatusCode.RESOURCE_EXHAUSTED, "FLOODING", text)

    # What the bot hears.

    async def _write(self) -> None:
        try:
            while True:
                await self._awake.wait()
                self._awake.clear()
                while (message := self._next()) is not None:
                    await self.context.write(message)
                if self._goodbye is not None:
                    await self.context.write(wire.PlayResponse(goodbye=self._goodbye))
                    self._end(None)
                    return
        except _GONE:
            self._end(None)
        except Exception:
            log.exception("session broke", session=self.id, bot=self.player.label)
            self.end("INTERNAL", "the referee failed")

    def _next(self) -> wire.PlayResponse | None:
        if self._control:
            return self._control.pop(0)
        hall, player = self.hall, self.player
        if player.session is not self:
            return None
        now = hall.now()
        lag = hall.lag.credit(now)
        player.watch.run(now - lag)
        self._held_since = None
        message = collect(player, self._rejects, hall.limits.max_turns, lag)
        if message is not None:
            self._rejects.clear()
            hall.counts.messages += 1
        return message


_TEXTS = {
    "UNKNOWN_SLOT": "this bot holds no such seat; the table may be over",
    "ILLEGAL_ACTION": "the action is not legal",
    "LATE": "the time for this decision was over",
    "ALREADY_ANSWERED": "the decision was taken before; that stands",
    "NOT_YOUR_TURN": "the seat has no such decision to take",
}


def _why_not(chair: Chair | None, decision: int) -> tuple[str, str]:
    if chair is None:
        reason = "UNKNOWN_SLOT"
    elif decision <= chair.answered:
        reason = "ALREADY_ANSWERED"
    elif decision < chair.table.decision:
        reason = "LATE"
    else:
        reason = "NOT_YOUR_TURN"
    return reason, _TEXTS[reason]


def _invalid(reason: str, message: str) -> RefusedError:
    return RefusedError(grpc.StatusCode.INVALID_ARGUMENT, reason, message)
