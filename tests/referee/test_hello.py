"""Who is let in, and what is said to those who are not."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from kibitz.v1 import bot_pb2, referee_pb2, referee_pb2_grpc

from tests.referee.parties import RawBot, Referee, play_bytes, reason, set_of, until


def test_an_admitted_bot_is_welcomed_with_the_limits(referee: Referee) -> None:
    referee.admit("a", max_tables=7)
    with RawBot(referee.address, "a", max_tables=5, bot="Alice", games=["whist"]) as bot:
        welcome = bot.welcome()
        assert welcome.max_tables == 5
        assert welcome.max_turns == 256
        assert welcome.heartbeat_ms < welcome.silence_ms
        assert welcome.grace_ms == 1500
        player = referee.presence().players[0]
        assert player.connected
        assert (player.label, player.bot, list(player.games)) == ("a", "Alice", ["whist"])
    until(lambda: not referee.presence().players[0].connected)


@pytest.mark.parametrize(
    ("token", "hello", "expected", "code"),
    [
        ("wrong", {}, "UNKNOWN_TOKEN", "UNAUTHENTICATED"),
        ("", {}, "UNKNOWN_TOKEN", "UNAUTHENTICATED"),
        ("a", {"protocol": 99}, "WRONG_PROTOCOL", "FAILED_PRECONDITION"),
        ("a", {"rules": 99}, "WRONG_RULES", "FAILED_PRECONDITION"),
        ("a", {"games": ["bridge"]}, "UNKNOWN_GAME", "INVALID_ARGUMENT"),
    ],
)
def test_a_refused_bot_is_told_why(
    referee: Referee, token: str, hello: dict[str, object], expected: str, code: str
) -> None:
    referee.admit("a")
    with RawBot(referee.address, token, **hello) as bot:
        with pytest.raises(grpc.RpcError) as caught:
            bot.welcome()
        assert reason(caught.value) == expected
        assert isinstance(caught.value, grpc.Call)
        assert caught.value.code().name == code
        assert caught.value.details()
    assert referee.connected() == 0


def test_the_first_message_must_be_a_hello(referee: Referee) -> None:
    with grpc.insecure_channel(referee.address) as channel:
        heartbeat = bot_pb2.PlayRequest(heartbeat=bot_pb2.Heartbeat()).SerializeToString()
        with pytest.raises(grpc.RpcError) as caught:
            play_bytes(channel, heartbeat)
        assert reason(caught.value) == "NO_HELLO"


def test_a_second_connection_with_the_same_token_replaces_the_first(referee: Referee) -> None:
    referee.admit("a")
    with RawBot(referee.address, "a") as first:
        first.welcome()
        with RawBot(referee.address, "a") as second:
            second.welcome()
            assert first.hear().goodbye.reason == "REPLACED"
            assert referee.connected() == 1


def test_bots_cannot_reach_the_control_service(referee: Referee) -> None:
    with grpc.insecure_channel(referee.address) as channel:
        stub = referee_pb2_grpc.RefereeServiceStub(channel)
        with pytest.raises(grpc.RpcError) as caught:
            stub.Presence(referee_pb2.PresenceRequest())
        assert isinstance(caught.value, grpc.Call)
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_a_bot_that_does_not_claim_a_game_is_not_made_to_play_it(referee: Referee) -> None:
    referee.admit("a", "b")
    with (
        RawBot(referee.address, "a") as a,
        RawBot(referee.address, "b", games=["whist"]) as b,
    ):
        a.welcome()
        b.welcome()
        failed = referee.run(set_of("german_whist", ("a", "b"), end="hands:2")).failed
        assert failed is not None
        assert (failed.reason, failed.seat) == ("GAME_NOT_PLAYED", 1)


def test_heartbeats_are_answered(referee: Referee) -> None:
    referee.admit("a")
    with RawBot(referee.address, "a") as bot:
        bot.welcome()
        bot.send(heartbeat=bot_pb2.Heartbeat(number=42))
        assert bot.hear().heartbeat.number == 42


def test_standard_services_answer(referee: Referee) -> None:
    for address in (referee.address, f"unix:{referee.control}"):
        with grpc.insecure_channel(address) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            status = health.Check(health_pb2.HealthCheckRequest()).status
            assert status == health_pb2.HealthCheckResponse.SERVING
