"""A session: one connection of one bot, from its welcome to its end."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING

import grpc
import structlog
from kibitz.v1 import bot_pb2 as wire

from kibitz_referee import answers, tape
from kibitz_referee.answers import TEXTS, why_not
from kibitz_referee.chair import NEVER, Chair
from kibitz_referee.errors import RefusedError
from kibitz_referee.outbox import Context, Outbox
from kibitz_referee.player import Player
from kibitz_referee.post import Driven
from kibitz_referee.remarks import keep_remarks
from kibitz_referee.terms import CRASH, DETAIL_LENGTH, ILLEGAL_ACTION, RESIGN

if TYPE_CHECKING:
    from kibitz_referee.hall import Hall

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
        reading: the message that is being taken in, if one is.
    """

    def __init__(self, hall: Hall, player: Player, context: Context) -> None:
        self.id = secrets.token_hex(6)
        self.hall, self.player, self.context = hall, player, context
        self.heard = hall.now()
        self.ended: asyncio.Future[RefusedError | None] = asyncio.get_running_loop().create_future()
        self.left = False
        self.reading: wire.PlayRequest | None = None
        self.out = Outbox(hall, player, context)
        self._patience = PATIENCE

    def end(self, reason: str, message: str) -> None:
        """End the session from this side, at once."""
        self._end(RefusedError(grpc.StatusCode.UNAVAILABLE, reason, message))

    def say_goodbye(self, reason: str, message: str) -> None:
        """End the session from this side when all that waits has been sent."""
        self.out.say_goodbye(reason, message)

    async def run(self) -> RefusedError | None:
        """Talk until the session is over; return the refusal that the bot is to be told, if any."""
        reader = asyncio.create_task(self._read())
        self.out.writer = Driven(self._write())
        self.out.send()
        try:
            return await self.ended
        finally:
            self.out.close()
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    def _end(self, refused: RefusedError | None) -> None:
        if refused is not None and not self.ended.done():
            tape.note(self.player, f"connection ended by the referee: {refused} ({refused.reason})")
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
                self.receive(message)
        except RefusedError as error:
            refused = error.with_traceback(None)  # or it and this frame would hold each other
        except _GONE:
            pass
        except Exception:
            log.exception("session broke", session=self.id, bot=self.player.label)
            refused = RefusedError(grpc.StatusCode.INTERNAL, "INTERNAL", "the referee failed")
        self._end(refused)

    def receive(self, message: wire.PlayRequest | None) -> None:
        """Take a message of the bot; ``None`` is one that could not be read.

        Raises:
            RefusedError: the connection must end.
        """
        now = self.hall.now()
        if message is None:
            raise _invalid("MALFORMED_MESSAGE", "the message is no kibitz.v1.PlayRequest")
        self._patience = min(PATIENCE, self._patience + (now - self.heard) * PATIENCE_PER_S)
        self.heard = now
        if self.player.taped:
            busy = self.player.busy(now - self.hall.lag.credit(now))
            tape.said(self.player, message, self.player.latency.since(busy))
        self.reading = message
        post = self.hall.post
        post.held = True
        try:
            self._take_in(message, now)
        finally:
            self.reading = None
            post.taken_in()

    def _take_in(self, message: wire.PlayRequest, now: float) -> None:
        what = message.WhichOneof("message")
        if what == "actions":
            self._actions(message.actions, now)
        elif what == "heartbeat":
            self._strike()
            self.out.heartbeat(message.heartbeat)
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
        # Slices, since iterating over such a field ends with an error that is made up each time.
        slots, decisions, actions = message.slots[:], message.decisions[:], message.actions[:]
        if not len(slots) == len(decisions) == len(actions):
            text = "slots, decisions and actions of Actions must have the same length"
            raise _invalid("MALFORMED_ACTIONS", text)
        player = self.player
        lag = self.hall.lag.credit(now)
        reading = player.watch.run(now - lag)
        self._measure(message)
        refused = keep_remarks(message, player.chairs) if message.remarks else ()
        self.out.paused = True  # more may follow from the same message
        taken = answers.take(player, slots, decisions, actions, reading, lag, self._reject)
        for chair, decision, reason, text in refused:
            if chair.answered == decision:
                self.out.reject(
                    wire.Reject(slot=chair.slot, decision=decision, reason=reason, message=text)
                )
        self.out.paused = False
        if player.waiting or player.farewells:
            self.out.notice()
        if not taken:
            self._strike()

    def _measure(self, message: wire.Actions) -> None:
        """Set what the bot says of its time beside what it was."""
        latency = self.player.latency
        latency.answered(self.player.watch.busy)
        if message.HasField("took_us"):
            self.hall.counts.latency.add(latency.report(message.took_us))

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
            of_a_decision = failure.HasField("decision") or reason == ILLEGAL_ACTION
            decision = failure.decision if failure.HasField("decision") else chair.open
            if of_a_decision and (chair.open == NEVER or chair.open != decision):
                self._reject(chair.slot, max(0, decision), *why_not(chair, decision))
                continue
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
                self._reject(slot, 0, "UNKNOWN_SLOT", TEXTS["UNKNOWN_SLOT"])
            else:
                found.append(chair)
        return found

    def _reject(self, slot: int, decision: int, reason: str, text: str) -> None:
        self._strike()
        reject = wire.Reject(slot=slot, decision=decision, reason=reason, message=text)
        if not self.out.reject(reject):
            self._strike(PATIENCE)

    def _strike(self, cost: float = 1.0) -> None:
        self._patience -= cost
        if self._patience < 0.0:
            text = "too many messages without use; answer each turn once"
            raise RefusedError(grpc.StatusCode.RESOURCE_EXHAUSTED, "FLOODING", text)

    async def _write(self) -> None:
        try:
            await self.out.write()
            self._end(None)
        except _GONE:
            self._end(None)
        except Exception:
            log.exception("session broke", session=self.id, bot=self.player.label)
            self.end("INTERNAL", "the referee failed")


def _invalid(reason: str, message: str) -> RefusedError:
    return RefusedError(grpc.StatusCode.INVALID_ARGUMENT, reason, message)
