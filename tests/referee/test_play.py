"""Whole sets between bots in processes of their own."""

from __future__ import annotations

from contextlib import ExitStack

import kibitz
import pytest

from tests.referee.parties import BotProcess, Referee, set_of

CAREFUL = """
import kibitz
from kibitz.loading import load_bot
kibitz.run(load_bot("careful"))
"""


@pytest.mark.parametrize(
    ("game", "end"), [("german_whist", "hands:4"), ("whist", "deals:4"), ("whiskey", "deals:3")]
)
def test_bots_play_a_set_and_its_records_replay(referee: Referee, game: str, end: str) -> None:
    tokens = [f"bot-{seat}" for seat in range(kibitz.game(game).seats)]
    turned = [*tokens[1:], tokens[0]]
    referee.admit(*tokens)
    with ExitStack() as stack:
        for token in tokens:
            stack.enter_context(BotProcess(referee, token, CAREFUL))
        played = referee.run(set_of(game, tokens, turned, end=end))
    assert played.finished
    assert set(played.matches) == {"m0", "m1"}
    for match_id, seating in (("m0", tokens), ("m1", turned)):
        finished = played.matches[match_id]
        record = played.record(match_id)
        assert record.seats == seating
        assert list(finished.returns) == record.returns
        assert list(finished.totals) == record.totals
        assert sum(finished.returns) == 0
        assert not finished.forfeits
        assert finished.rated
        times = [one for deal in record.deals for one in deal["times_ms"]]
        assert len(times) == sum(len(deal["actions"]) for deal in record.deals)


def test_half_points_arrive_whole(referee: Referee) -> None:
    tokens = ["one", "two", "three"]
    referee.admit(*tokens)
    with ExitStack() as stack:
        for token in tokens:
            stack.enter_context(BotProcess(referee, token, CAREFUL))
        played = referee.run(set_of("ottocento", tokens, end="deals:3", seed="half"))
    assert played.finished
    record = played.record("m0")
    assert any(score % 1 for deal in record.deals for score in deal["scores"])
    assert list(played.matches["m0"].totals) == record.totals
    assert list(played.matches["m0"].returns) == record.returns


def test_one_connection_plays_many_tables_in_batches(referee: Referee) -> None:
    referee.admit("a", "b")
    with BotProcess(referee, "a"), BotProcess(referee, "b"):
        request = set_of("german_whist", *[("a", "b")] * 100, end="hands:2")
        played = referee.run(request)
    assert len(played.matches) == 100
    assert len({played.record(match_id).to_json() for match_id in played.matches}) == 100
    load = referee.presence().load
    assert load.matches == 100
    assert load.deals == 200
    assert load.decisions == 200 * 52
    assert load.decisions / load.messages > 4


def test_the_result_does_not_depend_on_how_tables_run_side_by_side(referee: Referee) -> None:
    referee.admit("a", "b")
    with BotProcess(referee, "a"), BotProcess(referee, "b"):
        whole = referee.run(set_of("german_whist", *[("a", "b")] * 4, end="hands:2"))
        again = referee.run(set_of("german_whist", *[("a", "b")] * 4, end="hands:2"))
    for match_id in whole.matches:
        first, second = whole.record(match_id).deals, again.record(match_id).deals
        assert [deal["actions"] for deal in first] == [deal["actions"] for deal in second]


def test_a_bot_at_several_seats_of_one_table_decides_for_each(referee: Referee) -> None:
    referee.admit("ns", "ew")
    with BotProcess(referee, "ns"), BotProcess(referee, "ew"):
        played = referee.run(set_of("whist", ("ns", "ew", "ns", "ew"), end="deals:4"))
    assert played.record("m0").seats == ["ns", "ew", "ns", "ew"]


def test_worker_hears_of_progress(referee: Referee) -> None:
    referee.admit("a", "b")
    with BotProcess(referee, "a"), BotProcess(referee, "b"):
        played = referee.run(set_of("german_whist", ("a", "b"), end="hands:6"))
    progress = [event.progress for event in played.events if event.HasField("progress")]
    done = [one.deals_done for one in progress]
    assert done
    assert done == sorted(done)
    assert {one.deals_total for one in progress} == {6}
    assert played.last.set_finished.deals == 6
    assert played.events[0].match_started.match_id == "m0"
