"""Records: written, read, replayed, checked, and refused."""

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz import Record, RecordError


def played(name: str = "whiskey", seed: int = 1, **options: Any) -> kibitz.Match:
    game = kibitz.game(name, **options)
    match = game.new_match([f"bot{seat}/1" for seat in range(game.seats)])
    rng = Random(seed)
    while not match.over:
        deal = match.new_deal(kibitz.shuffle(game, rng.random().hex()))
        while not deal.over:
            deal.play(rng.choice(deal.legal()))
        match.finish(deal)
    return match


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """A record of three deals of Whiskey, the second forfeited in the middle of its play."""
    game = kibitz.game("whiskey", end="deals:3")
    match = game.new_match(("alice/3", "bob/1", "carol/7"))
    rng = Random(4)
    for number in range(3):
        deal = match.new_deal(kibitz.shuffle(game, number))
        for call in ("bid:1", "pass", "pass", "pass", "win:NT"):
            deal.play(call)
        while not deal.over and not (number == 1 and len(deal.history) == 20):
            deal.play(rng.choice(deal.legal()))
        if deal.over:
            match.finish(deal, seconds=[1.5, 2.5, 0.5])
        else:
            match.forfeit(deal, 2, "timeout", limit=5)
    found: dict[str, Any] = json.loads(match.record(hash="abc").to_json())
    return found


def test_the_form_of_a_record(data: dict[str, Any]) -> None:
    assert data["format"] == "kibitz-record/1"
    assert data["game"] == "whiskey"
    assert data["options"] == {
        "first_call": "dealer",
        "end_passes": 3,
        "end": "deals:3",
        "max_deals": 200,
    }
    assert data["seats"] == ["alice/3", "bob/1", "carol/7"]
    first, second, _ = data["deals"]
    assert (first["number"], first["dealer"], first["cut"]) == (0, 0, None)
    assert first["actions"][:5] == [
        [0, "bid:1"],
        [1, "pass"],
        [2, "pass"],
        [0, "pass"],
        [0, "win:NT"],
    ]
    assert len(first["actions"]) == 57
    assert first["seconds"] == [1.5, 2.5, 0.5]
    assert second["dealer"] == 1
    assert second["forfeit"] == {"seat": 2, "reason": "timeout"}
    assert (second["scores"], second["limit"], len(second["actions"])) == ([0, 0, -52], 5, 20)
    assert data["hash"] == "abc"
    assert "unfinished" not in data
    assert sum(data["returns"]) == 0


def test_a_record_verifies_and_replays(data: dict[str, Any]) -> None:
    record = Record(data)
    match = record.verify()
    assert list(match.totals) == record.totals
    assert list(match.returns or ()) == record.returns
    assert record.game == kibitz.game("whiskey", end="deals:3")
    deal = record.replay(2)
    assert deal.over
    assert list(deal.scores or ()) == data["deals"][2]["scores"]
    assert record.replay(2, actions=7).history == deal.history[:7]
    assert record.replay(1).history == [
        (seat, record.game.actions.number[code]) for seat, code in data["deals"][1]["actions"]
    ]
    assert record.replay(2).totals == tuple(
        sum(deal["scores"][seat] for deal in data["deals"][:2]) for seat in range(3)
    )
    with pytest.raises(IndexError):
        record.replay(3)


def test_files_round_trip_and_keep_unknown_keys(data: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a match.json"
    Record({**data, "note": {"ä": [1, None]}}).save(path)
    again = Record.load(path)
    assert again.data == {**data, "note": {"ä": [1, None]}}
    assert Record.load(str(path)).data == Record.load(again.to_json(indent=2)).data == again.data
    assert [one.name for one in tmp_path.iterdir()] == ["a match.json"]
    again.save(path)
    assert Record.load(path).data == again.data


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("german_whist", {"end": "hands:2"}),
        ("german_whist", {"end": "points:3", "hand_score": "tricks"}),
        ("whist", {"end": "rubber:5", "honours": True}),
        ("whist", {"end": "game:5", "honours": True, "trump": "cycle", "cycle": ["NT", "C"]}),
        ("whiskey", {"end": "target:3", "max_deals": 20}),
    ],
)
def test_matches_of_every_kind_verify(name: str, options: dict[str, Any]) -> None:
    match = played(name, 3, **options)
    record = Record.from_json(match.record().to_json())
    assert record.verify().returns == match.returns


