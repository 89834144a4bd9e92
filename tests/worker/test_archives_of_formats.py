"""Archives of tournaments of every format hold, and any change of them is found."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kibitz.archive import verify
from kibitz_api.tournaments.tallies import tally
from kibitz_worker.archiving import write_archive
from kibitz_worker.schedule.formats import FORMATS
from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, SetState, Tournament
from kibitz_worker.store.tournaments import cancel_tournament
from sqlalchemy import func, select

from tests.worker.store.test_formats import begin, play_some, run
from tests.worker.test_archiving import changed, contents, leaves, reasons, written

PLAYED: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    "round_robin": ("round_robin", "german_whist", 3, {}),
    "gauntlet": ("gauntlet", "german_whist", 3, {}),
    "swiss": ("swiss", "german_whist", 4, {"rounds": 2}),
    "knockout": ("knockout", "german_whist", 4, {"tie_breaks": 0}),
    "halving": ("halving", "german_whist", 4, {}),
    "ladder": ("ladder", "german_whist", 4, {"sets_each": 2}),
    "versus": ("versus", "german_whist", 2, {"h1": 1.0, "limit": 16}),
    "twins": ("versus", "whiskey", 4, {"h1": 1.0, "limit": 16}),
    "individual": ("individual", "whist", 4, {}),
}


def played(store: Store, path: Path, name: str) -> Path:
    """Play a tournament to its end, a test with twins only a little, and write its archive."""
    form, game, bots, options = PLAYED[name]
    tournament = begin(store, form, bots, game, format_options=options)
    if name == "twins":
        play_some(store, tournament, 4, Random(2))
        with store.write() as session:
            cancel_tournament(session, tournament, "enough")
    else:
        run(store, tournament, most=30)
    with store.write() as session:
        write_archive(session, session.get_one(Tournament, tournament), path)
        done = select(func.count()).where(DealSet.state == SetState.DONE)
        sets = session.scalar(done)
    report = verify(path)
    assert report.findings == []
    assert report.sets == sets
    return path


def sets_played(files: dict[str, str]) -> list[str]:
    """The files of sets that were played; of the others nothing can be told by playing again."""
    sets = [name for name in sorted(files) if name.startswith("sets/")]
    return [name for name in sets if json.loads(files[name])["state"] == "done"]


def assert_every_byte_counts(path: Path, rng: Random) -> None:
    whole = path.read_bytes()
    for at in rng.sample(range(len(whole)), 60):
        torn = bytearray(whole)
        torn[at] ^= 1 << rng.randrange(8)
        path.write_bytes(torn)
        assert not verify(path).ok, f"byte {at} of {len(whole)}"
    path.write_bytes(whole)


def assert_changes_are_found(path: Path, rng: Random, times: int) -> None:
    """Change a value somewhere and seal the archive anew: the rest does not fit it any more."""
    files = contents(path)
    names = ["tournament.json", *sets_played(files)]
    for _ in range(times):
        name = rng.choice(names)
        data = json.loads(files[name])
        keys = rng.choice([*leaves(data)])
        at = data
        for key in keys[:-1]:
            at = at[key]
        at[keys[-1]] = changed(at[keys[-1]])
        other = written(path.with_name("other.zip"), {**files, name: json.dumps(data)})
        assert not verify(other).ok, (name, keys)


def test_there_is_an_archive_of_every_format() -> None:
    assert {form for form, *_ in PLAYED.values()} == set(FORMATS)


@pytest.mark.parametrize("name", PLAYED)
def test_archives_of_every_format_hold_and_changes_are_found(
    store: Store, tmp_path: Path, name: str
) -> None:
    path = played(store, tmp_path / "a.zip", name)
    rng = Random(name)
    assert_every_byte_counts(path, rng)
    assert_changes_are_found(path, rng, 4)
    if name in {"twins", "individual"}:
        assert_own_rules_are_checked(path, name)
    if name == "individual":
        assert_partners_are_no_opponents(store, contents(path))


def assert_partners_are_no_opponents(store: Store, files: dict[str, str]) -> None:
    """Shares in archive and dashboard are won sets over played ones, draws as a half."""
    told = json.loads(files["tournament.json"])
    tables = {one["number"]: one["entrants"] for one in told["pairings"]}
    won: dict[int, list[float]] = {number: [] for number in range(4)}
    for one in (json.loads(files[name]) for name in sets_played(files)):
        for place, entrant in enumerate(tables[one["pairing"]]):
            lead = one["scores"][place] - one["scores"][1 - place % 2]
            won[entrant].append(0.5 + 0.5 * ((lead > 0) - (lead < 0)))
    shares = {number: sum(each) / len(each) for number, each in won.items()}
    labels = {one["label"]: one["number"] for one in told["entrants"]}
    assert {labels[row["bot"]]: row["share"] for row in told["standings"]} == shares
    with store.read() as session:
        tallies = tally(session, session.get_one(Tournament, told["id"]))
    assert {number: total.share for number, total in tallies.items()} == shares


def assert_own_rules_are_checked(path: Path, name: str) -> None:
    """What only these formats have is checked: cards of another set, and partners."""
    files = contents(path)
    sets = sets_played(files)
    key = next(one for one in sets if json.loads(files[one])["cards"] or name != "twins")
    data = json.loads(files[key])
    if name == "twins":
        data["cards"], expected = None, "WRONG_DECKS"
    else:
        data["matches"][0]["seating"], expected = [1, 0, 3, 2], "WRONG_SEATS"
    other = written(path.with_name("b.zip"), {**files, key: json.dumps(data)})
    assert expected in reasons(verify(other))


@pytest.mark.campaign
@pytest.mark.parametrize("name", PLAYED)
def test_campaign_of_changes(store: Store, tmp_path: Path, name: str) -> None:
    path = played(store, tmp_path / "a.zip", name)
    for seed in range(10):
        assert_every_byte_counts(path, Random(seed))
    assert_changes_are_found(path, Random(name), 150)
