"""Records that somebody has changed: refused in a line, or else just what a match would write."""

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz import Record, RecordError, testing
from kibitz.cli.verify import check
from kibitz.seal import sealed

MATCHES: dict[str, tuple[str, dict[str, Any]]] = {
    "german_whist": ("german_whist", {"end": "hands:2"}),
    "honeymoon": ("german_whist", {"jokers": True, "hand_score": "tricks", "end": "points:20"}),
    "whist": ("whist", {"end": "deals:4", "honours": True}),
    "rubber": ("whist", {"end": "rubber:5", "trump": "cycle", "cycle": ["NT", "H"]}),
    "solo_whist": ("solo_whist", {"end": "deals:4", "trump": "second_pack"}),
    "gathered": ("solo_whist", {"end": "deals:4", "shuffle": "never"}),
    "irish3": ("solo_whist", {"end": "deals:3", "variant": "irish3"}),
    "three_handed_whist": ("three_handed_whist", {}),
    "whiskey": ("whiskey", {"end": "target:20", "max_deals": 4}),
    "whos_who": ("whos_who", {"end": "deals:3"}),
    "ottocento": ("ottocento", {"end": "deals:3"}),
}
JUNK: list[Any] = [
    *(None, True, False, 0, 1, -1, 3, 10**30, 0.5, 1e308, "", "QH", "pass", "\u2028\x1b[2J"),
    *("x" * 3000, [], {}, [[]], {"seat": 0, "reason": "x"}, ["QH"] * 52, "deals:3", "irish"),
]
Path = list[Any]


def record_of(name: str) -> dict[str, Any]:
    game, options = MATCHES[name]
    match = testing.random_match(kibitz.game(game, **options), seed=len(name), forfeits=0.2)
    data: dict[str, Any] = json.loads(match.record(note={"a": [1]}).to_json())
    return data


def places(value: Any, path: Path | None = None) -> Iterator[Path]:
    """Yield the ways to every value inside a JSON value."""
    path = path or []
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inside:
        yield [*path, key]
        if isinstance(one, (dict, list)):
            yield from places(one, [*path, key])


def change(data: dict[str, Any], rng: Random, ways: list[Path]) -> None:
    """Change something: replace, exchange, take away or double a value."""
    *path, last = rng.choice(ways)
    holder: Any = data
    for key in path:
        holder = holder[key]
    what = rng.randrange(5)
    if what == 0:
        del holder[last]
    elif what == 1:
        holder[last] = rng.choice(JUNK)
    elif what == 2 and isinstance(holder, list):
        holder.insert(last, copy.deepcopy(holder[last]))
    elif what == 3 and isinstance(holder, list):
        other = rng.randrange(len(holder))
        holder[last], holder[other] = holder[other], holder[last]
    else:
        holder[last] = copy.deepcopy(like(data, rng.choice(ways)))