def test_a_broken_off_match(data: dict[str, Any]) -> None:
    match = kibitz.game("whiskey", end="deals:3").new_match()
    record = match.record()
    assert (record.unfinished, record.returns, record.totals) == (True, None, [0, 0, 0])
    record.verify()
    whole = {**data, "unfinished": True}
    with pytest.raises(RecordError, match="is over after 3 deals, not unfinished"):
        Record(whole).verify()
    cut_short = {**data, "deals": data["deals"][:2], "totals": [0, 0, 0]}
    cut_short["totals"] = [sum(deal["scores"][s] for deal in data["deals"][:2]) for s in range(3)]
    with pytest.raises(RecordError, match="does not say"):
        Record(cut_short).verify()


def test_a_deal_names_only_seats_that_there_are(data: dict[str, Any]) -> None:
    forged = copy.deepcopy(data)
    forged["deals"][1]["forfeit"]["seat"] = 3
    with pytest.raises(RecordError, match=r"deal 1: forfeit: there is no seat 3; seats are 0 to 2"):
        Record(forged)
    forged = copy.deepcopy(data)
    forged["deals"][2]["scores"].append(0)
    with pytest.raises(RecordError, match=r"deal 2: scores must be 3 numbers, one a seat, not 4"):
        Record(forged)


Change = Callable[[dict[str, Any]], object]


def _swap_cards(data: dict[str, Any]) -> None:
    deck = data["deals"][0]["deck"]
    deck[0], deck[1] = deck[1], deck[0]


