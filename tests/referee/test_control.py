"""What workers ask for."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from kibitz.v1 import referee_pb2, table_pb2

from tests.referee.parties import (
    PATIENT,
    WAIT_S,
    BotProcess,
    RawBot,
    Referee,
    digest,
    reason,
    set_of,
    until,
)

Change = Callable[[referee_pb2.RunSetRequest], object]


def _bad_options(request: referee_pb2.RunSetRequest) -> None:
    request.options_json = '{"end": "hands:3"}'


def _no_json(request: referee_pb2.RunSetRequest) -> None:
    request.options_json = "{"


def _unknown_game(request: referee_pb2.RunSetRequest) -> None:
    request.game = "bridge"


def _doubled_card(request: referee_pb2.RunSetRequest) -> None:
    request.matches[0].decks[0].cards[0] = request.matches[0].decks[0].cards[1]


def _cut_for_nothing(request: referee_pb2.RunSetRequest) -> None:
    request.matches[0].decks[1].cut = "AS"


def _no_cut(request: referee_pb2.RunSetRequest) -> None:
    request.CopyFrom(set_of("three_handed_whist", ("a", "b", "a")))
    request.matches[0].decks[0].ClearField("cut")


def _odd_cut(request: referee_pb2.RunSetRequest) -> None:
    _no_cut(request)
    request.matches[0].decks[0].cut = "1S"


def _deep_json(request: referee_pb2.RunSetRequest) -> None:
    request.options_json = "[" * 20_000


def _long_name(request: referee_pb2.RunSetRequest) -> None:
    request.game = "\U0001f0a1" * 20_000


def _stranger(request: referee_pb2.RunSetRequest) -> None:
    request.matches[0].seats[1].token_sha256 = digest("stranger")


def _no_digest(request: referee_pb2.RunSetRequest) -> None:
    request.matches[0].seats[1].token_sha256 = "b"


def _one_seat(request: referee_pb2.RunSetRequest) -> None:
    del request.matches[0].seats[1]


def _one_deck(request: referee_pb2.RunSetRequest) -> None:
    del request.matches[0].decks[1]


def _gathered(request: referee_pb2.RunSetRequest) -> None:
    request.game = "solo_whist"
    request.options_json = '{"shuffle": "never"}'


def _doubled_match(request: referee_pb2.RunSetRequest) -> None:
    request.matches.append(request.matches[0])


def _no_matches(request: referee_pb2.RunSetRequest) -> None:
    del request.matches[:]


def _no_time(request: referee_pb2.RunSetRequest) -> None:
    request.clock.CopyFrom(table_pb2.Clock(bank_ms=1000))


def _new_policy(request: referee_pb2.RunSetRequest) -> None:
    request.policy.on_failure = 77  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("change", "expected", "part"),
    [
        (_bad_options, "BAD_OPTION", "end"),
        (_no_json, "BAD_OPTION", "JSON"),
        (_unknown_game, "UNKNOWN_GAME", "german_whist"),
        (_doubled_card, "BAD_DECK", "doubled"),
        (_cut_for_nothing, "BAD_DECK", "deck 1 has a cut card"),
        (_no_cut, "BAD_DECK", "deck 0 lacks its cut card"),
        (_odd_cut, "BAD_DECK", "'1S'"),
        (_deep_json, "BAD_OPTION", "JSON"),
        (_long_name, "UNKNOWN_GAME", "there is no game"),
        (_stranger, "NOT_ADMITTED", "seat 1"),
        (_no_digest, "BAD_TOKEN_HASH", "64"),
        (_one_seat, "WRONG_SEATS", "2 seats"),
        (_one_deck, "TOO_FEW_DECKS", "2 decks"),
        (_gathered, "DECKS_GATHERED", "shuffle=each"),
        (_doubled_match, "DOUBLED_MATCH", "match_id"),
        (_no_matches, "NO_MATCHES", "at least one"),
        (_no_time, "BAD_CLOCK", "cap_ms"),
        (_new_policy, "BAD_POLICY", "77"),
    ],
)
def test_a_set_that_cannot_be_played_is_refused_with_a_reason(
    referee: Referee, change: Change, expected: str, part: str
) -> None:
    referee.admit("a", "b")
    request = set_of("german_whist", ("a", "b"), end="hands:2")
    change(request)
    with pytest.raises(grpc.RpcError) as caught:
        referee.run(request)
    assert reason(caught.value) == expected
    assert isinstance(caught.value, grpc.Call)
    assert part in (caught.value.details() or "")


def test_a_bot_that_never_comes_fails_the_set_without_blame_for_others(referee: Referee) -> None:
    referee.admit("a", "b")
    clock = table_pb2.Clock(bank_ms=1000, cap_ms=1000, ready_ms=700)
    with RawBot(referee.address, "a") as bot:
        bot.welcome()
        request = set_of("german_whist", ("a", "b"), end="hands:2", clock=clock)
        failed = referee.run(request).failed
    assert failed is not None
    assert (failed.reason, failed.match_id, failed.seat) == ("BOT_ABSENT", "m0", 1)
    assert "b is not connected" in failed.detail


def test_a_bot_that_is_not_ready_in_time_fails_the_set(referee: Referee) -> None:
    referee.admit("a", "b")
    clock = table_pb2.Clock(bank_ms=1000, cap_ms=1000, ready_ms=700)
    with RawBot(referee.address, "a") as a, RawBot(referee.address, "b") as b:
        a.welcome()
        b.welcome()
        with ThreadPoolExecutor(1) as pool:
            request = set_of("german_whist", ("a", "b"), end="hands:2", clock=clock)
            played = pool.submit(referee.run, request)
            a.hear()  # is ready; b never says so
            failed = played.result(60).failed
            end = a.hear().turns.news[-1].table_end
    assert failed is not None
    assert (failed.reason, failed.seat) == ("NOT_READY", 1)
    assert end.reason == "NOT_READY"
    assert not end.returns


def test_a_deck_is_never_in_play_at_two_tables_of_one_bot(referee: Referee) -> None:
    referee.admit("a", "b")
    with BotProcess(referee, "a"), BotProcess(referee, "b"):
        seatings = [("a", "b"), ("b", "a"), ("a", "b")]
        played = referee.run(set_of("german_whist", *seatings, end="hands:2", same_decks=True))
    order = [event.WhichOneof("event") for event in played.events]
    order = [what for what in order if what in {"match_started", "match_finished"}]
    assert order == ["match_started", "match_finished"] * 3


def test_decks_with_other_suits_are_not_in_play_at_two_tables_either(referee: Referee) -> None:
    referee.admit("a", "b")
    request = set_of("german_whist", ("a", "b"), ("b", "a"), end="hands:2")
    for match in request.matches:
        match.decks_name = "the same"
    with BotProcess(referee, "a"), BotProcess(referee, "b"):
        played = referee.run(request)
    order = [event.WhichOneof("event") for event in played.events]
    order = [what for what in order if what in {"match_started", "match_finished"}]
    assert order == ["match_started", "match_finished"] * 2


def test_lanes_play_the_same_decks_side_by_side(referee: Referee) -> None:
    lanes = [("a0", "b0"), ("b1", "a1")]
    bots = [RawBot(referee.address, token) for lane in lanes for token in lane]
    try:
        for bot in bots:
            with pytest.raises(grpc.RpcError):
                bot.welcome()
    finally:
        for bot in bots:
            bot.drop()
    referee.admit("a0", "b0", "b1", "a1")
    bots = [RawBot(referee.address, token) for lane in lanes for token in lane]
    try:
        for bot in bots:
            bot.welcome()
        call = referee.stub.RunSet(
            set_of("german_whist", *lanes, end="hands:2", same_decks=True), timeout=WAIT_S
        )
        until(lambda: referee.presence().load.tables == 2)
        call.cancel()
        until(lambda: referee.presence().load.tables == 0)
    finally:
        for bot in bots:
            bot.drop()


def test_more_matches_than_seats_wait_their_turn(referee: Referee) -> None:
    referee.admit("a", "b", max_tables=3)
    with BotProcess(referee, "a"), BotProcess(referee, "b"), ThreadPoolExecutor(1) as pool:
        request = set_of("german_whist", *[("a", "b")] * 12, end="hands:10")
        played = pool.submit(referee.run, request)
        most = 0
        while not played.done():
            most = max([most, *(player.tables for player in referee.presence().players)])
        assert len(played.result().matches) == 12
    assert 0 < most <= 3


def test_a_worker_that_hangs_up_ends_its_tables(referee: Referee) -> None:
    referee.admit("a", "b")
    with BotProcess(referee, "b"), RawBot(referee.address, "a") as bot:
        bot.welcome()
        call = referee.stub.RunSet(set_of("german_whist", ("a", "b"), end="hands:2"))
        bot.turns()
        call.cancel()
        while not bot.news[-1].HasField("table_end"):
            bot.hear()
        assert bot.news[-1].table_end.reason == "ABANDONED"
        until(lambda: referee.presence().load.tables == 0)


def test_dismissed_bots_are_sent_away_and_their_sets_fail(referee: Referee) -> None:
    referee.admit("a", "b")
    with BotProcess(referee, "a") as a, BotProcess(referee, "b") as b:
        with ThreadPoolExecutor(1) as pool:
            request = set_of("german_whist", ("a", "b"), end="hands:5000")
            played = pool.submit(referee.run, request)
            until(lambda: referee.presence().load.deals > 0)
            request_dismiss = referee_pb2.DismissRequest(
                token_sha256=[digest("a"), digest("nobody")]
            )
            assert referee.stub.Dismiss(request_dismiss).dismissed == 1
            failed = played.result(60).failed
        assert failed is not None
        assert (failed.reason, failed.seat) == ("DISMISSED", 0)
        assert a.process.wait(20) == 0
        assert b.process.poll() is None


def test_matches_without_clocks_are_not_rated(referee: Referee) -> None:
    referee.admit("a", "b")
    clock = table_pb2.Clock(untimed=True, ready_ms=20_000)
    with BotProcess(referee, "a"), RawBot(referee.address, "b") as bot:
        bot.welcome()
        with ThreadPoolExecutor(1) as pool:
            request = set_of("german_whist", ("a", "b"), end="hands:2", clock=clock)
            played = pool.submit(referee.run, request)
            turns = bot.turns()
            assert list(turns.time_left_ms) == [0]
            time.sleep(1.0)
            bot.answer(turns)
            bot.play_on()
            result = played.result(60)
    assert not result.reasons("m0")
    assert not result.matches["m0"].rated
    assert result.record("m0").data["rated"] is False


def test_draining_lets_sets_end_and_takes_no_new_ones(referee: Referee) -> None:
    referee.admit("a", "b")
    with BotProcess(referee, "a"), BotProcess(referee, "b"), ThreadPoolExecutor(2) as pool:
        played = pool.submit(
            referee.run, set_of("german_whist", ("a", "b"), end="hands:60", clock=PATIENT)
        )
        until(lambda: referee.presence().load.deals > 0)
        drained = pool.submit(referee.stub.Drain, referee_pb2.DrainRequest(), WAIT_S)
        until(lambda: referee.presence().load.draining)
        with pytest.raises(grpc.RpcError) as caught:
            referee.run(set_of("german_whist", ("a", "b"), end="hands:2"))
        assert reason(caught.value) == "DRAINING"
        assert played.result(60).finished
        assert drained.result(60).drained
