"""Comments and policies on the wire: kept with the match, and never the cause of a loss."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from kibitz.v1 import bot_pb2

from tests.referee.parties import BotProcess, Played, RawBot, Referee, set_of

Say = Callable[[bot_pb2.Turns], bot_pb2.Remark]


def played_with(referee: Referee, say: Say, deals: int = 2) -> tuple[Played, list[bot_pb2.Reject]]:
    """Play a match in which seat 0 says something of each decision, 26 in a deal."""
    referee.admit("talker", "first")
    request = set_of("german_whist", ("talker", "first"), end=f"hands:{deals}")
    with RawBot(referee.address, "talker") as bot, BotProcess(referee, "first"):
        call = referee.stub.RunSet(request, timeout=60)
        bot.welcome()
        while not bot.seats:
            bot.hear()
        while bot.seats:
            if not bot._unread:
                bot.hear()
                continue
            turns = bot.turns()
            actions = bot_pb2.Actions(
                slots=turns.slots, decisions=turns.decisions, actions=turns.legal[:1]
            )
            actions.remarks.append(say(turns))
            bot.send(actions=actions)
        return Played(call), bot.rejects


def test_comments_and_policies_are_in_the_record_and_nowhere_else(referee: Referee) -> None:
    def say(turns: bot_pb2.Turns) -> bot_pb2.Remark:
        legal = turns.legal_counts[0]
        return bot_pb2.Remark(comment="lowest\u202e\n first", policy=[1 / legal] * legal)

    played, rejects = played_with(referee, say)
    assert not rejects
    record = played.record("m0")  # checks each policy against what was legal
    for deal in record.deals:
        mine = [number for number, (seat, _) in enumerate(deal["actions"]) if seat == 0]
        assert [number for number, _ in deal["policies"]] == mine
        assert deal["comments"] == [[number, "lowest first"] for number in mine]


@pytest.mark.parametrize("wrong", [[0.5], [], [math.nan] * 13, [-1.0, 2.0]])
def test_a_wrong_policy_is_refused_and_its_action_stands(
    referee: Referee, wrong: list[float]
) -> None:
    def say(turns: bot_pb2.Turns) -> bot_pb2.Remark:
        # An empty policy is none; here it stands for one that gives the action chosen no chance.
        none = [0.0, 1.0] + [0.0] * turns.legal_counts[0]
        policy = wrong or none[: turns.legal_counts[0]]
        return bot_pb2.Remark(comment="well", policy=policy)

    played, rejects = played_with(referee, say)
    record = played.record("m0")
    assert not played.reasons("m0")
    assert {reject.reason for reject in rejects} == {"BAD_POLICY"}
    assert all("the action stands" in reject.message for reject in rejects)
    assert [text for deal in record.deals for _, text in deal["comments"]] == ["well"] * 52
    kept = sum(len(deal.get("policies", ())) for deal in record.deals)
    assert len(rejects) + kept == 52


def test_a_seat_cannot_fill_the_record_with_words(referee: Referee) -> None:
    played, rejects = played_with(referee, lambda _: bot_pb2.Remark(comment="\u6f22" * 50_000), 4)
    said = [text for deal in played.record("m0").deals for _, text in deal.get("comments", ())]
    assert all(450 < len(text.encode()) <= 500 for text in said)
    assert 31_000 < sum(len(text.encode()) for text in said) <= 32_000
    assert {reject.reason for reject in rejects} == {"TOO_MANY_COMMENTS"}
    assert len(said) + len(rejects) == 4 * 26
    assert not played.reasons("m0")


def test_a_remark_on_an_answer_that_is_not_taken_is_dropped(referee: Referee) -> None:
    referee.admit("talker", "first")
    request = set_of("german_whist", ("talker", "first"), end="hands:2")
    with RawBot(referee.address, "talker") as bot, BotProcess(referee, "first"):
        call = referee.stub.RunSet(request, timeout=60)
        bot.welcome()
        turns = bot.turns()
        bot.send(
            actions=bot_pb2.Actions(
                slots=[turns.slots[0]] * 3,
                decisions=[turns.decisions[0]] * 3,
                actions=[9999, turns.legal[0], turns.legal[0]],
                remarks=[
                    bot_pb2.Remark(answer=0, comment="illegal"),
                    bot_pb2.Remark(answer=1, comment="too late"),
                    bot_pb2.Remark(answer=77, comment="of no answer"),
                ],
            )
        )
        bot.play_on()
        played = Played(call)
    assert played.reasons("m0") == [(0, "ILLEGAL_ACTION")]
    assert "comments" not in played.matches["m0"].record_json


CHATTY = """
import kibitz

class Chatty(kibitz.Bot):
    def play(self, view):
        card = view.legal[-1]
        return kibitz.Play(card, f"I play {card}", {card: 1.0})

kibitz.run(Chatty)
"""


def test_the_sdk_sends_what_a_bot_says(referee: Referee) -> None:
    referee.admit("talker", "first")
    with BotProcess(referee, "talker", CHATTY), BotProcess(referee, "first"):
        played = referee.run(set_of("german_whist", ("talker", "first"), end="hands:2"))
    for deal in played.record("m0").deals:
        assert len(deal["policies"]) == 26
        for number, text in deal["comments"]:
            seat, code = deal["actions"][number]
            assert (seat, text) == (0, f"I play {code}")
