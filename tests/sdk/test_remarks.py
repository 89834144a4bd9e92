"""What bots say of their decisions: cleaned, checked, kept in records, never a reason to lose."""

import json
import logging
import math
from typing import Any

import kibitz
import pytest
from kibitz import Bot, Play, RecordError, View
from kibitz.bot import BotRunner
from kibitz.cli.replay import describe
from kibitz.local import play_sets
from kibitz.remark import COMMENT_BYTES, Choice, PolicyError, Remark, checked_policy, clean

TURNED = "\u202e\u2066"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("plain words", "plain words"),
        ("  two\n lines\tand\u2028more ", "two lines and more"),
        (f"abc{TURNED}def\u200b\x1b[31m\0", "abcdef[31m"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("z" + "\u0301" * 50, "\u017a\u0301\u0301"),
        ("half \ud800 character", "half character"),
        ("Dame ♥ größer 漢字", "Dame ♥ größer 漢字"),
        ("", ""),
    ],
)
def test_a_comment_is_one_clean_line(said: str, kept: str) -> None:
    assert clean(said) == kept
    assert clean(clean(said)) == clean(said)


@pytest.mark.parametrize("character", ["x", "é", "漢", "🂡"])
def test_a_long_comment_is_cut_between_two_characters(character: str) -> None:
    kept = clean(character * 100_000)
    assert set(kept) == {character}
    assert COMMENT_BYTES - 4 < len(kept.encode()) <= COMMENT_BYTES


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        ([0.5], "1 values for 2 legal actions"),
        ([0.5, 0.6], "sum to 1, not 1.1"),
        ([math.nan, 1.0], "finite"),
        ([math.inf, 0.0], "finite"),
        ([1.5, -0.5], "not below 0"),
        ([0.0, 1.0], "chosen has the probability 0"),
    ],
)
def test_a_policy_is_a_distribution_over_what_is_legal(policy: list[float], says: str) -> None:
    with pytest.raises(PolicyError, match=says) as refused:
        checked_policy(policy, 2, 0)
    assert refused.value.reason == "BAD_POLICY"


def test_a_tiny_probability_stays_above_zero() -> None:
    assert checked_policy([1e-9, 1.0], 2, 0)[0] > 0


def view() -> View:
    game = kibitz.game("german_whist")
    return game.new_deal(kibitz.shuffle(game, 1)).view(1)


def decide(answer: Any) -> Any:
    [decided] = BotRunner(lambda _: answer).decide([view()])
    return decided


def test_a_policy_may_be_given_by_action_number_code_or_in_order() -> None:
    legal = view().legal
    share = [0.25, 0.75] + [0.0] * (len(legal) - 2)
    for policy in (
        {legal[0]: 0.25, legal[1]: 0.75},
        {int(legal[0]): 0.25, int(legal[1]): 0.75},
        {legal[0].code: 0.25, legal[1].code: 0.75},
        share,
    ):
        decided = decide(Play(legal[1].code, policy=policy))
        assert decided == Choice(legal[1], decided.remark)
        assert decided.remark.policy == tuple(share)
    assert decide(Play(legal[1])) == legal[1]


@pytest.mark.parametrize(
    "policy",
    [
        lambda legal: {legal[1]: 1.0},
        lambda _: {"bid:9": 1.0},
        lambda _: [1.0],
        lambda _: 3,
        lambda legal: {legal[0]: "all"},
    ],
)
def test_a_wrong_policy_is_left_out_with_a_word_and_costs_nothing(
    policy: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        decided = decide(Play(view().legal[0], "well", policy(view().legal)))
    assert decided == Choice(view().legal[0], Remark("well"))
    assert "left out" in caplog.text


def test_an_illegal_action_with_a_comment_is_illegal() -> None:
    fault = decide(Play("bid:9", "this wins"))
    assert fault.reason == "ILLEGAL_ACTION"


class Chatty(Bot):
    """Says the code of each card it plays, and that it chose evenly."""

    def play(self, view: View) -> Play:
        card = self.rng.choice(view.legal)
        return Play(card, f"I play {card}", [1 / len(view.legal)] * len(view.legal))


def test_records_hold_what_bots_said_and_stay_sound() -> None:
    rules = kibitz.game("german_whist", end="hands:2")
    [played] = play_sets(rules, [Chatty, "random"]).sets
    record = kibitz.Record.from_json(played.records[0].to_json())
    record.verify()  # finds every policy to fit what was legal
    for deal in record.deals:
        seats = [record.seats[seat] for seat, _ in deal["actions"]]
        mine = [number for number, name in enumerate(seats) if name == "Chatty"]
        assert mine
        assert [number for number, _ in deal["policies"]] == mine
        said = [[number, f"I play {deal['actions'][number][1]}"] for number in mine]
        assert deal["comments"] == said


def test_records_with_broken_remarks_are_refused() -> None:
    [played] = play_sets(kibitz.game("german_whist", end="hands:2"), [Chatty, "random"]).sets
    data = json.loads(played.records[0].to_json())
    deal = data["deals"][0]
    number, policy = deal["policies"][0]
    for key, wrong in (
        ("comments", [[0, 1]]),
        ("comments", [[len(deal["actions"]), "late"]]),
        ("comments", "text"),
        ("policies", [[number, "even"]]),
        ("policies", [[number, policy[1:]]]),
    ):
        broken = {**data, "deals": [{**deal, key: wrong}]}
        with pytest.raises(RecordError):
            kibitz.Record(broken).verify()


def test_the_text_of_a_replay_shows_comments() -> None:
    [played] = play_sets(kibitz.game("german_whist", end="hands:2"), [Chatty, "random"]).sets
    record = played.records[0]
    number, comment = record.deals[0]["comments"][0]
    lines = list(describe(record, 0))
    assert f"  Chatty on {record.deals[0]['actions'][number][1]}: {comment}" in lines
