"""Checking the archive of a tournament from its own files alone."""

import hmac
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kibitz.archive.container import ArchiveReader, unheard
from kibitz.archive.contents import Progress, Tournament, bad, parse, read_tournament
from kibitz.archive.played_set import SetCheck
from kibitz.errors import ArchiveError
from kibitz.fair import commitment as hash_of
from kibitz.totals import Total, ranked

MOST_FINDINGS = 100


@dataclass(frozen=True)
class Finding:
    """Something that is wrong: where, an UPPER_SNAKE reason, and in words."""

    where: str
    reason: str
    message: str


@dataclass
class Report:
    """What a check came to; ``findings`` is empty where everything holds.

    ``sets`` counts sets played to their end, ``void`` all others; ``forfeits`` are deals.
    """

    archive: str
    tournament: str = ""
    name: str = ""
    game: str = ""
    commitment: str = ""
    entrants: int = 0
    nonces: int = 0
    sets: int = 0
    void: int = 0
    matches: int = 0
    deals: int = 0
    forfeits: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing wrong was found."""
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        return {"ok": self.ok, **asdict(self)}


def verify(
    path: Path,
    *,
    commitment: str | None = None,
    on_progress: Progress = unheard,
) -> Report:
    """Check an archive: seal, commitment, decks, records, scores, standings.

    Args:
        path: the file.
        commitment: what was published before play, as somebody has noted it; compared too.
        on_progress: called with "bytes" and then "sets", how many are done, and of how many.

    Nothing is raised for what is wrong with the archive; the report says it.
    """
    report = Report(archive=str(path))
    try:
        with ArchiveReader(path, lambda done, of: on_progress("bytes", done, of)) as archive:
            _check(archive, report, commitment, on_progress)
    except ArchiveError as error:
        report.findings.append(Finding(str(path), error.reason, str(error)))
    return report


def _check(
    archive: ArchiveReader, report: Report, commitment: str | None, on_progress: Progress
) -> None:
    tournament = read_tournament(parse("tournament.json", archive.read("tournament.json")))
    report.tournament, report.name = tournament.id, tournament.name
    report.game, report.entrants = tournament.game.name, len(tournament.entrants)
    report.commitment = tournament.commitment
    report.nonces = sum(entrant.nonce is not None for entrant in tournament.entrants)
    for finding in _commitment(tournament, commitment):
        report.findings.append(finding)
    totals = _check_sets(archive, tournament, report, on_progress)
    if report.ok:  # otherwise it is known that they are not
        report.findings += _standings(tournament, totals)


def _commitment(tournament: Tournament, noted: str | None) -> Iterator[Finding]:
    found = hash_of(tournament.secret)
    if not hmac.compare_digest(found.encode(), tournament.commitment.encode()):
        text = f"the secret has the SHA-256 {found}, not {tournament.commitment:.80}"
        yield Finding("tournament.json", "WRONG_COMMITMENT", text)
    elif noted is not None and noted.strip().lower() != found:
        text = f"the commitment is {found}, not the one given, {noted:.80}"
        yield Finding("tournament.json", "OTHER_COMMITMENT", text)


def _check_sets(
    archive: ArchiveReader, tournament: Tournament, report: Report, on_progress: Progress
) -> dict[int, Total]:
    totals = {entrant.number: Total() for entrant in tournament.entrants}
    names = sorted(name for name in archive.names if name.startswith("sets/"))
    known = {"tournament.json", *names}
    numbers: Counter[int] = Counter()
    before: dict[int, int] = {}
    for done, name in enumerate(names):
        on_progress("sets", done, len(names))
        try:
            one = SetCheck(tournament, parse(name, archive.read(name)), archive.read, before)
            numbers[one.number] += 1
            one.check()
            before[one.number] = one.pairing
            _count(one, totals, report)
            known.update(one.records)
        except ArchiveError as error:
            report.findings.append(Finding(name, error.reason, str(error)))
            if len(report.findings) >= MOST_FINDINGS:
                raise bad("there is more that is wrong; not listed", "TOO_MANY") from None
    on_progress("sets", len(names), len(names))
    if report.ok:
        report.findings += _whole(tournament, numbers, known, archive)
    return totals


def _count(one: SetCheck, totals: dict[int, Total], report: Report) -> None:
    report.matches += len(one.records)
    if not one.done:
        report.void += 1
        return
    scores, margins, deals = one.scores
    report.sets += 1
    report.deals += deals
    report.forfeits += len(one.forfeits)
    for place, entrant in enumerate(one.players):
        totals[entrant.number].add(place, scores, margins, deals, partners=one.partners)
    for number in one.forfeits:
        totals[number].forfeits += 1


def _whole(
    tournament: Tournament, numbers: Counter[int], known: set[str], archive: ArchiveReader
) -> Iterator[Finding]:
    """Nothing is missing and nothing too much: sets are counted through the tournament."""
    count = tournament.data.get("sets")
    if count != len(numbers) or sorted(numbers) != list(range(len(numbers))):
        text = f"there are {len(numbers)} sets, not those from 0 to {count!r:.20} (without it)"
        yield Finding("sets", "SET_MISSING", text)
    for name in sorted(archive.names - known)[:MOST_FINDINGS]:
        yield Finding(name, "NOT_NEEDED", "no set says that this record is one of its matches")


def _standings(tournament: Tournament, totals: dict[int, Total]) -> Iterator[Finding]:
    found = standings({e.label: totals[e.number] for e in tournament.entrants})
    if [*tournament.standings] != found:
        rows = zip(found, tournament.standings, strict=False)
        wrong = next((row["bot"] for row, said in rows if row != said), "how many there are")
        text = f"the standings are not what the sets add up to; they differ first in {wrong}"
        yield Finding("tournament.json", "WRONG_STANDINGS", text)


def standings(totals: dict[str, Total]) -> list[dict[str, Any]]:
    """Return the standings as ``tournament.json`` has them, from totals by label."""
    return [
        {
            "rank": rank,
            "bot": label,
            "sets": total.sets,
            "deals": total.deals,
            "share": total.share,
            "points": total.points,
            "margin": total.mean_margin,
            "forfeits": total.forfeits,
        }
        for rank, (label, total) in enumerate(ranked(totals.items()), 1)
    ]
