"""`kibitz-server annul`: striking out together what a broken machine has played."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime

from kibitz.cli.console import progress
from kibitz_worker.errors import ConflictError
from kibitz_worker.store import Store
from kibitz_worker.work.annulment import annul_set, sets_of_worker


@dataclass(frozen=True)
class Wish:
    """Whose results, since when, perhaps of one tournament only, and why."""

    worker: str
    since: datetime
    tournament: str | None
    reason: str


@dataclass
class Outcome:
    """The sets that are, or with ``done`` were, annulled; ``kept`` says why others were not."""

    done: bool
    sets: list[str]
    replaced: int = 0
    kept: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Return it for programs."""
        return asdict(self)

    def text(self) -> str:
        """Return it for people."""
        if not self.done:
            return f"{len(self.sets)} sets would be annulled; --yes does it."
        lines = [f"{key} stays: {why}" for key, why in self.kept.items()]
        again = f"; {self.replaced} are played again" if self.replaced else ""
        return "\n".join([*lines, f"{len(self.sets)} sets annulled{again}."])


def annul(store: Store, wish: Wish, *, do: bool) -> Outcome:
    """Say which sets would be annulled, or `do` it, each with an event of its own."""
    with store.read() as session:
        found = sets_of_worker(session, wish.worker, wish.since, wish.tournament)
    outcome = Outcome(do, found if not do else [])
    if not do:
        return outcome
    with progress("{task.completed:.0f} of {task.total:.0f}") as bar:
        for key in bar.track(found, description="annulling"):
            _one(store, key, wish.reason, outcome)
    return outcome


def _one(store: Store, key: str, reason: str, outcome: Outcome) -> None:
    try:
        with store.write() as session:
            made = annul_set(session, store.now(session), key, user_id=None, reason=reason)
    except ConflictError as error:  # a round was built on it, or somebody annulled it meanwhile
        outcome.kept[key] = str(error)
        return
    outcome.sets.append(key)
    outcome.replaced += made is not None
