"""When turns go out: at once where nothing can join them, otherwise in one message a round."""

from __future__ import annotations

import asyncio

import pytest
from kibitz.v1 import bot_pb2
from kibitz_referee.post import Driven, rest

from tests.referee.desk import Desk, Guest, in_loop
from tests.referee.parties import set_of


def post_to(guest: Guest, sent: list[bot_pb2.Turns]) -> None:
    """Have all that is sent to a bot from now on put into a list."""
    out = guest.session.out

    async def write() -> None:
        while True:
            message = out.next()
            if message is None:
                await rest()
            else:
                sent.append(message.turns)

    out.writer = Driven(write())
    out.send()


async def seated(tables: int) -> tuple[Guest, list[bot_pb2.Turns]]:
    """Return a bot for which all tables wait, and the list of what both bots are sent."""
    desk = Desk()
    sent: list[bot_pb2.Turns] = []
    first, second = desk.bot("a"), desk.bot("b")
    for guest in (first, second):
        post_to(guest, sent)
    await desk.seat(set_of("german_whist", *[("a", "b")] * tables, end="hands:2"))
    first.say(ready=bot_pb2.Ready(slots=list(first.player.chairs)))
    await desk.settle()
    assert not asked(sent)
    return second, sent


def asked(sent: list[bot_pb2.Turns]) -> list[int]:
    """Return how many decisions each message asks for."""
    return [len(turns.slots) for turns in sent if turns.slots]


@in_loop
async def test_the_only_turn_that_can_come_up_goes_out_before_the_round_of_the_loop_ends() -> None:
    bot, sent = await seated(tables=1)
    bot.say(ready=bot_pb2.Ready(slots=list(bot.player.chairs)))
    assert asked(sent) == [1]


@in_loop
async def test_turns_of_a_round_go_out_in_one_message_while_more_may_come_up() -> None:
    bot, sent = await seated(tables=3)
    first, second, _third = bot.player.chairs
    for slot in (first, second):
        bot.say(ready=bot_pb2.Ready(slots=[slot]))
    assert asked(sent) == []
    await bot.desk.settle()
    assert asked(sent) == [2]


@in_loop
async def test_a_driven_coroutine_goes_on_by_itself_from_what_it_awaits_only() -> None:
    heard: list[str] = []
    something = asyncio.get_running_loop().create_future()

    async def listen() -> None:
        await rest()
        heard.append("resumed")
        heard.append(await something)

    driven = Driven(listen())
    driven.resume()
    assert heard == []
    driven.resume()
    driven.resume()  # it awaits something now, and is left alone
    assert heard == ["resumed"]
    something.set_result("something")
    await asyncio.sleep(0)
    assert heard == ["resumed", "something"]
    driven.resume()
    assert heard == ["resumed", "something"]


@in_loop
async def test_a_driven_coroutine_hears_of_what_went_wrong() -> None:
    heard: list[BaseException] = []
    call = asyncio.get_running_loop().create_future()

    async def write() -> None:
        with pytest.raises(ConnectionError) as raised:
            await call
        heard.append(raised.value)

    Driven(write()).resume()
    call.set_exception(ConnectionError("the bot is gone"))
    await asyncio.sleep(0)
    assert [str(error) for error in heard] == ["the bot is gone"]
