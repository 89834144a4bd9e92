"""The archive of a tournament holds all that is needed to check it, and nothing can be changed."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kibitz.archive import ArchiveWriter, Report, verify
from kibitz.archive.container import DIGITS, SEAL, _digest, unheard
from kibitz.record import Record
from kibitz.seal import chained
from kibitz_worker.archiving import write_archive
from kibitz_worker.errors import ConflictError
from kibitz_worker.ratings.files.reading import read_results
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import Tournament, TournamentState
from kibitz_worker.store.nonces import contribute
from kibitz_worker.store.tournaments import start_tournament
from kibitz_worker.work.leases import lease_sets
from kibitz_worker.work.plan import plan_set
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.verify import check
from sqlalchemy.orm import Session

from tests.worker.leagues import league
from tests.worker.store.test_fairness import entered
from tests.worker.work.played import LATER, NOW, holder, play, sets_of

WHO = holder()


def play_all(session: Session, tournament: Tournament) -> None:
    """Play a tournament to its end."""
    for deal_set in sets_of(session, tournament):
        assert list(lease_sets(session, NOW, WHO, {deal_set.id: 1}))
        plan = plan_set(session, deal_set)
        for match in plan.matches:
            store_match(session, NOW, WHO, check(plan, play(plan, match)))
        assert finish_set(session, LATER, WHO, deal_set.id)
    tournament.state = TournamentState.FINISHED
    tournament.finished = LATER


def archived(store: Store, path: Path, make: Callable[[Session], Tournament]) -> Path:
    with store.write() as session:
        tournament = make(session)
        play_all(session, tournament)
        write_archive(session, tournament, path)
    return path


def with_nonces(session: Session) -> Tournament:
    """Self-hosted bots with nonces against each other and careful."""
    tournament = entered(session)
    contribute(session, "ben", tournament.id, "ben-1")
    return start_tournament(session, tournament.id)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    with open_store(folder) as store:
        return archived(store, folder / "a.zip", with_nonces)


def contents(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as found:
        return {name: found.read(name).decode() for name in found.namelist()}


def written(path: Path, files: dict[str, str]) -> Path:
    """Write an archive with a sound seal, whatever is in it."""
    with ArchiveWriter(path) as writer:
        for name, text in files.items():
            writer.add(name, text)
    return path


TWO = ("sets/000000.json", "sets/000001.json")


def reasons(report: Report) -> set[str]:
    return {finding.reason for finding in report.findings}


def test_an_archive_holds_without_the_server(archive: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    report = verify(archive, on_progress=lambda *step: seen.append(step))
    assert report.findings == []
    assert (report.sets, report.matches, report.deals) == (3, 6, 12)
    assert (report.entrants, report.nonces, report.void) == (3, 1, 0)
    assert seen[-1] == ("sets", 3, 3)
    assert {what for what, _, _ in seen} == {"bytes", "sets"}
    assert verify(archive, commitment=report.commitment.upper()).ok
    assert reasons(verify(archive, commitment="00" * 32)) == {"OTHER_COMMITMENT"}


@pytest.mark.parametrize("game", ["whist", "whiskey"])
def test_archives_of_sides_and_of_three_hold(store: Store, tmp_path: Path, game: str) -> None:
    bots = ("random", "careful", "search")
    path = archived(store, tmp_path / "a.zip", lambda session: league(session, game, bots, sets=1))
    report = verify(path)
    assert report.findings == []
    assert report.sets == (3 if game == "whist" else 1)
    assert report.forfeits == 0


def test_an_archive_is_the_same_whenever_it_is_written(store: Store, tmp_path: Path) -> None:
    with store.write() as session:
        tournament = league(session)
        with pytest.raises(ConflictError) as caught:
            write_archive(session, tournament, tmp_path / "early.zip")
        assert caught.value.reason == "TOURNAMENT_NOT_OVER"
        play_all(session, tournament)
        for name in ("a.zip", "b.zip"):
            write_archive(session, tournament, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert [path.name for path in sorted(tmp_path.glob("*.zip"))] == ["a.zip", "b.zip"]


def test_any_byte_that_is_changed_is_found(archive: Path, tmp_path: Path) -> None:
    whole = archive.read_bytes()
    copy = tmp_path / "copy.zip"
    copy.write_bytes(whole)
    rng = Random(1)
    missed = []
    with copy.open("r+b") as file:
        for at, byte in enumerate(whole):
            file.seek(at)
            file.write(bytes([byte ^ 1 << rng.randrange(8)]))
            file.flush()
            if verify(copy).ok:
                missed.append(at)
            file.seek(at)
            file.write(bytes([byte]))
    assert missed == []
    for cut in (0, 1, 80, len(whole) // 2, len(whole) - 1):
        copy.write_bytes(whole[:cut])
        assert not verify(copy).ok
    copy.write_bytes(b"x" + whole)
    assert not verify(copy).ok
    copy.write_bytes(whole)
    assert verify(copy).ok


def test_large_archives_are_sealed_to_the_last_byte(tmp_path: Path) -> None:
    rng = Random(2)
    files = {f"records/{n}.json": rng.randbytes(200_000).hex() for n in range(12)}
    path = written(tmp_path / "large.zip", files)
    size = path.stat().st_size
    assert size > 2 << 20
    assert reasons(verify(path)) == {"MISSING_FILE"}
    with path.open("r+b") as file:
        for at in (0, (1 << 20) - 1, 1 << 20, size - 65, *rng.sample(range(size), 20)):
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ 4]))
            file.flush()
            assert reasons(verify(path)) <= {"DAMAGED", "NOT_AN_ARCHIVE"}
            file.seek(at)
            file.write(bytes([byte]))


TOLD = {  # what no replay can show: words, moments, and how time was kept
    "name", "schedule", "sets_per_pairing", "clock", "policy", "rated", "state", "reason",
    "owner", "created", "started", "finished", "content_hash", "round", "penalties",
}  # fmt: skip


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key in value if isinstance(value, dict) else range(len(value)):
        if key in TOLD:
            continue
        if isinstance(value[key], (dict, list)):
            yield from leaves(value[key], (*path, key))
        else:
            yield (*path, key)


def changed(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return "x"
    if isinstance(value, (int, float)):
        return value + 1
    return value[:-1] + ("1" if value[-1:] == "0" else "0")


@pytest.mark.parametrize("name", ["tournament.json", "sets/000001.json"])
def test_what_is_changed_and_sealed_anew_is_found(archive: Path, tmp_path: Path, name: str) -> None:
    files = contents(archive)
    data = json.loads(files[name])
    missed = []
    for path in leaves(data):
        other = json.loads(files[name])
        at = other
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = changed(at[path[-1]])
        text = json.dumps(other)
        if verify(written(tmp_path / "b.zip", {**files, name: text})).ok:
            missed.append(path)
    assert missed == []


def test_records_with_other_cards_are_found_however_well_they_are_made(
    archive: Path, tmp_path: Path
) -> None:
    """Somebody who replaces a match by another, sound in itself, cannot replace the decks."""
    files = contents(archive)
    set_name = "sets/000000.json"
    data = json.loads(files[set_name])
    first, second = data["matches"]
    record = json.loads(files[f"records/{second['id']}.json"])
    record["seats"] = record["seats"][::-1]
    text = Record(chained(record)).to_json()
    files[f"records/{first['id']}.json"] = text
    first["record"] = hashlib.sha256(text.encode()).hexdigest()
    for key in ("returns", "totals", "margins"):
        first[key] = second[key]
    files[set_name] = json.dumps(data)
    assert reasons(verify(written(tmp_path / "b.zip", files))) == {"WRONG_DECKS"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda files: files.pop("sets/000001.json"), "SET_MISSING"),
        (lambda files: files.pop("tournament.json"), "MISSING_FILE"),
        (lambda files: files.pop(min(files)), "MISSING_FILE"),
        (lambda files: files.update({"records/x.json": "{}"}), "NOT_NEEDED"),
        (lambda files: files.update({"sets/000009.json": "{}"}), "BAD_FORM"),
        (lambda files: files.update({"sets/000001.json": "[" * 100_000}), "BAD_FORM"),
        (lambda files: files.update(dict.fromkeys(TWO, files[TWO[0]])), "SET_MISSING"),
        (lambda files: files.update({"../../etc/passwd": "x"}), "SUSPICIOUS"),
        (lambda files: files.update({"/etc/passwd": "x"}), "SUSPICIOUS"),
        (lambda files: files.update({"records/../x.json": "x"}), "SUSPICIOUS"),
        (lambda files: files.update({"sets/000001.json": " " * (70 << 20)}), "SUSPICIOUS"),
        (lambda files: files.update({"sets/000001.json": " " * (30 << 20)}), "SUSPICIOUS"),
    ],
)
def test_files_that_are_missing_or_not_to_be_there_are_told(
    archive: Path, tmp_path: Path, change: Callable[[dict[str, str]], object], expected: str
) -> None:
    files = contents(archive)
    change(files)
    assert expected in reasons(verify(written(tmp_path / "b.zip", files)))


def reseal(path: Path, content: bytes) -> Path:
    path.write_bytes(content[:-DIGITS] + b"0" * DIGITS)
    path.write_bytes(content[:-DIGITS] + _digest(path, unheard))
    return path


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_doubled_name_and_what_is_no_archive_are_told(archive: Path, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as found:
        for text in ("{}", "{}"):
            found.writestr("tournament.json", text)
        found.comment = SEAL + b"0" * DIGITS
    assert reasons(verify(reseal(tmp_path / "b.zip", buffer.getvalue()))) == {"SUSPICIOUS"}
    for content in (b"", b"PK\x05\x06", SEAL, SEAL + b"0" * DIGITS, b"{}"):
        (tmp_path / "c.zip").write_bytes(content)
        assert not verify(tmp_path / "c.zip").ok
    assert reasons(verify(tmp_path / "none.zip")) == {"UNREADABLE"}
    assert reasons(verify(tmp_path)) == {"UNREADABLE"}


def test_hostile_bytes_with_a_sound_seal_end_in_a_finding(archive: Path, tmp_path: Path) -> None:
    whole = archive.read_bytes()
    rng = Random(7)
    for _ in range(100):
        content = bytearray(whole)
        for _ in range(rng.choice([1, 1, 3, 40])):
            content[rng.randrange(len(content) - DIGITS)] = rng.randrange(256)
        report = verify(reseal(tmp_path / "b.zip", bytes(content)))
        assert all(finding.message and finding.reason for finding in report.findings)


def test_ratings_are_fitted_to_the_records_of_an_archive(archive: Path) -> None:
    results = read_results([archive])
    assert len(results.sets) == 3
    assert {player for each in results.sets for player in each.players} == {
        "ana/heart/1", "ben/pip/1", "careful/1",
    }  # fmt: skip
