"""Connections that are lost and made anew."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from kibitz.v1 import bot_pb2

from tests.referee.parties import FIRST, BotProcess, RawBot, Referee, set_of, until


def test_a_bot_that_comes_back_gets_the_whole_state_and_plays_on(referee: Referee) -> None:
    referee.admit("sound", "raw")
    with BotProcess(referee, "sound"), ThreadPoolExecutor(1) as pool:
        with RawBot(referee.address, "raw") as bot:
            bot.welcome()
            played = pool.submit(
                referee.run, set_of("german_whist", *[("raw", "sound")] * 3, end="hands:2")
            )
            for _ in range(20):
                bot.answer(bot.turns())
            slots = set(bot.seats)
            waiting = bot.turns()  # not answered before the connection is lost
        until(lambda: referee.connected() == 1)
        with RawBot(referee.address, "raw") as again:
            assert set(again.welcome().slots) == slots
            first = again.turns()
            starts = {news.slot for news in again.news if news.HasField("table_start")}
            deals = {news.slot for news in again.news if news.HasField("deal_start")}
            assert starts == deals == slots
            assert set(waiting.slots) <= set(first.slots)
            old = dict(zip(waiting.slots, waiting.decisions, strict=True))
            new = dict(zip(first.slots, first.decisions, strict=True))
            assert old.items() <= new.items()
            assert min(first.event_counts) >= 26 + 13 + 13  # all that was dealt, and more
            again.answer(first)
            again.play_on()
        result = played.result(60)
    assert len(result.matches) == 3
    assert not any(result.reasons(match_id) for match_id in result.matches)
    for match_id in result.matches:
        result.record(match_id)


def test_a_bot_of_the_sdk_plays_on_after_its_connection_was_replaced(referee: Referee) -> None:
    lossy = FIRST.replace("import kibitz\n", "import kibitz\nLOST = []\n", 1).replace(
        "return view.legal[0]",
        """
        if len(view.played) > 20 and view.number == 1 and not LOST:
            import kibitz.client.connection as connection
            import gc
            LOST.append(view)
            for one in gc.get_objects():
                if isinstance(one, connection.Connection):
                    one._call.cancel()  # as if the network went away
        return view.legal[0]""",
    )
    referee.admit("sound", "lossy")
    with BotProcess(referee, "sound"), BotProcess(referee, "lossy", lossy):
        result = referee.run(set_of("german_whist", *[("lossy", "sound")] * 5, end="hands:4"))
    assert len(result.matches) == 5
    assert not any(result.reasons(match_id) for match_id in result.matches)
    assert referee.log.read_text().count("bot connected") > 2


def test_a_bot_may_ask_for_the_whole_state(referee: Referee) -> None:
    referee.admit("sound", "raw")
    with BotProcess(referee, "sound"), RawBot(referee.address, "raw") as bot:
        bot.welcome()
        with ThreadPoolExecutor(1) as pool:
            played = pool.submit(
                referee.run, set_of("german_whist", ("raw", "sound"), end="hands:2")
            )
            for _ in range(5):
                bot.answer(bot.turns())
            turns = bot.turns()
            bot.send(resend=bot_pb2.Resend(slots=turns.slots))
            whole = bot.turns()
            assert whole.decisions == turns.decisions
            assert whole.legal == turns.legal
            assert len(whole.events) > len(turns.events)
            assert list(whole.events)[-len(turns.events) :] == list(turns.events)
            bot.answer(whole)
            bot.play_on()
            assert not played.result(60).reasons("m0")


def test_goodbye_gives_up_at_once(referee: Referee) -> None:
    referee.admit("sound", "raw")
    with BotProcess(referee, "sound"), RawBot(referee.address, "raw") as bot:
        bot.welcome()
        with ThreadPoolExecutor(1) as pool:
            played = pool.submit(
                referee.run, set_of("german_whist", ("raw", "sound"), end="hands:2")
            )
            bot.answer(bot.turns())
            bot.send(goodbye=bot_pb2.Goodbye(reason="DONE"))
            result = played.result(60)
    assert set(result.reasons("m0")) == {(0, "DISCONNECT")}


def test_kill_of_the_referee_leaves_no_result_and_bots_come_back(
    start: Callable[..., Referee],
) -> None:
    first = start()
    first.admit("a", "b")
    with BotProcess(first, "a") as a, BotProcess(first, "b") as b:
        with ThreadPoolExecutor(1) as pool:
            request = set_of("german_whist", ("a", "b"), end="hands:5000")
            played = pool.submit(first.run, request)
            until(lambda: first.presence().load.deals > 2)
            first.process.kill()
            with pytest.raises(grpc.RpcError):
                played.result(60)
        first.process.wait()
        second = start()
        second.admit("a", "b")
        until(lambda: second.connected() == 2)
        again = second.run(set_of("german_whist", ("a", "b"), end="hands:4"))
        assert again.finished
        assert not again.reasons("m0")
        assert a.process.poll() is None
        assert b.process.poll() is None