@pytest.mark.parametrize(
    ("change", "deal", "action", "reason"),
    [
        (lambda d: d["deals"][0]["scores"].__setitem__(0, 99), 0, None, "WRONG_SCORES"),
        (lambda d: d["deals"][1]["scores"].__setitem__(0, 9), 1, None, "WRONG_SCORES"),
        (lambda d: d["totals"].__setitem__(0, 99), None, None, "WRONG_TOTALS"),
        (lambda d: d["returns"].__setitem__(0, 99), None, None, "WRONG_RETURNS"),
        (lambda d: d.__setitem__("returns", None), None, None, "WRONG_RETURNS"),
        (lambda d: d["deals"][1].__setitem__("number", 2), 1, None, "WRONG_NUMBER"),
        (lambda d: d["deals"][1].__setitem__("dealer", 0), 1, None, "WRONG_DEALER"),
        (lambda d: d["deals"][2]["deck"].pop(), 2, None, "BAD_DECK"),
        (lambda d: d["deals"][2].__setitem__("cut", "QH"), 2, None, "BAD_CUT"),
        (lambda d: d["deals"][0]["actions"][3].__setitem__(0, 1), 0, 3, "WRONG_TURN"),
        (lambda d: d["deals"][0]["actions"][3].__setitem__(1, "bid:1"), 0, 3, "ILLEGAL_ACTION"),
        (lambda d: d["deals"][0]["actions"][4].__setitem__(1, "win:X"), 0, 4, "UNKNOWN_ACTION"),
        (lambda d: d["deals"][0]["actions"].pop(), 0, None, "DEAL_NOT_OVER"),
        (lambda d: d["deals"][0]["actions"].append([0, "pass"]), 0, 57, "WRONG_TURN"),
        (lambda d: d["deals"][1].pop("forfeit"), 1, None, "DEAL_NOT_OVER"),
        (lambda d: d["deals"][1]["forfeit"].__setitem__("seat", 0), 1, None, "WRONG_SCORES"),
        (
            lambda d: d["deals"][0].__setitem__("forfeit", {"seat": 0, "reason": "x"}),
            0,
            None,
            "DEAL_OVER",
        ),
        (lambda d: d["deals"].append({**d["deals"][0], "number": 3}), 3, None, "MATCH_OVER"),
        (_swap_cards, 0, None, None),
    ],
)
def test_lies_are_found(
    data: dict[str, Any], change: Change, deal: int | None, action: int | None, reason: str | None
) -> None:
    forged = copy.deepcopy(data)
    change(forged)
    record = Record(forged)
    with pytest.raises(RecordError) as caught:
        record.verify()
    assert caught.value.deal == deal
    if reason is not None:
        assert (caught.value.action, caught.value.reason) == (action, reason)
        assert deal is None or f"deal {deal}" in str(caught.value)
        assert action is None or f"action {action}:" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d.pop("game"), "game is missing"),
        (lambda d: d.__setitem__("format", "kibitz-record/2"), "kibitz-record/1"),
        (lambda d: d.__setitem__("game", "bridge"), "there is no game 'bridge'"),
        (lambda d: d.__setitem__("game", ["whiskey"]), "game must be a text"),
        (lambda d: d["options"].__setitem__("speed", 3), "there is no option 'speed'"),
        (lambda d: d["options"].__setitem__("end", "deals:13"), "a multiple of 3"),
        (lambda d: d["options"].pop("end_passes"), "end_passes is missing"),
        (lambda d: d.__setitem__("options", []), "options must be an object"),
        (lambda d: d["options"].__setitem__("name", "x"), "no option 'name'"),
        (lambda d: d["options"].__setitem__("preset", "x"), "no option 'preset'"),
        (lambda d: d["options"].__setitem__("end", {"a": []}), "end cannot be"),
        (lambda d: d.__setitem__("seats", ["a", "b"]), "whiskey has 3 seats"),
        (lambda d: d.__setitem__("seats", [1, 2, 3]), "seats must be a list of texts"),
        (lambda d: d.__setitem__("deals", {}), "deals must be a list"),
        (lambda d: d.__setitem__("deals", [3]), "deals must be a list of objects"),
        (lambda d: d.__setitem__("totals", "0"), "totals must be a list of numbers"),
        (lambda d: d.__setitem__("totals", [True, 0, 0]), "totals must be a list of numbers"),
        (lambda d: d.__setitem__("unfinished", 1), "unfinished must be true or false"),
        (lambda d: d["deals"][0].pop("deck"), "deal 0: deck is missing"),
        (lambda d: d["deals"][0].__setitem__("deck", ["QH"] * 1000), "deal 0: deck must be"),
        (lambda d: d["deals"][1].__setitem__("number", True), "deal 1: number must be"),
        (lambda d: d["deals"][1].__setitem__("dealer", 1.0), "deal 1: dealer must be"),
        (lambda d: d["deals"][2].__setitem__("cut", 5), "deal 2: cut must be"),
        (lambda d: d["deals"][2].__setitem__("actions", [[0]]), "deal 2: actions must be"),
        (lambda d: d["deals"][2].__setitem__("actions", [["0", "pass"]]), "actions must be"),
        (lambda d: d["deals"][2].__setitem__("scores", [None]), "deal 2: scores must be"),
        (lambda d: d["deals"][1].__setitem__("forfeit", "seat 2"), "deal 1: forfeit must be"),
        (lambda d: d["deals"][1]["forfeit"].__setitem__("reason", 5), "deal 1: forfeit must be"),
    ],
)
def test_malformed_records_are_refused(data: dict[str, Any], change: Change, says: str) -> None:
    wrong = copy.deepcopy(data)
    change(wrong)
    with pytest.raises(RecordError) as caught:
        Record(wrong)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 500
    assert caught.value.reason.isupper()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "a record is a JSON object"),
        ("null", "a record is a JSON object"),
        ("{}", "format is None"),
        ('{"format": NaN}', "NaN is not a number"),
        ('{"a": 1, "a": 2}', "stands twice"),
        ("[" * 200_000, "nested too deeply"),
        ('{"format": ' + "9" * 10_000 + "}", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b'{"format": "\xff"}', "not JSON"),
    ],
)
def test_what_is_no_record_is_refused(text: str | bytes, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        Record.from_json(text)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 500


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file") as caught:
        Record.load(tmp_path / "none.json")
    assert caught.value.reason == "UNREADABLE"
    with pytest.raises(RecordError, match="cannot read"):
        Record.load(tmp_path)
    with pytest.raises(RecordError, match="cannot read"):
        Record.load("\0")
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        os.truncate(file.fileno(), 65 * 1024 * 1024)
    with pytest.raises(RecordError) as caught:
        Record.load(huge)
    assert caught.value.reason == "TOO_LARGE"
    with pytest.raises(RecordError, match="cannot write"):
        played(end="deals:3").record().save(tmp_path / "no folder" / "a.json")