def like(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


def check_line(error: RecordError) -> None:
    assert error.reason.isupper()
    assert len(str(error)) < 1000


def check_answer(text: str | bytes) -> bool:
    """Return whether a record is accepted; it must then be what its match writes, word for word."""
    try:
        record = Record.from_json(text)
        match = record.verify()
    except RecordError as error:
        check_line(error)
        return False
    again = match.record().data
    for key in ("game", "options", "seats", "totals", "returns"):
        assert record.data[key] == again[key]
    for written, deal in zip(record.data["deals"], again["deals"], strict=True):
        assert all(written[key] == deal[key] for key in deal if key != "forfeit")
        assert (written.get("forfeit") or {}).get("seat") == deal.get("forfeit", {}).get("seat")
    return True


def fuzz(name: str, changes: int) -> int:
    """Return how many of some changed records were accepted."""
    data, accepted = record_of(name), 0
    assert check_answer(json.dumps(data))
    rng, ways = Random(name), [*places(data)]
    for _ in range(changes):
        forged = copy.deepcopy(data)
        change(forged, rng, ways)
        accepted += check_answer(json.dumps(forged))
    return accepted


@pytest.mark.parametrize("name", MATCHES)
def test_changed_records_are_refused_or_true(name: str) -> None:
    assert fuzz(name, 40) < 25


@pytest.mark.parametrize("name", MATCHES)
def test_no_change_of_a_sealed_record_is_accepted(name: str) -> None:
    plain = Record(record_of(name))
    data = sealed(plain.data, plain.verify())
    assert check_answer(json.dumps(data))
    rng, ways = Random(name), [way for way in places(data) if way != ["chain"]]
    for _ in range(30):
        forged = copy.deepcopy(data)
        change(forged, rng, ways)
        assert forged == data or not check_answer(json.dumps(forged))


@pytest.mark.campaign
@pytest.mark.parametrize("name", MATCHES)
def test_thousands_of_changed_records_are_refused_or_true(name: str) -> None:
    assert fuzz(name, 3000) < 1500


@pytest.mark.parametrize("name", MATCHES)
def test_bytes_that_were_changed_are_refused_or_true(name: str) -> None:
    text = bytearray(json.dumps(record_of(name)).encode())
    rng = Random(name)
    for _ in range(30):
        broken = text[:]
        at = rng.randrange(len(broken))
        size = rng.choice((0, 1, 1, 1, 5, len(broken)))
        broken[at : at + size] = bytes(rng.choices(b'"[]{},:0159eE.-\\unTF\x00\xff\n ', k=size % 7))
        check_answer(bytes(broken))
    assert not check_answer(bytes(text[: len(text) // 2]))


@pytest.mark.parametrize("name", MATCHES)
def test_no_other_card_score_or_result_is_accepted(name: str) -> None:
    data, rng = record_of(name), Random(name)
    for _ in range(6):
        deal = rng.randrange(len(data["deals"]))
        forged = [copy.deepcopy(data) for _ in range(4)]
        deck = forged[0]["deals"][deal]["deck"]
        deck[rng.randrange(52) % len(deck)] = deck[0] if deck[0] != deck[1] else deck[2]
        forged[1]["deals"][deal]["scores"][0] += 1
        forged[2]["totals"][-1] -= 0.5
        forged[3]["returns"][0] += 1
        for one in forged:
            assert one == data or not check_answer(json.dumps(one))


HOSTILE: dict[str, bytes] = {
    "empty": b" \n\n",
    "binary": bytes(range(256)) * 40,
    "gzip, cut short": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
    "deep": b'{"a":' * 50_000,
    "deep list": b"[" * 100_000 + b"\n",
    "not a number": b'{"format": "kibitz-record/1", "totals": [NaN]}',
    "infinite": b'{"format": "kibitz-record/1", "totals": [1e999]}',
    "many digits": b'{"format": ' + b"7" * 100_000 + b"}",
    "doubled": b'{"format": "kibitz-record/1", "game": "whist", "game": "whist"}',
    "half a character": b'{"format": "\\ud800"}',
    "a number": b"5",
    "lines": b'{"format": 1}\n\n{"format": 2}\n{',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_files_that_are_no_records_get_a_line_each(name: str, tmp_path: Any) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(HOSTILE[name])
    findings = check(path)
    assert len(findings) == (3 if name == "lines" else 1)
    for each in findings:
        assert not each["ok"]
        assert str(each["record"]).startswith(str(path))
        assert "\n" not in str(each["message"])
        assert len(str(each["message"])) < 300
        assert str(each["reason"]).isupper()


def test_what_is_no_file_and_what_has_no_end_get_a_line_each(tmp_path: Any) -> None:
    (tmp_path / "long.json").write_bytes(b'{"format": "' + b"x" * (65 << 20))
    for path, reason in (
        (tmp_path, "FILE_UNREADABLE"),
        (tmp_path / "none", "FILE_UNREADABLE"),
        (tmp_path / ("x" * 5000), "FILE_UNREADABLE"),
        (tmp_path / "long.json", "TOO_LARGE"),
    ):
        (found,) = check(path)
        assert (found["ok"], found["reason"]) == (False, reason)


def test_a_names_line_separator_does_not_part_a_record(tmp_path: Any) -> None:
    data = record_of("whist")
    data["seats"][0] = "a\u2028b\x85c"
    path = tmp_path / "r.jsonl"
    lines = [json.dumps(data, ensure_ascii=False)] * 2
    path.write_text("\n".join(lines), encoding="utf-8")
    assert [each["ok"] for each in check(path)] == [True, True]
