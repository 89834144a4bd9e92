"""From files to sets: what kind of file it is, and what is left out."""

import gzip
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.files.match_records import MatchRecords
from kibitz_worker.ratings.files.planned import Planned
from kibitz_worker.ratings.files.tables import names_sets, read_table
from kibitz_worker.ratings.results import SetResult

SUFFIXES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson")
MOST_BYTES = 2**30
"""A larger text is refused: small archives can unpack to more than fits into the memory."""


@dataclass(slots=True)
class Results:
    """Sets to rate, in words what was left out, and matches for `luck.boards_of`."""

    sets: list[SetResult] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    matches: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    planned: list[Planned] = field(default_factory=list)
    """All sets, those that are not complete too, for tests that go by their order."""


def read_results(files: Iterable[Path]) -> Results:
    """Read sets from CSV tables, JSON records, and .zip or .gz files of them; `-` is the input.

    A file is taken for records if it begins with a brace. Raises RatingError `FILE_UNREADABLE`,
    `FILE_EMPTY`, `BAD_CSV` or `BAD_RECORD`, with file and line.
    """
    results, records = Results(), MatchRecords()
    for file in files:
        for name, text in _texts(file):
            if text.lstrip()[:1] == "{":
                records.add(name, text)
            else:
                table = read_table(name, text)
                results.sets += table
                results.planned += _planned(name, table, names_sets(text))
    found, notes = records.sets()
    results.sets += found
    results.notes += notes
    results.matches = records.matches
    results.planned += records.planned()
    return results


def _planned(name: str, table: list[SetResult], named: bool) -> Iterator[Planned]:
    """Sets of a table; those of one unit go by its name."""
    for result in table:
        own = (result.unit or result.id)[len(name) + 1 :]
        known = bool(result.unit) or named
        yield Planned(name, own, frozenset(result.players), result, named=known)


def _texts(file: Path) -> Iterator[tuple[str, str]]:
    try:
        if str(file) == "-":
            yield "input", _decoded("input", sys.stdin.buffer.read(MOST_BYTES + 1))
        elif zipfile.is_zipfile(file):
            yield from _members(file)
        elif file.suffix == ".gz":
            with gzip.open(file) as stream:
                yield str(file), _decoded(str(file), stream.read(MOST_BYTES + 1))
        else:
            with file.open("rb") as stream:
                yield str(file), _decoded(str(file), stream.read(MOST_BYTES + 1))
    except OSError as error:
        why = error.strerror or str(error)
        raise RatingError("FILE_UNREADABLE", f"{file} cannot be read: {why}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise RatingError("FILE_UNREADABLE", f"{file} is a broken archive: {error}") from error


def _members(file: Path) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(file) as archive:
        names = [name for name in sorted(archive.namelist()) if name.lower().endswith(SUFFIXES)]
        whole = "tournament.json" in names
        if whole:  # of a tournament's archive the records are the results
            names = [name for name in names if name.startswith("records/")]
        if not names:
            wanted = " ".join(SUFFIXES)
            raise RatingError("FILE_EMPTY", f"{file} holds no results (looked for {wanted})")
        for name in names:
            with archive.open(name) as stream:
                where = f"{file}:{name}"
                text = _decoded(where, stream.read(MOST_BYTES + 1))
            yield (str(file) if whole else where), text  # a set is spread over files


def _decoded(name: str, content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise RatingError("FILE_UNREADABLE", f"{name} is larger than {MOST_BYTES} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RatingError("FILE_UNREADABLE", f"{name} is no UTF-8 text: {error.reason}") from error
    if not text.strip():
        raise RatingError("FILE_EMPTY", f"{name} is empty")
    return text
