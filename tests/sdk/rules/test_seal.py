"""Records are chained by hashes, and say under which rules they were played."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import kibitz
import pytest
from kibitz.fingerprint import rules_hash
from kibitz.games import game_class
from kibitz.local import play_sets
from kibitz.seal import chained, check_seal, sealed
from kibitz.testing import variants

from tests.sources import ROOT


def played(name: str = "german_whist", end: str = "hands:2") -> dict[str, Any]:
    """A sealed record."""
    game = kibitz.game(name, end=end)
    bots = ["random"] * game.players
    record = play_sets(game, bots, sets=1, seed=5).sets[0].records[0]
    return sealed(record.data, record.verify())


RECORD = played()


def test_a_sealed_record_says_its_rules_and_holds() -> None:
    record = kibitz.Record(RECORD)
    record.verify()
    assert RECORD["rules"]["hash"] == rules_hash(record.game)
    assert RECORD["rules"]["version"]
    links = [deal["chain"] for deal in RECORD["deals"]] + [RECORD["chain"]]
    assert len(set(links)) == 3
    assert all(len(link) == 64 for link in links)
    assert sealed(RECORD, record.verify()) == RECORD


def test_records_without_a_seal_are_still_good() -> None:
    plain = deepcopy(RECORD)
    for part in (plain, *plain["deals"]):
        del part["chain"]
    kibitz.Record(plain).verify()
    assert "chain" not in plain


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        if isinstance(value[key], (dict, list)):
            yield from leaves(value[key], (*path, key))
        else:
            yield (*path, key)


def other(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    return value + 1 if isinstance(value, (int, float)) else f"{value}x"


@pytest.mark.parametrize("path", list(leaves(RECORD)), ids=str)
def test_every_value_that_is_changed_is_found(path: tuple[Any, ...]) -> None:
    changed = deepcopy(RECORD)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = other(at[path[-1]])
    with pytest.raises(kibitz.RecordError):
        kibitz.Record(changed).verify()


def test_what_is_added_taken_away_or_moved_is_found() -> None:
    match = kibitz.Record(RECORD).verify()
    changes: list[Callable[[Any], object]] = [
        lambda data: data.update(note="x"),
        lambda data: data["deals"][0].update(note="x"),
        lambda data: data["deals"][0].pop("events"),
        lambda data: data["deals"][0].pop("chain"),
        lambda data: data["deals"].reverse(),
    ]
    for change in changes:
        changed = deepcopy(RECORD)
        change(changed)
        with pytest.raises(kibitz.RecordError) as caught:
            check_seal(changed, match)
        assert caught.value.reason == "WRONG_CHAIN"


def test_other_spelling_of_the_same_json_is_the_same_record() -> None:
    turned = json.loads(json.dumps(RECORD, sort_keys=True, indent=3))
    kibitz.Record(turned).verify()
    assert list(turned) != list(RECORD)


def test_rules_that_have_changed_are_told_apart_from_a_changed_record() -> None:
    changed = deepcopy(RECORD)
    match = kibitz.Record(RECORD).verify()
    changed["deals"][1]["events"] = "0" * 16
    with pytest.raises(kibitz.RecordError) as caught:
        kibitz.Record(chained(changed)).verify()
    assert (caught.value.reason, caught.value.deal) == ("WRONG_EVENTS", 1)
    assert match.over


@pytest.mark.parametrize("name", kibitz.games())
def test_every_variant_has_rules_of_its_own(name: str) -> None:
    games = variants(game_class(name))
    assert len({rules_hash(game) for game in games}) > 2
    assert rules_hash(games[0]) == GOLDEN[name]


GOLDEN: dict[str, str] = dict(
    line.split() for line in (ROOT / "tests" / "golden" / "rules.txt").read_text().splitlines()
)


def test_the_golden_hashes_are_of_all_games() -> None:
    assert sorted(GOLDEN) == sorted(kibitz.games())
    assert Path(ROOT / "tests" / "golden" / "rules.txt").read_text().count("\n") == len(GOLDEN)
