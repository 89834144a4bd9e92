"""`kibitz-server archive` and `kibitz-server prune`: room made by forgetting what is old."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from kibitz.cli.console import progress
from kibitz_worker.errors import WorkerError
from kibitz_worker.pruning import leftovers, records
from kibitz_worker.pruning.archived import archives_folder
from kibitz_worker.pruning.logs import old_logs
from kibitz_worker.settings import Settings
from kibitz_worker.store import Store
from rich.progress import Progress

KINDS = ("records", *leftovers.KINDS, "logs")

HELD = {
    "records": "records of matches, which archives keep",
    "messages": "messages of seats",
    "attempts": "outputs of failed attempts",
    "snapshots": "old snapshots of ratings",
    "logs": "logs put aside",
}


@dataclass
class Freed:
    """How much of a kind there is to forget, or was forgotten; ``bytes`` as stored."""

    kind: str
    count: int
    bytes: int


@dataclass
class Outcome:
    """What a run came to; ``done`` is false for a look only. ``troubles`` kept something."""

    done: bool
    before: str
    freed: list[Freed] = field(default_factory=list)
    archives: dict[str, str] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    compacted: int | None = None

    @property
    def bytes(self) -> int:
        """All that is freed."""
        return sum(each.bytes for each in self.freed)

    def to_json(self) -> dict[str, object]:
        """Return it for programs."""
        return {**asdict(self), "bytes": self.bytes}

    def text(self) -> str:
        """Return it for people."""
        lines = [f"What is from before {self.before[:16].replace('T', ' ')} UTC:"]
        lines += [
            f"  {HELD[each.kind]:<42} {each.count:>9,}  {size(each.bytes):>10}"
            for each in self.freed
        ]
        lines += [f"Archive of {key}: {path}" for key, path in self.archives.items()]
        lines += [f"Kept: {trouble}" for trouble in self.troubles]
        if self.compacted is not None:
            lines.append(f"The database file is smaller by {size(self.compacted)}.")
        end = "freed" if self.done else "would be freed; --yes does it"
        return "\n".join([*lines, f"{size(self.bytes)} {end}."])


def size(count: int) -> str:
    """Write bytes with a unit."""
    number, unit = float(count), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if number < 1000 or unit == "TB":
            break
        number /= 1000
    return f"{number:.0f} {unit}" if number >= 100 or unit == "B" else f"{number:.1f} {unit}"


@dataclass(frozen=True)
class Wish:
    """What may go: which kinds, from how many days ago; the `keep` last tournaments stay."""

    kinds: tuple[str, ...]
    days: float
    keep: int


def prune(
    settings: Settings, store: Store, wish: Wish, *, do: bool, compact: bool = False
) -> Outcome:
    """Say what would be freed, or `do` it: archives are written and checked first."""
    with store.read() as session:
        before = store.now(session) - timedelta(days=wish.days)
    outcome = Outcome(do, before.isoformat())
    with progress("{task.completed:.0f} of {task.total:.0f}") as bar:
        for kind in wish.kinds:
            if kind == "records":
                _records(Run(settings, store, bar, outcome), before, wish.keep)
            elif kind == "logs":
                _logs(settings, before, outcome)
            else:
                _leftovers(store, bar, kind, before, outcome)
    if do and compact:
        outcome.compacted = store.compact()
    return outcome


@dataclass(frozen=True)
class Run:
    """What it takes to work at records."""

    settings: Settings
    store: Store
    bar: Progress
    outcome: Outcome

    def archive(self, tournament: str) -> Path:
        """Write and check an archive, with a bar."""
        task = self.bar.add_task(f"checking {tournament}", total=None)
        folder = archives_folder(self.settings.data_dir)
        path = records.archive(
            self.store,
            tournament,
            folder,
            lambda done, of: self.bar.update(task, completed=done, total=of),
        )
        self.bar.remove_task(task)
        self.outcome.archives[tournament] = str(path)
        return path

    def forget(self, old: records.Old) -> tuple[int, int]:
        """Forget the records of a tournament, with a bar; return how many, of how many bytes."""
        task = self.bar.add_task(f"records of {old.id}", total=old.records)
        return records.forget_records(
            self.store, old.id, lambda done, _: self.bar.update(task, completed=done)
        )


def _records(run: Run, before: datetime, keep: int) -> None:
    freed = Freed("records", 0, 0)
    run.outcome.freed.append(freed)
    with run.store.read() as session:
        old = records.old_tournaments(session, before, keep)
    for each in old:
        if not run.outcome.done:
            freed.count, freed.bytes = freed.count + each.records, freed.bytes + each.bytes
            continue
        try:
            run.archive(each.id)
        except WorkerError as error:
            run.outcome.troubles.append(str(error))
            continue
        forgotten = run.forget(each)
        freed.count, freed.bytes = freed.count + forgotten[0], freed.bytes + forgotten[1]


def _leftovers(store: Store, bar: Progress, kind: str, before: datetime, outcome: Outcome) -> None:
    find, how = leftovers.KINDS[kind]
    with store.read() as session:
        count, bytes_ = leftovers.measure(session, find(before))
    outcome.freed.append(Freed(kind, count, bytes_))
    if outcome.done and count:
        task = bar.add_task(HELD[kind], total=count)
        leftovers.forget(store, find(before), how, lambda done: bar.update(task, completed=done))


def _logs(settings: Settings, before: datetime, outcome: Outcome) -> None:
    found = old_logs(settings.data_dir / "logs", before)
    outcome.freed.append(Freed("logs", len(found), sum(path.stat().st_size for path in found)))
    if outcome.done:
        for path in found:
            path.unlink(missing_ok=True)


def archive(settings: Settings, store: Store, tournaments: list[str]) -> dict[str, str]:
    """Write and check the archives of tournaments; return their files.

    Raises NotFoundError and ConflictError (TOURNAMENT_NOT_OVER, ARCHIVE_WRONG).
    """
    outcome = Outcome(True, "")
    with progress("{task.completed:.0f} of {task.total:.0f}") as bar:
        run = Run(settings, store, bar, outcome)
        for tournament in tournaments:
            run.archive(tournament)
    return outcome.archives
