"""A hall without transport, in which time stands still until a test moves it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, cast

import grpc
from kibitz.v1 import bot_pb2, referee_pb2
from kibitz_referee.control import RefereeService
from kibitz_referee.errors import RefusedError
from kibitz_referee.hall import Hall, Limits
from kibitz_referee.player import Introduction
from kibitz_referee.session import Session
from kibitz_referee.setrun import SetRun

from tests.referee.parties import digest

P = ParamSpec("P")


def in_loop(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run a test that is a coroutine."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def body() -> None:
            await test(*args, **kwargs)

        asyncio.run(body())

    return run


class Desk:
    """A hall and the time there."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.time = 1_000.0
        self.hall = Hall(asyncio.get_running_loop(), limits or Limits())
        self.hall.now = lambda: self.time
        self.guests: dict[str, Guest] = {}

    def bot(self, token: str, max_tables: int = 0, owner: str = "") -> Guest:
        """Admit a bot and connect it."""
        if digest(token) not in self.hall.players:
            self.hall.admit(digest(token), token, 0, owner)
        self.guests[token] = Guest(self, token, max_tables)
        return self.guests[token]

    async def seat(self, request: referee_pb2.RunSetRequest) -> SetRun:
        """Begin a set as far as there is room."""
        context = cast("grpc.aio.ServicerContext[Any, Any]", None)
        events = RefereeService(self.hall).RunSet(request, context)
        self._events = asyncio.ensure_future(_drain(events))
        await self.settle()
        return next(reversed(self.hall.sets))

    async def settle(self) -> None:
        """Let the loop do what is due."""
        for _ in range(5):
            await asyncio.sleep(0)

    async def passes(self, seconds: float, step: float = 0.1) -> None:
        """Let time pass; the hall looks round as often as it does."""
        end = self.time + seconds
        while self.time < end - 1e-9:
            self.time = min(end, self.time + step)
            self.hall.look_round()
            await self.settle()

    async def result(self) -> list[referee_pb2.RunSetResponse]:
        """Return all that the worker of the last set heard."""
        async with asyncio.timeout(20):
            return await self._events


async def _drain(events: Any) -> list[referee_pb2.RunSetResponse]:
    return [event async for event in events]


class Guest:
    """A connected bot whose messages are handed over by the test."""

    def __init__(self, desk: Desk, token: str, max_tables: int = 0) -> None:
        self.desk = desk
        self.player = desk.hall.players[digest(token)]
        self.session = Session(desk.hall, self.player, cast(Any, None))
        self.rejects: list[bot_pb2.Reject] = []
        self.ended: list[bot_pb2.TableEnd] = []
        said = Introduction(rules=1, max_tables=max_tables)
        desk.hall.attach(self.player, self.session, said)
        self.session.out.send_now()

    @property
    def refused(self) -> RefusedError | None:
        """Why the referee ended the connection, if it did."""
        return self.session.ended.result() if self.session.ended.done() else None

    def hear(self) -> bot_pb2.Turns:
        """Return all turns that wait, as one message; ready for every table that starts."""
        heard = bot_pb2.Turns()
        self.session.out.send_now()
        while (message := self.session.out.next()) is not None:
            heard.MergeFrom(message.turns)
            starts = [n.slot for n in message.turns.news if n.HasField("table_start")]
            self.ended += [n.table_end for n in message.turns.news if n.HasField("table_end")]
            if starts:
                self.say(ready=bot_pb2.Ready(slots=starts))
            self.session.out.send_now()
        self.rejects += heard.rejects
        return heard

    def say(self, **message: Any) -> None:
        """Have a message read by the referee."""
        sent = bot_pb2.PlayRequest(**message).SerializeToString()
        self.session.receive(bot_pb2.PlayRequest.FromString(sent))

    def answer(self, turns: bot_pb2.Turns, chosen: Sequence[int] | None = None) -> None:
        """Answer turns in one message, with the first legal actions or those chosen."""
        firsts, at = [], 0
        for count in turns.legal_counts:
            firsts.append(turns.legal[at])
            at += count
        actions = firsts if chosen is None else chosen
        if turns.slots:
            self.say(
                actions=bot_pb2.Actions(
                    slots=turns.slots, decisions=turns.decisions, actions=actions
                )
            )

    def leave(self) -> None:
        """Lose the connection."""
        self.desk.hall.detach(self.player, self.session, left=False)


async def play_on(desk: Desk, *guests: Guest) -> None:
    """Let bots play properly until the set is over."""
    async with asyncio.timeout(20):
        while desk.hall.sets:
            for guest in guests:
                guest.answer(guest.hear())
            await desk.settle()
