"""What bots do wrong, each told apart from the others and held against nobody else."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

import grpc
import pytest
from kibitz.v1 import bot_pb2, referee_pb2, table_pb2

from tests.referee.parties import (
    PATIENT,
    BotProcess,
    Played,
    RawBot,
    Referee,
    play_bytes,
    reason,
    set_of,
    until,
)

HASTY = table_pb2.Clock(bank_ms=60_000, cap_ms=400, ready_ms=10_000, tolerance_ms=50)
FORFEIT_MATCH = referee_pb2.Policy(on_failure=referee_pb2.ON_FAILURE_FORFEIT_MATCH)
SUBSTITUTE = referee_pb2.Policy(on_failure=referee_pb2.ON_FAILURE_SUBSTITUTE, max_penalties=3)


def play(
    referee: Referee, request: referee_pb2.RunSetRequest
) -> tuple[ThreadPoolExecutor, Future[Played]]:
    pool = ThreadPoolExecutor(1)
    return pool, pool.submit(referee.run, request)


@pytest.fixture
def pair(referee: Referee) -> Referee:
    referee.admit("sound", "rogue")
    return referee


def run_with_rogue(
    referee: Referee,
    request: referee_pb2.RunSetRequest,
    misbehave: object,
) -> Played:
    """Play a set between a sound bot and one that misbehaves by a function of its connection."""
    assert callable(misbehave)
    with BotProcess(referee, "sound"), RawBot(referee.address, "rogue") as rogue:
        rogue.welcome()
        pool, played = play(referee, request)
        with pool:
            misbehave(rogue)
            return played.result(60)


def request(
    policy: referee_pb2.Policy | None = None, clock: table_pb2.Clock = PATIENT
) -> referee_pb2.RunSetRequest:
    return set_of("german_whist", ("rogue", "sound"), end="hands:4", policy=policy, clock=clock)


def test_an_illegal_action_forfeits_the_deal_and_is_told(pair: Referee) -> None:
    def misbehave(rogue: RawBot) -> None:
        turns = rogue.turns()
        rogue.act(turns.slots[0], turns.decisions[0], 999)
        assert rogue.reject().reason == "ILLEGAL_ACTION"
        rogue.play_on()

    played = run_with_rogue(pair, request(), misbehave)
    assert played.reasons("m0") == [(0, "ILLEGAL_ACTION")]
    record = played.record("m0")
    assert record.deals[0]["forfeit"] == {"seat": 0, "reason": "ILLEGAL_ACTION"}
    assert record.deals[0]["scores"] == [-1, 1]
    assert "legal: " in played.matches["m0"].forfeits[0].detail
    assert len(record.deals) == 4


def test_the_match_is_forfeited_where_the_policy_says_so(pair: Referee) -> None:
    def misbehave(rogue: RawBot) -> None:
        turns = rogue.turns()
        rogue.act(turns.slots[0], turns.decisions[0], 999)
        rogue.play_on()

    played = run_with_rogue(pair, request(FORFEIT_MATCH), misbehave)
    assert played.reasons("m0") == [(0, "ILLEGAL_ACTION")] * 4
    assert list(played.matches["m0"].returns) == [-4, 4]
    assert played.record("m0").returns == [-4, 4]


def test_substitutes_are_played_and_counted_up_to_the_limit(pair: Referee) -> None:
    def misbehave(rogue: RawBot) -> None:
        for _ in range(4):
            turns = rogue.turns()
            rogue.act(turns.slots[0], turns.decisions[0], 999)
        rogue.play_on()

    played = run_with_rogue(pair, request(SUBSTITUTE), misbehave)
    finished = played.matches["m0"]
    assert [one.reason for one in finished.penalties] == ["ILLEGAL_ACTION"] * 3
    assert all(one.action for one in finished.penalties)
    assert played.reasons("m0") == [(0, "ILLEGAL_ACTION")] * 4
    played.record("m0")


def test_a_silent_bot_times_out_and_the_forfeit_says_by_how_much(pair: Referee) -> None:
    def misbehave(rogue: RawBot) -> None:
        first = rogue.turns()
        second = rogue.turns()  # the next deal
        assert second.slots[0] == first.slots[0]
        rogue.act(first.slots[0], first.decisions[0], first.legal[0])
        assert rogue.reject().reason == "LATE"
        rogue.answer(second)
        rogue.play_on()

    played = run_with_rogue(pair, request(clock=HASTY), misbehave)
    assert played.reasons("m0")[0] == (0, "TIMEOUT")
    forfeit = played.matches["m0"].forfeits[0]
    assert forfeit.limit_ms == 400
    assert 400 < forfeit.used_ms < 5_000
    deal = played.record("m0").deals[0]
    assert deal["clock"]["limit_ms"] == 400
    assert deal["clock"]["used_ms"] == forfeit.used_ms


def test_a_bot_that_never_answers_stalls(pair: Referee) -> None:
    def misbehave(rogue: RawBot) -> None:
        while not any(news.HasField("table_end") for news in rogue.news):
            rogue.hear()

    played = run_with_rogue(pair, request(clock=HASTY), misbehave)
    assert played.reasons("m0") == [(0, r) for r in ("TIMEOUT", "TIMEOUT", "STALL", "STALL")]
    played.record("m0")


def test_a_bot_that_reports_a_crash_goes_on_with_the_next_deal(pair: Referee) -> None:
    def misbehave(rogue: RawBot) -> None:
        turns = rogue.turns()
        failure = bot_pb2.Failure(slot=turns.slots[0], reason="CRASH", detail="Traceback: boom")
        rogue.send(failure=failure)
        rogue.play_on()

    played = run_with_rogue(pair, request(), misbehave)
    assert played.reasons("m0") == [(0, "CRASH")]
    assert played.matches["m0"].forfeits[0].detail == "Traceback: boom"
    assert "boom" not in played.matches["m0"].record_json


def test_a_bot_may_resign_out_of_turn(pair: Referee) -> None:
    def misbehave(rogue: RawBot) -> None:
        turns = rogue.turns()
        rogue.answer(turns)
        rogue.send(failure=bot_pb2.Failure(slot=turns.slots[0], reason="RESIGN"))
        rogue.play_on()

    played = run_with_rogue(pair, request(), misbehave)
    assert played.reasons("m0") == [(0, "RESIGN")]
    played.record("m0")


def test_a_bot_of_the_sdk_that_raises_loses_that_deal_only(referee: Referee) -> None:
    broken = """
