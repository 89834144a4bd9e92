"""Each step of the diagrams on the page of the protocol is one that a test has seen."""

from __future__ import annotations

import ast
import re

import pytest
from kibitz.v1 import bot_pb2, referee_pb2

from tests.referee.parties import Referee, set_of, until
from tests.sources import ROOT

PAGE = ROOT / "docs" / "protocol.md"
STEP = re.compile(r"    (\S+) --> (\S+?): (.+)")
END = "[*]"

SEEN = {
    ("[*]", "Greeting"): "test_hello.test_an_admitted_bot_is_welcomed_with_the_limits",
    ("Greeting", "Refused"): "test_hello.test_a_refused_bot_is_told_why",
    ("Greeting", "Playing"): "test_hello.test_an_admitted_bot_is_welcomed_with_the_limits",
    ("Playing", "Playing"): "test_play.test_one_connection_plays_many_tables_in_batches",
    ("Playing", "Left"): "test_resume.test_goodbye_gives_up_at_once",
    ("Playing", "Away"): "test_failures.test_a_flood_ends_the_connection_and_nothing_else",
    ("Playing", "Dismissed"): "test_control.test_dismissed_bots_are_sent_away_and_their_sets_fail",
    ("Away", "Playing"): "test_resume.test_a_bot_that_comes_back_gets_the_whole_state_and_plays_on",
    ("Away", "Left"): "test_failures.test_a_killed_bot_forfeits_the_rest_after_the_grace",
    ("[*]", "Seated"): "test_charges.test_time_to_get_ready_is_not_charged_and_not_had_twice",
    ("Seated", "Open"): "test_charges.test_time_to_get_ready_is_not_charged_and_not_had_twice",
    ("Seated", "BrokenOff"): "test_control.test_a_bot_that_is_not_ready_in_time_fails_the_set",
    ("Open", "Open"): "test_play.test_bots_play_a_set_and_its_records_replay",
    ("Open", "Over"): "test_play.test_bots_play_a_set_and_its_records_replay",
    ("Open", "BrokenOff"): "test_control.test_a_worker_that_hangs_up_ends_its_tables",
    ("Over", "[*]"): "test_tapes.test_a_bot_fed_with_its_log_decides_the_same_again",
    ("BrokenOff", "[*]"): "test_control.test_a_worker_that_hangs_up_ends_its_tables",
    ("[*]", "Due"):
        "test_charges.test_a_turn_that_comes_while_the_bot_is_away_is_charged_from_then_on",
    ("Due", "Open"): "test_charges.test_64_answers_after_640_ms_cost_10_ms_each",
    ("Open", "Due"): "test_charges.test_a_connection_lost_and_made_again_stops_no_clock",
    ("Open", "Taken"): "test_charges.test_64_answers_after_640_ms_cost_10_ms_each",
    ("Open", "Failed"): "test_failures.test_an_illegal_action_forfeits_the_deal_and_is_told",
    ("Open", "Closed"): "test_faults.test_a_bot_cannot_have_a_card_played_for_its_opponent",
    ("Due", "Failed"):
        "test_charges.test_a_turn_that_comes_while_the_bot_is_away_is_charged_from_then_on",
    ("Failed", "Taken"): "test_failures.test_substitutes_are_played_and_counted_up_to_the_limit",
    ("Failed", "Forfeited"):
        "test_failures.test_substitutes_are_played_and_counted_up_to_the_limit",
    ("Taken", "[*]"): "test_charges.test_64_answers_after_640_ms_cost_10_ms_each",
    ("Forfeited", "[*]"): "test_failures.test_the_match_is_forfeited_where_the_policy_says_so",
    ("Closed", "[*]"): "test_failures.test_a_silent_bot_times_out_and_the_forfeit_says_by_how_much",
    ("[*]", "Refused"): "test_control.test_a_set_that_cannot_be_played_is_refused_with_a_reason",
    ("[*]", "Waiting"): "test_control.test_more_matches_than_seats_wait_their_turn",
    ("Waiting", "Playing"): "test_control.test_more_matches_than_seats_wait_their_turn",
    ("Waiting", "Failed"):
        "test_control.test_a_bot_that_never_comes_fails_the_set_without_blame_for_others",
    ("Waiting", "Abandoned"):
        "test_protocol_diagrams.test_a_worker_may_hang_up_while_its_set_waits",
    ("Playing", "Finished"): "test_play.test_worker_hears_of_progress",
    ("Playing", "Failed"):
        "test_failures.test_when_all_bots_of_a_table_are_gone_there_is_no_result",
    ("Playing", "Abandoned"): "test_control.test_a_worker_that_hangs_up_ends_its_tables",
    ("Refused", "[*]"): "test_control.test_a_set_that_cannot_be_played_is_refused_with_a_reason",
    ("Finished", "[*]"): "test_play.test_worker_hears_of_progress",
    ("Failed", "[*]"): "test_failures.test_when_all_bots_of_a_table_are_gone_there_is_no_result",
}  # fmt: skip
"""By steps: the test that sees it taken."""


def steps() -> set[tuple[str, str]]:
    return {(one[1], one[2]) for line in PAGE.read_text().splitlines() if (one := STEP.match(line))}


def plain_ends() -> set[tuple[str, str]]:
    """Steps without words: where nothing more can come."""
    found = re.findall(r"^    (\S+) --> \[\*\]$", PAGE.read_text(), re.MULTILINE)
    return {(state, END) for state in found}


def test_each_step_of_the_diagrams_is_shown_by_a_test_and_no_test_shows_another() -> None:
    assert len(steps()) > 30
    assert steps() - plain_ends() <= SEEN.keys()
    assert SEEN.keys() <= steps() | plain_ends()


@pytest.mark.parametrize("test", sorted(set(SEEN.values())))
def test_the_test_exists(test: str) -> None:
    file, name = test.split(".")
    tree = ast.parse((ROOT / "tests" / "referee" / f"{file}.py").read_text())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    assert name in {node.name for node in tree.body if isinstance(node, functions)}


def test_every_message_is_explained_on_the_page() -> None:
    text = PAGE.read_text()
    oneofs = (
        bot_pb2.PlayRequest.DESCRIPTOR.oneofs[0],
        bot_pb2.PlayResponse.DESCRIPTOR.oneofs[0],
        bot_pb2.News.DESCRIPTOR.oneofs[0],
        referee_pb2.RunSetResponse.DESCRIPTOR.oneofs[0],
    )
    names = {
        field.message_type.name
        for oneof in oneofs
        for field in oneof.fields
        if field.message_type is not None
    }
    assert len(names) > 15
    assert {name for name in names if not re.search(rf"\b{name}\b", text)} == set()


def test_a_worker_may_hang_up_while_its_set_waits(referee: Referee) -> None:
    referee.admit("a", "b")
    call = referee.stub.RunSet(set_of("german_whist", ("a", "b"), end="hands:2"), timeout=30)
    until(lambda: referee.presence().load.waiting == 1)
    call.cancel()
    until(lambda: referee.presence().load.waiting == 0)
    assert referee.presence().load.tables == 0
