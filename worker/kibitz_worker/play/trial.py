"""What a trial game has shown of the version on trial, which is player 0."""

from __future__ import annotations

from pathlib import Path

from kibitz.v1 import referee_pb2 as pb
from kibitz.v1 import table_pb2

from kibitz_worker.work.plan import SetPlan
from kibitz_worker.work.verify import Reported, check

ON_TRIAL = 0
Fault = table_pb2.Forfeit | table_pb2.Penalty
ABSENT = {"BOT_ABSENT", "NOT_READY"}


class Trial:
    """Faults of the version on trial, and failures that are not its own."""

    def __init__(self, plan: SetPlan) -> None:
        self.plan = plan
        self.faults: list[str] = []
        self.failures: list[str] = []

    def blame(self, reason: str, detail: str) -> None:
        """Note a fault of the version."""
        self.faults.append(f"{reason}: {detail} ({self.plan.game.name})")

    def fail(self, reason: str, detail: str) -> None:
        """Note that the platform failed."""
        self.failures.append(f"{reason}: {detail} ({self.plan.game.name})")

    def take(self, event: pb.RunSetResponse) -> None:
        """Take in what the referee says. Raises ReportError when a record does not hold."""
        match event.WhichOneof("event"):
            case "match_finished":
                self._finished(event.match_finished)
            case "set_failed":
                self._failed(event.set_failed)

    def _finished(self, finished: pb.MatchFinished) -> None:
        check(self.plan, Reported(finished.match_id, finished.record_json, tuple(finished.returns)))
        faults: list[Fault] = [*finished.forfeits, *finished.penalties]
        for fault in faults:
            if self._on_trial(finished.match_id, fault.seat):
                self.blame(fault.reason, _where(fault))

    def _failed(self, failed: pb.SetFailed) -> None:
        seat = failed.seat if failed.HasField("seat") else None
        if failed.reason in ABSENT and self._on_trial(failed.match_id, seat):
            self.blame(failed.reason, failed.detail or "it did not come to its table")
        else:
            self.fail(failed.reason, failed.detail)

    def _on_trial(self, match_id: str, seat: int | None) -> bool:
        for match in self.plan.matches:
            if match.id == match_id and seat is not None:
                return match.seating[seat] == ON_TRIAL
        return False


def _where(fault: Fault) -> str:
    limit = f", {fault.used_ms} ms of {fault.limit_ms} ms used" if fault.limit_ms else ""
    said = (
        f", {fault.said_ms} ms as it says, {fault.latency_ms} ms lost on the way"
        if fault.HasField("said_ms")
        else ""
    )
    where = f"deal {fault.deal}, seat {fault.seat}{limit}{said}"
    if fault.reason == "TIMEOUT" or not fault.detail:  # the detail says the same times again
        return where
    return f"{where}. {fault.detail}".strip()


def in_short(fault: str) -> str:
    """Return a fault on one line, fit for everybody: of a traceback only what it ends with."""
    first, trace, rest = fault.partition("Traceback")
    lines = [line.strip() for line in rest.splitlines() if line.strip()]
    return " ".join(f"{first} {lines[-1] if trace and lines else ''}".split())


def summary(faults: list[str]) -> list[str]:
    """Return the first fault of each kind, and how many more there were of it."""
    kinds: dict[str, list[str]] = {}
    for fault in faults:
        kinds.setdefault(f"{fault.partition(':')[0]} {fault.rpartition('(')[2]}", []).append(fault)
    return [
        f"{first}\n(and {len(more)} more of the kind)" if more else first
        for first, *more in kinds.values()
    ]


def without_folder(text: str, folder: Path | None) -> str:
    """Return a text with the bot's files named as its author knows them."""
    for name in (folder.resolve(), folder) if folder else ():
        text = text.replace(f"{name}/", "")
    return text