import kibitz

class Broken(kibitz.Bot):
    def play(self, view):
        if view.number == 1:
            raise ValueError("no idea")
        return view.legal[0]

kibitz.run(Broken)
"""
    referee.admit("sound", "rogue")
    with BotProcess(referee, "sound"), BotProcess(referee, "rogue", broken):
        played = referee.run(request())
    assert played.reasons("m0") == [(0, "CRASH")]
    forfeit = played.matches["m0"].forfeits[0]
    assert forfeit.deal == 1
    assert "ValueError: no idea" in forfeit.detail
    assert "in play" in forfeit.detail


def test_a_killed_bot_forfeits_the_rest_after_the_grace(pair: Referee) -> None:
    with BotProcess(pair, "sound"), BotProcess(pair, "rogue") as rogue:
        pool, played = play(
            pair, set_of("german_whist", ("rogue", "sound"), end="hands:5000", clock=PATIENT)
        )
        with pool:
            until(lambda: pair.presence().load.deals > 2)
            rogue.process.kill()
            result = played.result(60)
    reasons = result.reasons("m0")
    assert set(reasons) == {(0, "DISCONNECT")}
    assert 0 < len(reasons) < 5000
    returns = list(result.matches["m0"].returns)
    assert returns[0] == -returns[1]


def test_when_all_bots_of_a_table_are_gone_there_is_no_result(pair: Referee) -> None:
    with BotProcess(pair, "sound") as sound, BotProcess(pair, "rogue") as rogue:
        pool, played = play(pair, set_of("german_whist", ("rogue", "sound"), end="hands:5000"))
        with pool:
            until(lambda: pair.presence().load.deals > 2)
            rogue.process.kill()
            sound.process.kill()
            result = played.result(60)
    assert result.failed is not None
    assert result.failed.reason == "INFRASTRUCTURE"
    assert not result.matches


def test_half_an_answer_holds_up_only_its_own_table(pair: Referee) -> None:
    tables = [("rogue", "sound")] * 6

    def misbehave(rogue: RawBot) -> None:
        slow: int | None = None
        while rogue.seats or not rogue.news:
            turns = rogue.hear().turns
            for index, slot in enumerate(turns.slots):
                slow = slot if slow is None else slow
                if slot != slow:
                    rogue.answer(turns, index)

    played = run_with_rogue(
        pair, set_of("german_whist", *tables, end="hands:2", clock=HASTY), misbehave
    )
    forfeited = [match_id for match_id in played.matches if played.reasons(match_id)]
    assert len(forfeited) == 1
    assert played.reasons(forfeited[0]) == [(0, "TIMEOUT")] * 2
    assert len(played.matches) == 6


def test_repeated_and_foreign_answers_change_nothing_and_get_a_reply(pair: Referee) -> None:
    def misbehave(rogue: RawBot) -> None:
        turns = rogue.turns()
        slot, decision, action = turns.slots[0], turns.decisions[0], turns.legal[0]
        for _ in range(3):
            rogue.act(slot, decision, action)
        assert rogue.reject().reason == "ALREADY_ANSWERED"
        assert rogue.reject().reason == "ALREADY_ANSWERED"
        rogue.act(slot, decision + 500, action)
        assert rogue.reject().reason == "NOT_YOUR_TURN"
        rogue.act(slot + 1000, 0, action)
        assert rogue.reject().reason == "UNKNOWN_SLOT"
        rogue.play_on()

    played = run_with_rogue(pair, request(), misbehave)
    assert played.reasons("m0") == []
    played.record("m0")


def test_a_flood_ends_the_connection_and_nothing_else(pair: Referee) -> None:
    def misbehave(rogue: RawBot) -> None:
        rogue.turns()
        for _ in range(3_000):
            rogue.act(77, 0, 0)
        with pytest.raises(grpc.RpcError) as caught:
            rogue.hear_on()
        assert reason(caught.value) == "FLOODING"

    played = run_with_rogue(pair, request(), misbehave)
    assert set(played.reasons("m0")) == {(0, "DISCONNECT")}
    assert pair.connected() <= 1


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"actions": bot_pb2.Actions(slots=[1, 2], decisions=[0])}, "MALFORMED_ACTIONS"),
        ({"hello": bot_pb2.Hello(token="rogue")}, "SECOND_HELLO"),
        (
            {"actions": bot_pb2.Actions(slots=range(1, 600_000))},
            "",  # larger than the limit: the transport itself ends the stream
        ),
    ],
)
def test_a_malformed_message_ends_the_connection_with_a_reason(
    pair: Referee, message: dict[str, object], expected: str
) -> None:
    with RawBot(pair.address, "rogue") as rogue:
        rogue.welcome()
        rogue.send(**message)
        with pytest.raises(grpc.RpcError) as caught:
            rogue.hear()
        assert reason(caught.value) == expected
        assert isinstance(caught.value, grpc.Call)
        expected_code = "INVALID_ARGUMENT" if expected else "RESOURCE_EXHAUSTED"
        assert caught.value.code().name == expected_code
    until(lambda: pair.connected() == 0)


def test_bytes_that_are_no_message_end_the_connection_with_a_reason(pair: Referee) -> None:
    with grpc.insecure_channel(pair.address) as channel:
        hello = bot_pb2.PlayRequest(hello=bot_pb2.Hello(token="rogue", protocol=1))
        sent = [hello.SerializeToString(), b"\xff\xff\xff nonsense"]
        with pytest.raises(grpc.RpcError) as caught:
            play_bytes(channel, *sent)
        assert reason(caught.value) == "MALFORMED_MESSAGE"


def test_a_slow_reader_holds_up_only_itself(pair: Referee) -> None:
    pair.admit("other")
    slow = set_of("german_whist", *[("rogue", "sound")] * 50, end="hands:2")
    quick = set_of("german_whist", ("sound", "other"), seed="quick", end="hands:2")
    with (
        BotProcess(pair, "sound"),
        BotProcess(pair, "other"),
        RawBot(pair.address, "rogue") as rogue,
    ):
        rogue.welcome()
        pool, played = play(pair, slow)
        with pool:
            until(lambda: pair.presence().load.tables == 50)
            rogue.turns()  # and no more for now
            rogue.send(heartbeat=bot_pb2.Heartbeat())
            meanwhile = pair.run(quick)
            assert meanwhile.finished
            assert not meanwhile.reasons("m0")
            rogue.send(resend=bot_pb2.Resend())
            rogue.play_on()
            assert len(played.result(60).matches) == 50
