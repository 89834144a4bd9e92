"""What went between a bot and its seat is kept for its author, in parts, within limits."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import kibitz
import pytest
from kibitz.bot import BotRunner
from kibitz.client.seats import Seats
from kibitz.v1 import bot_pb2, log_pb2, referee_pb2
from kibitz_referee.tape import FIRST_BYTES, LAST_BYTES, Tape

from tests.referee.parties import BotProcess, Played, RawBot, Referee, set_of


def taped_set(*seatings: tuple[str, str], seats: tuple[int, ...]) -> referee_pb2.RunSetRequest:
    request = set_of("german_whist", *seatings, end="hands:2")
    for match in request.matches:
        for seat in seats:
            match.seats[seat].keep_messages = True
    return request


def logs(finished: referee_pb2.MatchFinished) -> dict[int, log_pb2.MessageLog]:
    return {one.seat: log_pb2.MessageLog.FromString(one.log) for one in finished.messages}


def answers(log: log_pb2.MessageLog) -> list[bot_pb2.PlayRequest]:
    return [entry.said for entry in log.messages if entry.HasField("said")]


def timeless(answer: bot_pb2.PlayRequest) -> bot_pb2.PlayRequest:
    """Return an answer without how long it took."""
    if answer.HasField("actions"):
        answer.actions.ClearField("took_us")
    return answer


def test_a_bot_fed_with_its_log_decides_the_same_again(referee: Referee) -> None:
    referee.admit("one", "two")
    with BotProcess(referee, "one"), BotProcess(referee, "two"):
        request = taped_set(("one", "two"), ("two", "one"), ("one", "two"), seats=(1,))
        played = referee.run(request)
    for finished in played.matches.values():
        log = logs(finished)[1]
        assert list(logs(finished)) == [1]
        times = [entry.time_us for entry in log.messages]
        assert times == sorted(times)
        assert times[0] > 1_600_000_000_000_000

        class First(kibitz.Bot):
            def play(self, view: kibitz.View) -> kibitz.Action:
                return view.legal[0]

        seats = Seats(BotRunner(First))
        again = [
            answer
            for entry in log.messages
            if entry.HasField("heard")
            for answer in seats.answer(entry.heard.turns)
        ]
        assert [*map(timeless, again)] == [*map(timeless, answers(log))]
        acted = [answer for answer in again if answer.HasField("actions")]
        assert len(acted) == sum(
            seat == 1
            for deal in kibitz.Record.from_json(finished.record_json).deals
            for seat, _ in deal["actions"]
        )
        assert not len(seats)  # the end of the table is in it


def test_a_log_has_nothing_of_other_tables_though_messages_are_about_several(
    referee: Referee,
) -> None:
    referee.admit("one", "two")
    request = taped_set(*[("one", "two")] * 8, seats=(0,))
    with RawBot(referee.address, "one") as bot, BotProcess(referee, "two"):
        call = referee.stub.RunSet(request, timeout=60)
        bot.welcome()
        while len(bot.seats) < 8:
            bot.hear()
        bot.play_on()
        played = Played(call)
    seen = set()
    for finished in played.matches.values():
        log = logs(finished)[0]
        slots = {slot for entry in log.messages for slot in slots_of(entry)}
        assert len(slots) == 1
        seen |= slots
    assert len(seen) == 8


def slots_of(entry: log_pb2.LoggedMessage) -> Iterator[int]:
    yield from entry.heard.turns.slots
    yield from (news.slot for news in entry.heard.turns.news)
    yield from entry.said.actions.slots
    yield from entry.said.ready.slots


def test_rejects_failures_and_lost_connections_are_in_it(referee: Referee) -> None:
    referee.admit("one", "two")
    request = taped_set(("one", "two"), seats=(0,))
    with BotProcess(referee, "two"):
        with RawBot(referee.address, "one") as bot:
            bot.welcome()
            call = referee.stub.RunSet(request, timeout=60)
            turns = bot.turns()
            bot.act(turns.slots[0], 77, turns.legal[0])
            assert bot.reject().reason == "NOT_YOUR_TURN"
            bot.send(actions=bot_pb2.Actions(slots=[turns.slots[0]], decisions=[0]))
            with pytest.raises(grpc.RpcError):
                bot.hear_on()
        with RawBot(referee.address, "one") as bot:
            bot.welcome()
            turns = bot.turns()
            failure = bot_pb2.Failure(slot=turns.slots[0], reason="CRASH", detail="my traceback")
            bot.send(failure=failure)
            bot.play_on()
            played = Played(call)
    log = logs(played.matches["m0"])[0]
    notes = [entry.note for entry in log.messages if entry.note]
    assert "MALFORMED_ACTIONS" in notes[0]
    assert notes[1] == "connection lost"
    assert notes[2].startswith("connected as session ")
    rejects = [reject for entry in log.messages for reject in entry.heard.turns.rejects]
    assert [reject.reason for reject in rejects] == ["NOT_YOUR_TURN"]
    assert "my traceback" in [answer.failure.detail for answer in answers(log)]


def test_nothing_is_kept_where_nobody_asked(referee: Referee) -> None:
    referee.admit("one", "two")
    with BotProcess(referee, "one"), BotProcess(referee, "two"):
        played = referee.run(taped_set(("one", "two"), seats=()))
    assert not played.matches["m0"].messages


@pytest.mark.parametrize("how", ["illegal", "crash", "late"])
def test_of_a_seat_that_fails_the_last_messages_are_kept_though_nobody_asked(
    referee: Referee, how: str
) -> None:
    referee.admit("one", "two")
    request = taped_set(("one", "two"), ("one", "two"), seats=())
    request.clock.cap_ms = 400
    with BotProcess(referee, "two"), RawBot(referee.address, "one") as bot:
        bot.welcome()
        call = referee.stub.RunSet(request, timeout=60)
        turns = bot.turns()
        slot, decision, legal = turns.slots[0], turns.decisions[0], turns.legal[0]
        if how == "illegal":
            bot.act(slot, decision, 999)
        elif how == "crash":
            bot.send(failure=bot_pb2.Failure(slot=slot, reason="CRASH", detail="my traceback"))
        else:
            while not any(news.HasField("deal_end") for news in bot.news if news.slot == slot):
                bot.hear()
        bot.play_on()
        played = Played(call)
    failed = [one for one in played.matches.values() if one.messages]
    log = logs(failed[0])[0]
    assert list(logs(failed[0])) == [0]  # the other seat has done nothing wrong
    first = log.messages[0].heard.turns
    assert first.news[0].HasField("table_start")
    assert first.news[1].HasField("deal_start")
    assert first.decisions[0] >= 0
    assert first.legal
    assert len(first.events) == first.event_counts[0] > 0
    (forfeit, *_) = failed[0].forfeits
    reasons = {"illegal": "ILLEGAL_ACTION", "crash": "CRASH", "late": "TIMEOUT"}
    assert forfeit.reason == reasons[how]
    notes = [entry.note for entry in log.messages if entry.note]
    assert notes[0].startswith(f"failed: {forfeit.reason} after {forfeit.used_ms} ms of ")
    assert forfeit.limit_ms == 400
    if how == "illegal":
        assert log.messages[1].said.actions.actions == [999]
        assert first.legal[0] == legal
    elif how == "crash":
        assert log.messages[1].said.failure.detail == "my traceback"
    assert log.messages[-1].heard.turns.news[-1].HasField("table_end")


def test_a_long_log_keeps_its_beginning_and_its_end() -> None:
    tape = Tape()
    for number in range(5_000):
        tape.note(f"{number} " + "x" * 200)
    log = log_pb2.MessageLog.FromString(tape.to_bytes())
    numbers = [int(entry.note.split()[0]) for entry in log.messages]
    assert (numbers[0], numbers[-1]) == (0, 4_999)
    assert len(numbers) + log.left_out == 5_000
    assert log.ByteSize() < FIRST_BYTES + LAST_BYTES + 50_000
